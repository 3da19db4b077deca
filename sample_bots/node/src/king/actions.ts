/** What a seat can do. The words are those of match records. */

import type { Card, Suit } from "./cards.js";

export type Play = Readonly<{ kind: "play"; card: Card }>;
export type Choose = Readonly<{ kind: "choose"; contract: string; trump: Suit | null }>;
export type Order = Readonly<{ kind: "order"; contract: string }>;
export type Pass = Readonly<{ kind: "pass" }>;
export type Bid = Readonly<{ kind: "bid"; tricks: number }>;
export type NameTrump = Readonly<{ kind: "name_trump"; trump: Suit }>;
/** Lets the last card of eldest decide the trump. */
export type ByLast = Readonly<{ kind: "by_last" }>;
/** Plays without trump, the ranks upside down. */
export type Misere = Readonly<{ kind: "misere" }>;
/** Writes two tricks to everybody and does not play. */
export type TwoTricksEach = Readonly<{ kind: "two_tricks_each" }>;
export type Offer = Readonly<{ kind: "offer" }>;
export type Keep = Readonly<{ kind: "keep" }>;
/** Gives a card to the seat `to`. */
export type Give = Readonly<{ kind: "give"; card: Card; to: number }>;

export type Action =
  Play | Choose | Order | Pass | Bid | NameTrump | ByLast | Misere | TwoTricksEach | Offer | Keep | Give;

export type ActionKind = Action["kind"];

/** How an action came about: chosen, the only legal one, or taken by the referee's stand-in. */
export type ActionBy = "bot" | "forced" | "stand_in";

/** The actions of one kind, in their order. */
export function ofKind<K extends ActionKind>(
  actions: readonly Action[],
  kind: K,
): Extract<Action, { kind: K }>[] {
  return actions.filter((action): action is Extract<Action, { kind: K }> => action.kind === kind);
}
