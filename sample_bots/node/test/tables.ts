/** Tables for tests. */

import { type Card, CardSet, card, Table } from "../src/king/index.js";

/** A match that has just begun, seen from seat 0. */
export function openTable(variant: string, options: Record<string, string> = {}, seats = 4): Table {
  return new Table({
    number: 1,
    matchId: "test",
    dealCommitment: "",
    variant,
    options,
    seats,
    seat: 0,
    timeControl: { startMs: 0, incrementMs: 0, bankMs: 0 },
  });
}

/** A deal of `russian-14` in which a contract is played. */
export function dealOf(contract: string, hand: string): Table {
  const table = openTable("russian-14");
  table.onDealStart(1, 3, null);
  table.onCards(cardsIn(hand));
  table.deal.contract = { id: contract, declarer: null, trump: null, isMisere: false, price: null };
  return table;
}

export function cardsIn(text: string): Card[] {
  return text.split(" ").map(card);
}

export function setOf(text: string): CardSet {
  return CardSet.of(cardsIn(text));
}
