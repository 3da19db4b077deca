import assert from "node:assert/strict";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import type { RefereeMessage } from "#types/king/v1/RefereeMessage.js";
import { runBefore, runBot, type Talk } from "./referee.js";

/** A match with a deal in which all seats are about to play, and two cards in hand. */
function tableStart(table: number): RefereeMessage[] {
  return [
    { table, tableStart: { variant: "russian-14", seatCount: 4, seat: 1 } },
    { table, dealStart: { number: 1, hasDealer: true, dealer: 0 } },
    { table, cardsDealt: { cards: ["7S", "9S"] } },
    { table, contractSet: { contract: "no_tricks" } },
  ];
}

/** A request to play 9S or 7S: the simple bot answers 1. */
function request(table: number, requestId: string | number): RefereeMessage {
  const legalActions = ["9S", "7S"].map((card) => ({ kind: "ACTION_KIND_PLAY", card }) as const);
  return { table, request: { requestId, legalActions, timeLeftMs: 10_000 } };
}

async function answers(talk: Talk, count: number): Promise<[string, number][]> {
  const heard: [string, number][] = [];
  while (heard.length < count) {
    for (const { choice } of await talk.hear()) if (choice) heard.push([choice.requestId, choice.index]);
  }
  return heard;
}

test("a frame in parts is answered as one, and a close with OK ends the bot with 0", async () => {
  const ended = await runBefore(async (talk) => {
    const { hello } = await talk.meet();
    assert.equal(hello?.token, "secret");
    assert.equal(hello.tableLimit, 64);
    talk.say(tableStart(5), { more: true });
    talk.say([...tableStart(9), request(5, "9007199254740993")], { more: true });
    talk.say([request(9, 72)]);
    assert.deepEqual(await answers(talk, 2), [
      ["9007199254740993", 1],
      ["72", 1],
    ]);
    talk.say([{ table: 5, tableEnd: { totals: [0, 0, 0, 0], places: [1, 1, 1, 1] } }]);
    talk.close();
  });
  assert.deepEqual(ended, { exitStatus: 0, stderr: "" });
});

test("after a broken stream the bot dials again and takes its tables up anew", async () => {
  const ended = await runBefore(
    async (talk) => {
      await talk.meet();
      talk.say([...tableStart(5), request(5, 1)]);
      await answers(talk, 1);
      talk.fail(status.UNAVAILABLE, "going away");
    },
    async (talk) => {
      await talk.meet();
      talk.say([...tableStart(5), request(5, 2)]);
      assert.deepEqual(await answers(talk, 1), [["2", 1]]);
      talk.close();
    },
  );
  assert.equal(ended.exitStatus, 0);
  assert.equal(ended.stderr, "king: stream broken (UNAVAILABLE: going away), dialling again\n");
});

test("a refusal ends the bot with 1 and one line that says why", async () => {
  const ended = await runBefore(async (talk) => {
    await talk.hear();
    talk.fail(status.UNAUTHENTICATED, "unknown token");
  });
  assert.equal(ended.exitStatus, 1);
  assert.match(ended.stderr, /^king: the token was refused \(unix:.*\): unknown token\n$/);
});

test("a message that makes no sense ends the bot with 1 and its stack", async () => {
  const ended = await runBefore(async (talk) => {
    await talk.meet();
    talk.say([request(5, 1)]);
  });
  assert.equal(ended.exitStatus, 1);
  assert.match(ended.stderr, /the referee sent request for table 5, which has not started\n {4}at /);
});

test("without an address the bot says what is missing", async () => {
  const ended = await runBot({});
  assert.equal(ended.exitStatus, 1);
  assert.match(ended.stderr, /^king: KING_REFEREE is not set: .*\n$/);
});
