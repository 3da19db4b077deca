/**
 * Cards and sets of cards. A card's number is `suit * 13 + rank`, suits in the order S H D C and ranks from 2 up to
 * the ace, which is also the order in which a pack is listed. Knows no rules.
 */

export type Suit = "S" | "H" | "D" | "C";

export const SUITS: readonly Suit[] = ["S", "H", "D", "C"];
export const RANKS = "23456789TJQKA";

const SUIT_SIZE = RANKS.length;

/** One of the 52 cards; there is one object for each, so they compare with `===`. */
export class Card {
  /** The card's text, such as "KH". */
  readonly text: string;

  /** Made once for each card, below; use `card("KH")`. */
  constructor(
    /** 0 to 51, in pack order. */
    readonly number: number,
    readonly suit: Suit,
    /** 2 to 10, jack 11, queen 12, king 13, ace 14. */
    readonly rank: number,
  ) {
    this.text = `${RANKS[rank - 2]}${suit}`;
  }

  toString(): string {
    return this.text;
  }
}

/** All cards, each at the place of its number. */
export const CARDS: readonly Card[] = SUITS.flatMap((suit, row) =>
  Array.from(RANKS, (_, place) => new Card(row * SUIT_SIZE + place, suit, place + 2)),
);

const BY_TEXT: ReadonlyMap<string, Card> = new Map(CARDS.map((card) => [card.text, card]));

/** The card that is written rank then suit, such as "KH". */
export function card(text: string): Card {
  const found = BY_TEXT.get(text);
  if (!found) {
    throw new RangeError(`"${text}" is not a card: write a rank of ${RANKS} and a suit of SHDC, such as KH`);
  }
  return found;
}

// JavaScript's bit operators work on 32 bits, so a set is two masks: spades and hearts, diamonds and clubs.
const HALF = 2 * SUIT_SIZE;

/** An immutable set of cards. It iterates in pack order. */
export class CardSet implements Iterable<Card> {
  static readonly EMPTY = new CardSet(0, 0);
  static readonly ALL = new CardSet(2 ** HALF - 1, 2 ** HALF - 1);

  private constructor(
    private readonly majors: number,
    private readonly minors: number,
  ) {}

  static of(cards: Iterable<Card>): CardSet {
    let set = CardSet.EMPTY;
    for (const card of cards) set = set.with(card);
    return set;
  }

  /** All cards of a suit. */
  static suit(suit: Suit): CardSet {
    return SUIT_SETS[suit];
  }

  get size(): number {
    return countBits(this.majors) + countBits(this.minors);
  }

  get isEmpty(): boolean {
    return this.majors === 0 && this.minors === 0;
  }

  has(card: Card): boolean {
    const { number } = card;
    return ((number < HALF ? this.majors >> number : this.minors >> (number - HALF)) & 1) === 1;
  }

  with(card: Card): CardSet {
    return this.union(SINGLES[card.number]!);
  }

  without(card: Card): CardSet {
    return this.minus(SINGLES[card.number]!);
  }

  union(other: CardSet): CardSet {
    return new CardSet(this.majors | other.majors, this.minors | other.minors);
  }

  intersection(other: CardSet): CardSet {
    return new CardSet(this.majors & other.majors, this.minors & other.minors);
  }

  minus(other: CardSet): CardSet {
    return new CardSet(this.majors & ~other.majors, this.minors & ~other.minors);
  }

  /** The cards of one suit. */
  ofSuit(suit: Suit): CardSet {
    return this.intersection(SUIT_SETS[suit]);
  }

  equals(other: CardSet): boolean {
    return this.majors === other.majors && this.minors === other.minors;
  }

  *[Symbol.iterator](): Generator<Card, void, undefined> {
    for (let left = this.majors; left !== 0; left &= left - 1) yield CARDS[lowestBit(left)]!;
    for (let left = this.minors; left !== 0; left &= left - 1) yield CARDS[lowestBit(left) + HALF]!;
  }

  toString(): string {
    return [...this].join(" ");
  }

  /** The set of one card. */
  static single(card: Card): CardSet {
    const { number } = card;
    return number < HALF ? new CardSet(1 << number, 0) : new CardSet(0, 1 << (number - HALF));
  }
}

const SINGLES: readonly CardSet[] = CARDS.map((card) => CardSet.single(card));

const SUIT_SETS: Readonly<Record<Suit, CardSet>> = {
  S: suitSet("S"),
  H: suitSet("H"),
  D: suitSet("D"),
  C: suitSet("C"),
};

function suitSet(suit: Suit): CardSet {
  return CardSet.of(CARDS.filter((card) => card.suit === suit));
}

function lowestBit(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

function countBits(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count += 1;
  return count;
}
