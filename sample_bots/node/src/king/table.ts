/** One match, as one seat sees it: everything that the seat may know, and nothing else. */

import type { Action } from "./actions.js";
import { type Card, CardSet } from "./cards.js";
import { type Contract, Deal, type Played } from "./deal.js";
import { type Options, packOf, type Scoring, scoringsOf } from "./scoring.js";

/** The clock of a process, in milliseconds: until ready, added for each request, and at most in the bank. */
export type TimeControl = Readonly<{ startMs: number; incrementMs: number; bankMs: number }>;

/** A seat that was taken from its bot: what it did, and the deal and action at which the stand-in took over. */
export type Forfeit = Readonly<{ seat: number; kind: string; deal: number; action: number }>;

/** What is remembered of a deal that is over; points by seat. */
export type FinishedDeal = Readonly<{ number: number; contract: Contract | null; points: readonly number[] }>;

/** How a match begins. */
export type Opening = Readonly<{
  /** The referee's number for this table on our stream. */
  number: number;
  matchId: string;
  /** In a season, the SHA-256 of the board's secret, 64 hex digits. */
  dealCommitment: string;
  /** With its options, such as "turkish-20[limits=free]". */
  variant: string;
  /** Every option, resolved, as text. */
  options: Options;
  seats: number;
  seat: number;
  timeControl: TimeControl;
}>;

/** How a match ends; lists by seat. */
export type Ending = Readonly<{
  totals: readonly number[];
  places: readonly number[];
  forfeits: readonly Forfeit[];
  /** Why the match ended without a result; empty otherwise. */
  aborted: string;
}>;

export class Table {
  readonly number: number;
  readonly variant: string;
  /** The variant without its options. */
  readonly baseId: string;
  readonly options: Options;
  readonly seats: number;
  /** Our own seat. */
  readonly seat: number;
  /** All cards of the variant. */
  readonly pack: CardSet;
  /** The deal in progress, or the last one. */
  deal: Deal;
  readonly finished: FinishedDeal[] = [];
  totals: readonly number[];
  /** How the match ended; null until then. */
  ending: Ending | null = null;

  private readonly scorings: ReadonlyMap<string, Scoring>;

  /** Throws an `UnknownVariantError` if the SDK does not have the variant. */
  constructor(readonly opening: Opening) {
    this.number = opening.number;
    this.variant = opening.variant;
    this.baseId = opening.variant.split("[", 1)[0]!;
    this.options = opening.options;
    this.seats = opening.seats;
    this.seat = opening.seat;
    this.pack = packOf(this.baseId, this.options);
    this.scorings = scoringsOf(this.baseId, this.options);
    this.deal = new Deal(0, null, null, this);
    this.totals = Array<number>(this.seats).fill(0);
  }

  /** The other seats, in playing order from ours. */
  get opponents(): number[] {
    return Array.from({ length: this.seats - 1 }, (_, step) => (this.seat + step + 1) % this.seats);
  }

  /** The number of tricks of a deal. */
  get handSize(): number {
    return Math.floor(this.pack.size / this.seats);
  }

  /** The play that takes the open trick as it lies; null when we lead. */
  get winner(): Played | null {
    const { trick, trump, isMisere } = this.deal;
    return trick && trick.winner(trump, isMisere);
  }

  /** Whether a card, played now, would take the open trick as it lies; a card that is led does. */
  beats(card: Card): boolean {
    const { trick, trump, isMisere } = this.deal;
    return !trick || trick.isBeatenBy(card, trump, isMisere);
  }

  /** What the contract in progress counts; throws before one is set. */
  get scoring(): Scoring {
    if (!this.deal.contract) throw new Error(`deal ${this.deal.number} has no contract yet`);
    return this.scoringOf(this.deal.contract.id);
  }

  /** What a contract of this variant counts. */
  scoringOf(contract: string): Scoring {
    const scoring = this.scorings.get(contract);
    if (!scoring) throw new RangeError(`${this.variant} has no contract ${contract}`);
    return scoring;
  }

  /** By seat, the points that the complete tricks of this deal are worth; payments for a price left out. */
  pointsSoFar(): number[] {
    const points = Array<number>(this.seats).fill(0);
    for (const trick of this.deal.tricks) {
      points[trick.taker!]! += this.scoring.trickPoints(trick.number, trick.cards);
    }
    return points;
  }

  onDealStart(number: number, dealer: number | null, chooser: number | null): void {
    this.deal = new Deal(number, dealer, chooser, this);
  }

  onCards(cards: readonly Card[]): void {
    this.deal.hand = this.deal.hand.union(CardSet.of(cards));
  }

  /** We are asked. A request for a gift is how the declarer learns that the talon is in the hand. */
  onRequest(actions: readonly Action[]): void {
    if (actions[0]?.kind === "give") this.deal.takeTalon(this.seat);
  }

  onDealEnd(points: readonly number[], totals: readonly number[]): void {
    this.totals = totals;
    this.finished.push({ number: this.deal.number, contract: this.deal.contract, points });
  }

  onTableEnd(ending: Ending): void {
    this.totals = ending.totals;
    this.ending = ending;
  }
}
