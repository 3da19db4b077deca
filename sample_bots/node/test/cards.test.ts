import assert from "node:assert/strict";
import { test } from "node:test";
import { CARDS, CardSet, card } from "../src/king/index.js";

const cards = (text: string): CardSet => CardSet.of(text.split(" ").map(card));

test("cards are numbered in pack order", () => {
  assert.equal(card("2S").number, 0);
  assert.equal(card("KH").number, 24);
  assert.equal(card("AC").number, 51);
  assert.deepEqual(
    CARDS.map(({ number }) => number),
    Array.from({ length: 52 }, (_, number) => number),
  );
});

test("what is no card is refused with what would be right", () => {
  assert.throws(() => card("10H"), /"10H" is not a card: .* such as KH/);
});

test("sets hold cards of all suits and list them in pack order", () => {
  const hand = cards("AC 2S KH AH 2D");
  assert.equal(String(hand), "2S KH AH 2D AC");
  assert.equal(hand.size, 5);
  assert.ok(hand.has(card("2D")) && !hand.has(card("2C")));
  assert.equal(String(hand.ofSuit("H")), "KH AH");
});

test("sets are added and taken apart without changing", () => {
  const hand = cards("7S KH");
  assert.equal(String(hand.with(card("AC")).without(card("7S"))), "KH AC");
  assert.equal(String(hand), "7S KH");
  assert.ok(CardSet.ALL.minus(CardSet.ALL.minus(hand)).equals(hand));
  assert.equal(CardSet.of(CARDS).size, 52);
});
