/** A referee that follows a script: a real gRPC server on a Unix socket, and a bot's real process before it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Server, ServerCredentials, type ServerDuplexStream, type status } from "@grpc/grpc-js";
import type { ArenaServiceHandlers } from "#types/king/v1/ArenaService.js";
import type { BotMessage__Output } from "#types/king/v1/BotMessage.js";
import type { PlayRequest__Output } from "#types/king/v1/PlayRequest.js";
import type { PlayResponse } from "#types/king/v1/PlayResponse.js";
import type { RefereeMessage } from "#types/king/v1/RefereeMessage.js";
import { loadProtocol } from "../src/king/protocol.js";

const SIMPLE = fileURLToPath(new URL("../src/simple.js", import.meta.url));
const DEADLINE_MS = 30_000;

/** One stream, seen from the referee. */
export class Talk {
  private readonly frames: AsyncIterator<PlayRequest__Output>;

  constructor(private readonly stream: ServerDuplexStream<PlayRequest__Output, PlayResponse>) {
    this.frames = (stream as AsyncIterable<PlayRequest__Output>)[Symbol.asyncIterator]();
  }

  /** The messages of the bot's next frame. */
  async hear(): Promise<BotMessage__Output[]> {
    const frame = await this.frames.next();
    if (frame.done) throw new Error("the bot has ended its side of the stream");
    return frame.value.messages;
  }

  /** Hello, Welcome, Ready; gives the Hello. */
  async meet(): Promise<BotMessage__Output> {
    const [hello] = await this.hear();
    this.say([{ welcome: { protocolVersion: 1 } }]);
    const [ready] = await this.hear();
    if (!hello?.hello || !ready?.ready) throw new Error("a bot begins with Hello and Ready");
    return hello;
  }

  say(messages: RefereeMessage[], { more = false } = {}): void {
    this.stream.write({ messages, more });
  }

  close(): void {
    this.stream.end();
  }

  fail(code: status, details: string): void {
    this.stream.emit("error", { code, details });
  }
}

export type Script = (talk: Talk) => Promise<void>;
export type Ended = Readonly<{ exitStatus: number | null; stderr: string }>;

/** Runs the simple bot before a referee that follows one script for each of its streams, in order. */
export async function runBefore(...scripts: Script[]): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), "king-"));
  const server = new Server();
  const failures: unknown[] = [];
  const handlers: ArenaServiceHandlers = {
    Play: (stream) => {
      stream.on("error", () => undefined); // a bot that is gone shows by its exit status
      const script = scripts.shift();
      script?.(new Talk(stream)).catch((failure: unknown) => {
        failures.push(failure);
        stream.end();
      });
    },
  };
  server.addService(loadProtocol().king.v1.ArenaService.service, handlers);
  const address = `unix:${folder}/referee.sock`;
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(),
    );
  });
  try {
    const ended = await runBot({ KING_REFEREE: address, KING_TOKEN: "secret" });
    if (failures.length > 0) throw failures[0];
    return ended;
  } finally {
    server.forceShutdown();
    await rm(folder, { recursive: true });
  }
}

/** Runs the simple bot to its end. */
export async function runBot(env: NodeJS.ProcessEnv): Promise<Ended> {
  const bot = spawn(process.execPath, [SIMPLE], {
    env,
    stdio: ["ignore", "inherit", "pipe"],
    timeout: DEADLINE_MS,
  });
  const [stderr, [exitStatus]] = await Promise.all([text(bot.stderr), once(bot, "exit")]);
  return { exitStatus: exitStatus as number | null, stderr };
}
