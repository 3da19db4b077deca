/**
 * The play of a card by simple rules: what we want of this trick, from our hand and the cards on the table. Where
 * points are to be avoided it ducks, throws what is dangerous and leads low; where they are wanted it does the
 * opposite. It remembers nothing of earlier tricks.
 */

import { type Card, leastBy, mostBy, type Suit, type Table, type Trick } from "./king/index.js";

/** Lifts trumps over every other suit. */
const ABOVE_ALL = 20;

/** Picks the card to play among the legal ones. */
export function pickCard(table: Table, cards: readonly Card[]): Card {
  const { trick } = table.deal;
  const { avoids } = table.scoring;
  if (isIdle(table)) return avoids ? strongest(table, cards) : weakest(table, cards);
  if (!trick) return avoids ? leadToAvoid(table, cards) : leadToTake(table, cards);
  return follow(table, trick, cards);
}

/** Whether only later tricks score: the time to be rid of what will hurt then, or to save what will win. */
function isIdle(table: Table): boolean {
  const { eachTrick, cardPoints, tricks } = table.scoring;
  const lateOnly = eachTrick === 0 && cardPoints.size === 0;
  return lateOnly && table.deal.trickNumber < Math.min(...tricks.keys());
}

/** The card's strength in a trick: below zero if it cannot win, trumps above all. */
function power({ deal }: Table, card: Card, led: Suit): number {
  const rank = deal.isMisere ? 16 - card.rank : card.rank;
  if (card.suit === deal.trump) return rank + ABOVE_ALL;
  return card.suit === led ? rank : -1;
}

/** The card's strength if it were led. */
function ownPower(table: Table, card: Card): number {
  return power(table, card, card.suit);
}

function strongest(table: Table, cards: readonly Card[]): Card {
  return mostBy(cards, (card) => ownPower(table, card));
}

function weakest(table: Table, cards: readonly Card[]): Card {
  return leastBy(cards, (card) => ownPower(table, card));
}

/** Leads low, and nothing that scores. */
function leadToAvoid(table: Table, cards: readonly Card[]): Card {
  return leastBy(
    cards,
    (card) => Number(table.scoring.worth(card) < 0),
    (card) => card.rank,
  );
}

/** Leads the strongest card, a side suit's before a trump as high. */
function leadToTake(table: Table, cards: readonly Card[]): Card {
  return mostBy(
    cards,
    (card) => ownPower(table, card) % ABOVE_ALL,
    (card) => Number(card.suit !== table.deal.trump),
  );
}

/** A follower's choice: the cards that would take the trick as it lies, those that would not, and what is in it. */
type Standing = Readonly<{ winning: Card[]; losing: Card[]; isLast: boolean; points: number; led: Suit }>;

function follow(table: Table, trick: Trick, cards: readonly Card[]): Card {
  const { led, plays } = trick;
  const best = Math.max(...plays.map((played) => power(table, played.card, led)));
  const standing = {
    winning: cards.filter((card) => power(table, card, led) > best),
    losing: cards.filter((card) => power(table, card, led) < best),
    isLast: plays.length === table.seats - 1,
    points: table.scoring.trickPoints(trick.number, trick.cards),
    led,
  };
  return table.scoring.avoids ? followToAvoid(table, standing) : followToTake(table, standing);
}

/** Stays below with what is most dangerous; if that fails, takes with as little harm as can be. */
function followToAvoid({ scoring }: Table, { winning, losing, isLast, points }: Standing): Card {
  const free = winning.filter((card) => scoring.worth(card) === 0);
  const worth = (card: Card): number => scoring.worth(card);
  const rank = (card: Card): number => card.rank;
  if (isLast && points === 0 && free.length > 0) return mostBy(free, rank);
  if (losing.length > 0) return leastBy(losing, worth, (card) => -card.rank);
  if (isLast) return mostBy(winning, worth, rank);
  return leastBy(winning, (card) => Number(scoring.worth(card) < 0), rank);
}

/** Takes what is worth taking, the last seat as cheaply as it can; otherwise throws the least. */
function followToTake(table: Table, { winning, losing, isLast, points, led }: Standing): Card {
  const { scoring, deal } = table;
  const isWorthless = isLast && losing.length > 0 && points === 0;
  if (winning.length > 0 && !isWorthless) {
    const strength = (card: Card): number => power(table, card, led);
    const isCheap = isLast || winning.every((card) => card.suit === deal.trump);
    return isCheap ? leastBy(winning, (card) => -scoring.worth(card), strength) : mostBy(winning, strength);
  }
  return leastBy(
    losing.length > 0 ? losing : winning,
    (card) => scoring.worth(card),
    (card) => Number(card.suit === deal.trump),
    (card) => ownPower(table, card),
  );
}
