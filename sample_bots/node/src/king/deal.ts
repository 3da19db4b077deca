/** One deal, as one seat sees it. Owns what is remembered of it; what it is worth is `scoring.ts`. */

import type { Action, ActionBy } from "./actions.js";
import { type Card, CardSet, type Suit } from "./cards.js";
import { mostBy } from "./order.js";

/** A card on the table, and who played it. */
export type Played = Readonly<{ seat: number; card: Card }>;

/** An action other than playing or giving a card: who took it, and how it came about. */
export type Said = Readonly<{ seat: number; action: Action; by: ActionBy }>;

/** A card given by the declarer of a talon deal; `card` is null where it is not ours to know. */
export type Gift = Readonly<{ seat: number; to: number; card: Card | null }>;

/** What is played for in a deal. */
export type Contract = Readonly<{
  id: string;
  declarer: number | null;
  trump: Suit | null;
  isMisere: boolean;
  /** The tricks bid or paid. */
  price: number | null;
}>;

/** Lifts trumps over every other suit. */
const ABOVE_ALL = 20;

/** One trick, open or complete. */
export class Trick {
  readonly plays: Played[] = [];
  /** The seat that took it; null while it is open. */
  taker: number | null = null;

  constructor(
    /** From 1. */
    readonly number: number,
    /** The suit that was led. */
    readonly led: Suit,
  ) {}

  get cards(): CardSet {
    return CardSet.of(this.plays.map((played) => played.card));
  }

  /** The seat that led. */
  get leader(): number {
    return this.plays[0]!.seat;
  }

  /** The play that takes the trick as it lies: its highest trump, or else its highest of the suit led. */
  winner(trump: Suit | null, isMisere: boolean): Played {
    return mostBy(this.plays, ({ card }) => this.power(card, trump, isMisere));
  }

  /** Whether a card would take the trick as it lies. */
  isBeatenBy(card: Card, trump: Suit | null, isMisere: boolean): boolean {
    const best = this.winner(trump, isMisere).card;
    return this.power(card, trump, isMisere) > this.power(best, trump, isMisere);
  }

  /** A card's strength here: below zero if it cannot win. At misère the ranks are upside down. */
  private power(card: Card, trump: Suit | null, isMisere: boolean): number {
    const rank = isMisere ? 16 - card.rank : card.rank;
    if (card.suit === trump) return rank + ABOVE_ALL;
    return card.suit === this.led ? rank : -1;
  }
}

/** A deal in progress. Lists are by seat; null stands for what there is not, or not yet. */
export class Deal {
  hand = CardSet.EMPTY;
  contract: Contract | null = null;
  /** Choices, orders, bids, passes and the like, in order. */
  readonly said: Said[] = [];
  talon: readonly Card[] = [];
  talonTaker: number | null = null;
  readonly gifts: Gift[] = [];
  /** A card shown to all; it stays in that seat's hand until played. */
  exposed: Played | null = null;
  /** The open trick; null before a lead. */
  trick: Trick | null = null;
  /** The complete tricks. */
  readonly tricks: Trick[] = [];
  readonly tricksTaken: number[];
  readonly cardsTaken: CardSet[];
  readonly playedBy: CardSet[];
  /** Suits that a seat showed not to have. */
  readonly voids: Set<Suit>[];
  /** Cards in other hands that we know of: gifts of ours, the exposed card. */
  readonly knownCards: CardSet[];
  /** Every card played, the open trick's too. */
  fallen = CardSet.EMPTY;

  constructor(
    /** From 1. */
    readonly number: number,
    readonly dealer: number | null,
    readonly chooser: number | null,
    private readonly table: Readonly<{ seat: number; seats: number; pack: CardSet }>,
  ) {
    const bySeat = <T>(value: () => T): T[] => Array.from({ length: table.seats }, value);
    this.tricksTaken = bySeat(() => 0);
    this.cardsTaken = bySeat(() => CardSet.EMPTY);
    this.playedBy = bySeat(() => CardSet.EMPTY);
    this.voids = bySeat(() => new Set());
    this.knownCards = bySeat(() => CardSet.EMPTY);
  }

  /** The seat after the dealer. */
  get eldest(): number | null {
    return this.dealer === null ? null : (this.dealer + 1) % this.table.seats;
  }

  get trump(): Suit | null {
    return this.contract?.trump ?? null;
  }

  /** Whether the ranks are upside down. */
  get isMisere(): boolean {
    return this.contract?.isMisere ?? false;
  }

  /** The cards that are in other hands (or not dealt yet), for all we know. */
  get unseen(): CardSet {
    return this.table.pack.minus(this.hand).minus(this.fallen);
  }

  /** The number of the trick that is open or about to be led, from 1. */
  get trickNumber(): number {
    return this.tricks.length + 1;
  }

  onAction(seat: number, action: Action, by: ActionBy): void {
    if (action.kind === "play") this.onPlay(seat, action.card);
    else this.said.push({ seat, action, by });
  }

  private onPlay(seat: number, card: Card): void {
    this.trick ??= new Trick(this.trickNumber, card.suit);
    if (card.suit !== this.trick.led) this.voids[seat]!.add(this.trick.led);
    this.trick.plays.push({ seat, card });
    this.fallen = this.fallen.with(card);
    this.playedBy[seat] = this.playedBy[seat]!.with(card);
    this.knownCards[seat] = this.knownCards[seat]!.without(card);
    if (seat === this.table.seat) this.hand = this.hand.without(card);
  }

  onGift(gift: Gift): void {
    const { seat, to, card } = gift;
    this.takeTalon(seat);
    this.gifts.push(gift);
    if (card === null) return;
    if (seat === this.table.seat) {
      this.hand = this.hand.without(card);
      this.knownCards[to] = this.knownCards[to]!.with(card);
    } else {
      this.hand = this.hand.with(card);
    }
  }

  /** The declarer takes the talon: known by the first gift, or by our being asked for one. */
  takeTalon(seat: number): void {
    if (this.talonTaker !== null) return;
    this.talonTaker = seat;
    if (seat === this.table.seat) this.hand = this.hand.union(CardSet.of(this.talon));
  }

  onExposed(seat: number, card: Card): void {
    this.exposed = { seat, card };
    if (seat !== this.table.seat) this.knownCards[seat] = this.knownCards[seat]!.with(card);
  }

  onTrickEnd(taker: number): void {
    if (!this.trick) {
      throw new Error(`deal ${this.number}: the end of a trick was told, but no trick is open`);
    }
    this.trick.taker = taker;
    this.tricks.push(this.trick);
    this.tricksTaken[taker]! += 1;
    this.cardsTaken[taker] = this.cardsTaken[taker]!.union(this.trick.cards);
    this.trick = null;
  }
}
