/**
 * Decisions that are not card play: choose, order, bid, name a trump, offer or keep, give. One function for each
 * situation, all resting on the estimates of a hand; every one answers with a legal action, whatever the variant.
 */

import { type Action, type Bid, type Give, ofKind, type Order } from "./actions.js";
import { type Card, CardSet, SUITS } from "./cards.js";
import { bestTrump, chanceToWin, edge, expectedTricks, packTotal } from "./estimates.js";
import { leastBy, mostBy } from "./order.js";
import type { Table } from "./table.js";

/** An order is worth it from this share of the contract's total. */
const ORDER_EDGE = 0.06;
/** Tricks by which our own game must beat the price that others may pay. */
const SELF_RELIANCE = 0.5;

/** Takes any decision but the play of a card. */
export function decide(table: Table, actions: readonly Action[]): Action {
  const choices = ofKind(actions, "choose");
  if (choices.length > 0) {
    return mostBy(choices, ({ contract, trump }) => edge(table, table.deal.hand, contract, trump));
  }
  const orders = ofKind(actions, "order");
  if (orders.length > 0) return order(table, orders, ofKind(actions, "pass")[0]);
  const bids = ofKind(actions, "bid");
  if (bids.length > 0) return bid(table, bids, ofKind(actions, "pass")[0]);
  const offer = ofKind(actions, "offer")[0];
  if (offer) return keeps(table) ? (ofKind(actions, "keep")[0] ?? offer) : offer;
  const gifts = ofKind(actions, "give");
  if (gifts.length > 0) return give(table, gifts);
  return mostBy(actions, (action) => tricksOf(table, table.deal.hand, action));
}

/** Orders the contract that suits us best, or passes if none does and passing is allowed. */
function order(table: Table, orders: readonly Order[], pass: Action | undefined): Action {
  const gain = ({ contract }: Order): number =>
    edge(table, table.deal.hand, contract) / Math.abs(packTotal(table, table.scoringOf(contract)));
  const best = mostBy(orders, gain);
  return pass && gain(best) < ORDER_EDGE ? pass : best;
}

/** Bids as little as will do, while the game is worth its price to us. */
function bid(table: Table, bids: readonly Bid[], pass: Action | undefined): Action {
  const lowest = leastBy(bids, ({ tricks }) => tricks);
  return pass && lowest.tricks > highestPrice(table) ? pass : lowest;
}

/** The most tricks worth bidding: what our own game makes beyond what somebody else's would leave us. */
function highestPrice(table: Table): number {
  const own = bestTrump(table, withTalon(table, table.deal.hand)).tricks;
  const share = table.handSize / table.seats;
  // Outside of `classic` the bid is lost to all, so the rest must beat a defender's share.
  return table.baseId === "classic" ? own - share - SELF_RELIANCE : own - share;
}

/** The hand after taking the talon and giving away as many of the worst cards. */
function withTalon(table: Table, hand: CardSet): CardSet {
  const { talon, talonTaker } = table.deal;
  if (talon.length === 0 || talonTaker !== null) return hand;
  let held = hand.union(CardSet.of(talon));
  for (let seat = 1; seat < table.seats; seat += 1) held = held.without(worst(table, held));
  return held;
}

/** Whether to keep the game: a poor one is better sold, for somebody pays for it. */
function keeps(table: Table): boolean {
  return namedTricks(table) - table.handSize / table.seats > SELF_RELIANCE;
}

/** The tricks expected in the game that we have just named, or would name. */
function namedTricks(table: Table): number {
  const hand = withTalon(table, table.deal.hand);
  const named = table.deal.said.findLast(({ seat, action }) => seat === table.seat && isGame(action));
  return named ? tricksOf(table, hand, named.action) : bestTrump(table, hand).tricks;
}

function isGame({ kind }: Action): boolean {
  return kind === "name_trump" || kind === "by_last" || kind === "misere" || kind === "two_tricks_each";
}

/** The tricks that a game makes. Two tricks each is what remains when none makes a fair share. */
function tricksOf(table: Table, hand: CardSet, game: Action): number {
  switch (game.kind) {
    case "name_trump":
      return expectedTricks(table, hand, { trump: game.trump });
    case "by_last":
      return tricksByLast(table, hand);
    case "misere":
      return expectedTricks(table, hand, { isMisere: true });
    case "two_tricks_each":
      return table.handSize / table.seats; // what everybody gets: no more than an average game
    default:
      throw new RangeError(`${game.kind} names no game`);
  }
}

/** The card that decides is not dealt yet: each suit is about as likely, and one more card of it is ours. */
function tricksByLast(table: Table, hand: CardSet): number {
  const suits = SUITS.filter((suit) => !table.pack.ofSuit(suit).isEmpty);
  let total = 0;
  for (const trump of suits) total += expectedTricks(table, hand, { trump });
  return total / suits.length + 0.25;
}

/** Gives the worst card of the hand, trumps last. */
function give(table: Table, gifts: readonly Give[]): Action {
  const card = worst(table, CardSet.of(gifts.map((gift) => gift.card)));
  return gifts.find((gift) => gift.card === card)!;
}

/** The card that we miss least: a small one of a short side suit. */
function worst(table: Table, hand: CardSet): Card {
  const trump = bestTrump(table, hand).suit;
  return leastBy(
    hand,
    (card) => (card.suit === trump ? 1 : 0),
    (card) => chanceToWin(table, card, hand) + 0.02 * hand.ofSuit(card.suit).size + 0.002 * card.rank,
  );
}
