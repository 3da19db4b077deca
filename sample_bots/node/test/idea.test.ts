import assert from "node:assert/strict";
import { test } from "node:test";
import { type Action, Bot, card, decide, leastBy, mostBy, ofKind, type Table } from "../src/king/index.js";
import { cardsIn, dealOf } from "./tables.js";

/** The idea of which the README tells. */
class DuckingBot extends Bot {
  override choose(table: Table, actions: readonly Action[]): Action {
    const plays = ofKind(actions, "play");
    if (plays.length === 0) return decide(table, actions);
    const losing = plays.filter(({ card }) => !table.beats(card));
    return table.scoring.avoids && losing.length > 0
      ? mostBy(losing, ({ card }) => card.rank)
      : leastBy(plays, ({ card }) => card.rank);
  }
}

/** What it plays of a hand in a deal of a contract, after a lead. */
function chosen(contract: string, led?: string): Action {
  const table = dealOf(contract, "7S 9S AS");
  if (led) table.deal.onAction(3, { kind: "play", card: card(led) }, "bot");
  const plays = cardsIn("7S 9S AS").map((held) => ({ kind: "play", card: held }) as const);
  return new DuckingBot().choose(table, plays);
}

test("where points are to be avoided, the highest card is played that does not take", () => {
  assert.deepEqual(chosen("no_tricks", "TS"), { kind: "play", card: card("9S") });
  assert.deepEqual(chosen("no_tricks", "8S"), { kind: "play", card: card("7S") });
  assert.deepEqual(chosen("no_tricks"), { kind: "play", card: card("7S") });
  assert.deepEqual(chosen("tricks", "TS"), { kind: "play", card: card("7S") });
});
