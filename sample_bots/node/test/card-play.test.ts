import assert from "node:assert/strict";
import { test } from "node:test";
import { pickCard } from "../src/card-play.js";
import { card, decide } from "../src/king/index.js";
import { cardsIn, dealOf, openTable } from "./tables.js";

/** What greedy plays of `legal` in a deal of a contract after these plays of the seats before it. */
function picked(contract: string, legal: string, ...plays: string[]): string {
  const table = dealOf(contract, legal);
  for (const [index, text] of plays.entries()) {
    table.deal.onAction(4 - plays.length + index, { kind: "play", card: card(text) }, "bot");
  }
  return pickCard(table, cardsIn(legal)).text;
}

test("a penalty is ducked with the highest card that stays below", () => {
  assert.equal(picked("no_tricks", "7S 9S AS", "TS"), "9S");
});

test("the dearest card is thrown when suit cannot be followed", () => {
  assert.equal(picked("no_girls", "AS QD 7C", "TH"), "QD");
});

test("the last seat takes a trick without penalties with its highest card", () => {
  assert.equal(picked("no_girls", "JS KS", "7S", "8S", "9S"), "KS");
});

test("a trick that is wanted is taken, by the last seat as cheaply as it can", () => {
  assert.equal(picked("tricks", "7S JS AS", "TS"), "AS");
  assert.equal(picked("tricks", "7S JS AS", "TS", "8S", "9S"), "JS");
});

test("high cards go early where only the last tricks hurt", () => {
  assert.equal(picked("no_last_two", "7S AS"), "AS");
});

test("the trump is named in which the hand makes most tricks", () => {
  const table = openTable("trump-11");
  table.onCards(cardsIn("7D 8D 9D TD JD AS 7H 7C"));
  const suits = ["S", "H", "D", "C"] as const;
  const choice = decide(
    table,
    suits.map((trump) => ({ kind: "name_trump", trump }) as const),
  );
  assert.deepEqual(choice, { kind: "name_trump", trump: "D" });
});

test("an order that promises nothing is passed over", () => {
  const table = openTable("ordered-56");
  table.onCards(cardsIn("AS KS QS JS AH KH QH JH"));
  const pass = { kind: "pass" } as const;
  assert.equal(decide(table, [{ kind: "order", contract: "no_tricks" }, pass]), pass);
});
