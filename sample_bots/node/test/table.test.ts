import assert from "node:assert/strict";
import { test } from "node:test";
import { card } from "../src/king/index.js";
import { cardsIn, dealOf, openTable, setOf } from "./tables.js";

function play(table: ReturnType<typeof openTable>, seat: number, text: string): void {
  table.deal.onAction(seat, { kind: "play", card: card(text) }, "bot");
}

test("a hand comes in parts and goes card by card", () => {
  const table = dealOf("no_tricks", "7S KH");
  table.onCards(cardsIn("AC"));
  play(table, 0, "KH");
  assert.equal(String(table.deal.hand), "7S AC");
  assert.equal(table.deal.unseen.size, 32 - 2 - 1);
});

test("who does not follow suit shows a void, and the taker gets the trick", () => {
  const table = dealOf("no_boys", "7S KH");
  for (const [seat, text] of [["KS"], ["7D"], ["8S"], ["9S"]].entries()) play(table, seat, text[0]!);
  assert.deepEqual(
    table.deal.voids.map((suits) => [...suits]),
    [[], ["S"], [], []],
  );
  table.deal.onTrickEnd(0);
  assert.equal(table.deal.trick, null);
  assert.equal(table.deal.tricksTaken[0], 1);
  assert.ok(table.deal.cardsTaken[0]?.equals(setOf("KS 8S 9S 7D")));
  assert.deepEqual(table.pointsSoFar(), [-4, 0, 0, 0]);
});

test("the highest of the suit led wins, whatever is thrown; a trump beats it", () => {
  const table = dealOf("trumps", "QS AD 7H");
  for (const [place, text] of ["8S", "JS", "AC"].entries()) play(table, 1 + place, text);
  const trick = table.deal.trick!;
  assert.deepEqual(table.winner, { seat: 2, card: card("JS") });
  assert.deepEqual(
    cardsIn("QS TS AD 7H").map((held) => table.beats(held)),
    [true, false, false, false],
  );
  assert.ok(trick.isBeatenBy(card("7H"), "H", false));
  assert.equal(trick.winner("C", false).card, card("AC"));
});

test("at misère the lowest of the suit led wins", () => {
  const table = dealOf("trumps", "7S 9S 7C");
  table.deal.contract = { ...table.deal.contract!, isMisere: true };
  for (const [place, text] of ["8S", "JS", "AC"].entries()) play(table, 1 + place, text);
  assert.equal(table.winner?.card, card("8S"));
  assert.deepEqual(
    cardsIn("7S 9S 7C").map((held) => table.beats(held)),
    [true, false, false],
  );
});

test("before a lead nothing wins, and any card would", () => {
  const table = dealOf("no_tricks", "7S");
  assert.equal(table.winner, null);
  assert.ok(table.beats(card("7S")));
});

test("an unknown variant is an error that names it", () => {
  assert.throws(() => openTable("bridge-52[seats=3]"), /does not know the variant "bridge-52"/);
});

test("the end of a trick that is not open is an error", () => {
  assert.throws(() => dealOf("no_tricks", "7S").deal.onTrickEnd(1), /deal 1: .* no trick is open/);
});

test("the declarer learns by the request for a gift that the talon is in the hand", () => {
  const table = openTable("classic", { pack: "32", redemption: "talon" });
  table.onCards(cardsIn("7S"));
  table.deal.talon = cardsIn("AH AD");
  table.onRequest([{ kind: "give", card: card("7S"), to: 1 }]);
  assert.equal(String(table.deal.hand), "7S AH AD");
  table.deal.onGift({ seat: 0, to: 1, card: card("7S") });
  assert.equal(String(table.deal.hand), "AH AD");
  assert.equal(String(table.deal.knownCards[1]), "7S");
});

test("contracts count what the rules say, and an unknown one is an error", () => {
  const table = openTable("classic", { seats: "3", last: "two" }, 3);
  assert.equal(table.scoringOf("no_king").worth(card("KH")), -140);
  assert.equal(table.scoringOf("no_jumble").worth(card("KH")), -20 - 30 - 140);
  assert.equal(table.scoringOf("jumble").trickPoints(17, []), 15 + 70);
  assert.ok(table.scoringOf("no_last").avoids && !table.scoringOf("trumps").avoids);
  assert.throws(() => table.scoringOf("bridge"), /classic has no contract bridge/);
});

test("packs follow the variant and its options", () => {
  assert.equal(openTable("russian-14").pack.size, 32);
  assert.equal(openTable("turkish-20[limits=free]").pack.size, 52);
  assert.equal(openTable("chooser-12", { seats: "3" }, 3).pack.size, 39);
  assert.equal(openTable("classic", { seats: "3" }, 3).pack.size, 51);
});
