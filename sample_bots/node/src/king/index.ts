/** The SDK for King Arena bots: derive from `Bot`, write `choose`, call `run`. */

export * from "./actions.js";
export { Bot, Clock } from "./bot.js";
export { decide } from "./calls.js";
export { Card, CardSet, CARDS, card, RANKS, type Suit, SUITS } from "./cards.js";
export * from "./deal.js";
export * from "./estimates.js";
export { type Key, leastBy, mostBy } from "./order.js";
export { run } from "./run.js";
export { type Options, Scoring } from "./scoring.js";
export {
  type Ending,
  type FinishedDeal,
  type Forfeit,
  type Opening,
  Table,
  type TimeControl,
} from "./table.js";
