/** One stream to the referee: frames in, answers out. Whether to dial again is for `run.ts` to say. */

import { setImmediate } from "node:timers/promises";
import type { ClientDuplexStream } from "@grpc/grpc-js";
import type { BotMessage } from "#types/king/v1/BotMessage.js";
import type { Hello } from "#types/king/v1/Hello.js";
import type { PlayRequest } from "#types/king/v1/PlayRequest.js";
import type { PlayResponse__Output } from "#types/king/v1/PlayResponse.js";
import type { RefereeMessage__Output } from "#types/king/v1/RefereeMessage.js";
import type { Bot } from "./bot.js";
import { type Asked, Tables } from "./messages.js";
import { clientOf } from "./protocol.js";

const PROTOCOL_VERSION = 1;
const FLUSH_AFTER_MS = 20;

type Stream = ClientDuplexStream<PlayRequest, PlayResponse__Output>;

/** The bot's own code failed; the cause has its stack. */
export class BotFailedError extends Error {}

/** The tables of this process, across the streams that carry them. */
export class Session {
  /** Whether the stream at hand got so far. */
  welcomed = false;
  private isWarm = false;
  private readonly tables: Tables;

  constructor(
    private readonly bot: Bot,
    private readonly token: string,
  ) {
    this.tables = new Tables(bot);
  }

  /** Plays on one stream until the referee closes it; throws gRPC's `ServiceError` if it breaks. */
  async playStream(address: string): Promise<void> {
    this.welcomed = false;
    const client = clientOf(address);
    try {
      const stream = client.play();
      stream.write({ messages: [{ hello: this.hello() }] });
      for await (const messages of wholeFrames(stream)) await this.onFrame(messages, stream);
    } finally {
      client.close();
    }
  }

  private hello(): Hello {
    return {
      protocolVersion: PROTOCOL_VERSION,
      token: this.token,
      name: this.bot.name,
      version: this.bot.version,
      tableLimit: this.bot.tableLimit,
    };
  }

  private async onFrame(messages: readonly RefereeMessage__Output[], stream: Stream): Promise<void> {
    try {
      if (!this.welcomed && messages.some((message) => message.welcome)) await this.getReady(stream);
      const asked = this.tables.takeIn(messages);
      if (asked.length > 0) await this.answer(asked, stream);
    } catch (error) {
      throw new BotFailedError("the bot failed", { cause: error });
    }
  }

  private async getReady(stream: Stream): Promise<void> {
    this.welcomed = true;
    if (!this.isWarm) await this.bot.warmUp();
    this.isWarm = true;
    stream.write({ messages: [{ ready: {} }] });
  }

  /** Answers all requests of a frame; what is ready goes out early if the rest takes long. */
  private async answer(asked: readonly Asked[], stream: Stream): Promise<void> {
    const { clock } = this.bot;
    const { leftMs, takenLastMs } = asked.at(-1)!;
    clock.onFrame(leftMs, takenLastMs, asked.length);
    let answers: BotMessage[] = [];
    let flushedAt = performance.now();
    for (const request of asked) {
      answers.push({ choice: { requestId: request.requestId, index: await this.choose(request) } });
      clock.unanswered -= 1;
      if (performance.now() - flushedAt > FLUSH_AFTER_MS) {
        stream.write({ messages: answers });
        await setImmediate(); // nothing leaves the process while its one thread chooses
        answers = [];
        flushedAt = performance.now();
      }
    }
    if (answers.length > 0) stream.write({ messages: answers });
  }

  private async choose({ table, actions }: Asked): Promise<number> {
    const chosen = await this.bot.choose(table, actions);
    const index = actions.indexOf(chosen);
    if (index >= 0) return index;
    throw new RangeError(
      `choose() returned ${describe(chosen)}, which is none of the actions it was given: ${describe(actions)}`,
    );
  }
}

function describe(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) => (key === "card" ? String(part) : part)) ?? "nothing";
}

/** Joins the frames that go on in the next one. */
async function* wholeFrames(stream: Stream): AsyncGenerator<readonly RefereeMessage__Output[]> {
  let parts: RefereeMessage__Output[] = [];
  for await (const frame of stream as AsyncIterable<PlayResponse__Output>) {
    parts.push(...frame.messages);
    if (frame.more) continue;
    yield parts;
    parts = [];
  }
}
