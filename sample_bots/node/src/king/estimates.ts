/**
 * What a hand is worth: quick estimates of the points that a contract would bring, from our own cards alone. Rough on
 * purpose: a searching bot does better. Additions go in pack order as in the other kits, so that all decide alike.
 */

import { type Card, CardSet, type Suit, SUITS } from "./cards.js";
import type { Scoring } from "./scoring.js";
import type { Table } from "./table.js";

/** The chance of the smallest trump of an average holding to make a trick. */
const TRUMP_FLOOR = 0.45;
/** Added to it for each trump above the average holding. */
const TRUMP_LENGTH = 0.12;
/** What a side suit's winners are worth against trumps. */
const RUFFED = 0.8;

export type Game = Readonly<{ trump?: Suit | null; isMisere?: boolean }>;

/** The chance that a card is the highest when every seat follows it; averages to a fair share over a suit. */
export function chanceToWin(
  table: Table,
  card: Card,
  hand: CardSet,
  { isMisere = false }: Game = {},
): number {
  const others = table.pack.ofSuit(card.suit).minus(hand);
  if (others.isEmpty) return 1;
  let lower = 0;
  for (const other of others) {
    if (isMisere ? other.rank >= card.rank : other.rank < card.rank) lower += 1;
  }
  const share = lower / others.size;
  // Multiplied, as Math.pow may differ from other languages' in the last bit.
  let chance = 1;
  for (let seat = 1; seat < table.seats; seat += 1) chance *= share;
  return chance;
}

/** The tricks that a hand makes; cards of it that are not dealt yet count as a fair share each. */
export function expectedTricks(table: Table, hand: CardSet, game: Game = {}): number {
  const trump = game.trump ?? null;
  const size = hand.size;
  const surplus = (trump ? hand.ofSuit(trump).size : 0) - size / 4;
  let tricks = 0;
  for (const card of hand) {
    const chance = chanceToWin(table, card, hand, game);
    if (!trump) tricks += chance;
    else if (card.suit === trump)
      tricks += Math.min(1, Math.max(chance, TRUMP_FLOOR + TRUMP_LENGTH * surplus));
    else tricks += chance * RUFFED;
  }
  return tricks + Math.max(0, table.handSize - size) / table.seats;
}

/** The points that a contract brings with this hand. */
export function expectedPoints(
  table: Table,
  hand: CardSet,
  contract: string,
  trump: Suit | null = null,
): number {
  const scoring = table.scoringOf(contract);
  const tricks = expectedTricks(table, hand, { trump });
  const share = tricks / table.handSize;
  let points = scoring.eachTrick * tricks + sum(scoring.tricks.values()) * share;
  for (const card of table.pack) {
    const worth = scoring.worth(card);
    if (worth !== 0) points += worth * chanceToTake(table, card, hand, share);
  }
  return points;
}

/** The chance that the trick with a card is ours: our own low ones leave us, those under our high ones come. */
function chanceToTake(table: Table, card: Card, hand: CardSet, share: number): number {
  const suit = hand.ofSuit(card.suit);
  const length = suit.size;
  if (hand.has(card)) {
    return Math.min(1, 0.15 + 0.6 * chanceToWin(table, card, hand) + (length <= 2 ? 0.1 : 0));
  }
  const above = [...suit].filter((held) => held.rank > card.rank).length;
  return 0.5 * share + 0.5 * (length > 0 ? above / length : 0) * 0.6;
}

/** How much better than an average hand this one is in a contract, in points. */
export function edge(table: Table, hand: CardSet, contract: string, trump: Suit | null = null): number {
  return (
    expectedPoints(table, hand, contract, trump) - packTotal(table, table.scoringOf(contract)) / table.seats
  );
}

/** The points of a contract that all seats share. */
export function packTotal(table: Table, scoring: Scoring): number {
  let cards = 0;
  for (const card of table.pack) cards += scoring.worth(card);
  return scoring.eachTrick * table.handSize + cards + sum(scoring.tricks.values());
}

/** The suit that makes most tricks as trump, and those tricks. */
export function bestTrump(table: Table, hand: CardSet): { suit: Suit; tricks: number } {
  const games = SUITS.map((suit) => ({ suit, tricks: expectedTricks(table, hand, { trump: suit }) }));
  return games.reduce((best, game) => (game.tricks > best.tricks ? game : best));
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
