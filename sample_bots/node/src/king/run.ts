/** The process's dialogue with the referee: dialling, coming back after a broken stream, and the exit status. */

import { setTimeout } from "node:timers/promises";
import { type ServiceError, status } from "@grpc/grpc-js";
import type { Bot } from "./bot.js";
import { UnknownVariantError } from "./scoring.js";
import { BotFailedError, Session } from "./session.js";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
const GIVE_UP_AFTER_MS = 60_000;

/** Why the referee closes a stream for good. After any other status there is use in dialling again. */
const FATAL: ReadonlyMap<status, string> = new Map([
  [status.UNAUTHENTICATED, "the token was refused"],
  [status.FAILED_PRECONDITION, "the protocol version was refused"],
  [status.INVALID_ARGUMENT, "the referee reports an illegal choice or a protocol error"],
  [status.RESOURCE_EXHAUSTED, "the referee reports a flood"],
  [status.DEADLINE_EXCEEDED, "the referee reports that time has run out"],
  [status.ABORTED, "the sitting was dropped, or another stream has replaced this one"],
  [status.UNIMPLEMENTED, "this address is not a King Arena referee"],
]);

/**
 * Plays for the referee that `KING_REFEREE` names until it has no more tables, then ends the process: with status 0
 * when the referee is done, with 1 after a failure, which is told on standard error.
 */
export async function run(bot: Bot): Promise<never> {
  process.exit(await play(bot, process.env));
}

async function play(bot: Bot, environment: NodeJS.ProcessEnv): Promise<number> {
  const { KING_REFEREE: address, KING_TOKEN: token = "" } = environment;
  if (!address) {
    return fail(
      "KING_REFEREE is not set: it has the referee's address, such as 127.0.0.1:7700 or unix:/path",
    );
  }
  try {
    return await playUntilOver(new Session(bot, token), address);
  } catch (error) {
    if (!(error instanceof BotFailedError)) throw error;
    if (error.cause instanceof UnknownVariantError) return fail(error.cause.message);
    console.error(error.cause);
    return 1;
  }
}

async function playUntilOver(session: Session, address: string): Promise<number> {
  let pauseMs = FIRST_PAUSE_MS;
  let lostAt = performance.now();
  for (;;) {
    try {
      await session.playStream(address);
      return 0;
    } catch (error) {
      if (!isServiceError(error)) throw error;
      const { code, details } = error;
      const reason = FATAL.get(code);
      if (reason) return fail(`${reason} (${address}): ${details}`);
      if (code === status.UNAVAILABLE && details.includes("certificate")) {
        return fail(
          `the certificate of the referee at ${address} is not believed: ${details}; KING_TLS_ROOTS names the authorities that are believed`,
        );
      }
      if (session.welcomed) {
        pauseMs = FIRST_PAUSE_MS;
        lostAt = performance.now();
      }
      if (performance.now() - lostAt > GIVE_UP_AFTER_MS) {
        const seconds = GIVE_UP_AFTER_MS / 1_000;
        return fail(`no referee at ${address} for ${seconds} s, giving up: ${status[code]}: ${details}`);
      }
      tell(`stream broken (${status[code]}: ${details}), dialling again`);
    }
    await setTimeout(pauseMs);
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && typeof error.code === "number" && "details" in error;
}

function tell(sentence: string): void {
  console.error(`king: ${sentence}`);
}

function fail(sentence: string): number {
  tell(sentence);
  return 1;
}
