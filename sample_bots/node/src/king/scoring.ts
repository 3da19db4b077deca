/**
 * The facts of the variants that the protocol does not send: the pack, and what a contract counts. What is legal is
 * none of its business: the referee's requests say that.
 */

import { type Card, CARDS, CardSet, card } from "./cards.js";

/** A match was begun in a variant of which the SDK knows neither pack nor prices. */
export class UnknownVariantError extends RangeError {
  constructor(baseId: string) {
    super(`this kit does not know the variant "${baseId}": add it to src/king/scoring.ts`);
  }
}

export type Options = Readonly<Record<string, string>>;

/** What one contract counts, in points for whoever takes it: below zero what a player avoids. */
export class Scoring {
  /** The points of each trick. */
  readonly eachTrick: number;
  /** The points of the cards that count. */
  readonly cardPoints: ReadonlyMap<Card, number>;
  /** The points of single tricks by number, from 1. */
  readonly tricks: ReadonlyMap<number, number>;
  /** Whether the contract is a penalty. */
  readonly avoids: boolean;

  constructor(parts: {
    eachTrick?: number;
    cardPoints?: ReadonlyMap<Card, number>;
    tricks?: ReadonlyMap<number, number>;
  }) {
    this.eachTrick = parts.eachTrick ?? 0;
    this.cardPoints = parts.cardPoints ?? new Map();
    this.tricks = parts.tricks ?? new Map();
    this.avoids = this.eachTrick + sum(this.cardPoints.values()) + sum(this.tricks.values()) < 0;
  }

  /** What a card scores for its taker. */
  worth(card: Card): number {
    return this.cardPoints.get(card) ?? 0;
  }

  /** The points of trick `number` when it holds these cards. */
  trickPoints(number: number, cards: Iterable<Card>): number {
    let points = this.eachTrick + (this.tricks.get(number) ?? 0);
    if (this.cardPoints.size > 0) for (const card of cards) points += this.worth(card);
    return points;
  }
}

const HEARTS = CardSet.suit("H");
const KING_OF_HEARTS = CardSet.of([card("KH")]);
const KINGS = ranked(13);
const QUEENS = ranked(12);
const JACKS = ranked(11);
const BOYS = KINGS.union(JACKS);

/** All cards of a variant, given its id without options, and its options; throws for an unknown variant. */
export function packOf(baseId: string, options: Options): CardSet {
  const short = CardSet.of(CARDS.filter((card) => card.rank >= 7));
  const isThree = options.seats === "3";
  switch (baseId) {
    case "chooser-12":
      return isThree ? CardSet.ALL.minus(CardSet.suit("D")) : CardSet.ALL;
    case "classic":
      if (options.pack === "32") return isThree ? short.without(card("7S")).without(card("7C")) : short;
      return isThree ? CardSet.ALL.without(card("2C")) : CardSet.ALL;
    case "turkish-20":
      return CardSet.ALL;
    case "russian-14":
    case "base-14":
    case "ordered-56":
    case "auction-11":
    case "trump-11":
      return short;
    default:
      throw new UnknownVariantError(baseId);
  }
}

/** What each contract of a variant counts, given its id without options, and its options; throws as `packOf`. */
export function scoringsOf(baseId: string, options: Options): ReadonlyMap<string, Scoring> {
  switch (baseId) {
    case "classic":
      return new Map(Object.entries(classic(options)));
    case "chooser-12":
      return new Map(Object.entries(chooser(options)));
    case "turkish-20":
      return new Map(Object.entries(turkish()));
    case "russian-14":
    case "base-14":
    case "ordered-56":
    case "auction-11":
    case "trump-11":
      return new Map(Object.entries(russian(options)));
    default:
      throw new UnknownVariantError(baseId);
  }
}

function russian(options: Options): Record<string, Scoring> {
  const found: Record<string, Scoring> = { trumps: new Scoring({ eachTrick: 6 }) };
  for (const sign of [-1, 1]) {
    const boys = options.boys === "kings_and_jacks" ? each(BOYS, 2 * sign) : each(KINGS, 4 * sign);
    const parts: Record<string, Scoring> = {
      tricks: new Scoring({ eachTrick: 2 * sign }),
      boys: new Scoring({ cardPoints: boys }),
      girls: new Scoring({ cardPoints: each(QUEENS, 4 * sign) }),
      hearts: new Scoring({ cardPoints: each(HEARTS, 2 * sign) }),
      king: new Scoring({ cardPoints: each(KING_OF_HEARTS, 16 * sign) }),
      last_two: new Scoring({ tricks: numbered([7, 8 * sign], [8, 8 * sign]) }),
    };
    parts.jumble = jumble(Object.values(parts));
    for (const [contract, scoring] of Object.entries(parts)) {
      found[sign < 0 ? `no_${contract}` : contract] = scoring;
    }
  }
  return found;
}

function classic(options: Options): Record<string, Scoring> {
  const isThree = options.seats === "3";
  const last = Math.floor(packOf("classic", options).size / (isThree ? 3 : 4));
  const prices = isThree ? { trick: 15, boy: 30, king: 140 } : { trick: 20, boy: 40, king: 150 };
  const half = prices.king / 2;
  const parts: Record<string, Scoring> = {
    no_tricks: new Scoring({ eachTrick: -prices.trick }),
    no_hearts: new Scoring({ cardPoints: each(HEARTS, -20) }),
    no_girls: new Scoring({ cardPoints: each(QUEENS, -60) }),
    no_boys: new Scoring({ cardPoints: each(BOYS, -prices.boy) }),
    no_king: new Scoring({ cardPoints: each(KING_OF_HEARTS, -prices.king) }),
    no_last: new Scoring({
      tricks:
        options.last === "two" ? numbered([last - 1, -half], [last, -half]) : numbered([last, -prices.king]),
    }),
  };
  const all = jumble(Object.values(parts));
  return {
    ...parts,
    no_jumble: all,
    jumble: negated(all),
    trumps: new Scoring({ eachTrick: options.redemption === "praise" ? 30 : 25 }),
  };
}

function chooser(options: Options): Record<string, Scoring> {
  const last = Number(options.last_points ?? "8");
  return {
    no_tricks: new Scoring({ eachTrick: -2 }),
    no_hearts: new Scoring({ cardPoints: each(HEARTS, -2) }),
    no_girls: new Scoring({ cardPoints: each(QUEENS, -4) }),
    no_jacks: new Scoring({ cardPoints: each(JACKS, -2) }),
    no_king: new Scoring({ cardPoints: each(KING_OF_HEARTS, -16) }),
    no_last: new Scoring({ tricks: numbered([13, -last]) }),
    no_7th_13th: new Scoring({ tricks: numbered([7, -8], [13, -8]) }),
    tricks: new Scoring({ eachTrick: 2 }),
    hearts: new Scoring({ cardPoints: each(HEARTS, 2) }),
    girls: new Scoring({ cardPoints: each(QUEENS, 4) }),
    king: new Scoring({ cardPoints: each(KING_OF_HEARTS, 16) }),
    last: new Scoring({ tricks: numbered([13, last]) }),
  };
}

function turkish(): Record<string, Scoring> {
  return {
    no_tricks: new Scoring({ eachTrick: -50 }),
    no_hearts: new Scoring({ cardPoints: each(HEARTS, -30) }),
    no_boys: new Scoring({ cardPoints: each(BOYS, -60) }),
    no_girls: new Scoring({ cardPoints: each(QUEENS, -100) }),
    no_king: new Scoring({ cardPoints: each(KING_OF_HEARTS, -320) }),
    no_last_two: new Scoring({ tricks: numbered([12, -180], [13, -180]) }),
    trumps: new Scoring({ eachTrick: 50 }),
  };
}

function ranked(rank: number): CardSet {
  return CardSet.of(CARDS.filter((card) => card.rank === rank));
}

function each(cards: CardSet, worth: number): Map<Card, number> {
  return new Map(Array.from(cards, (card) => [card, worth]));
}

function numbered(...tricks: [number: number, worth: number][]): Map<number, number> {
  return new Map(tricks);
}

/** Several contracts played as one. */
function jumble(parts: readonly Scoring[]): Scoring {
  return new Scoring({
    eachTrick: sum(parts.map((part) => part.eachTrick)),
    cardPoints: added(parts.map((part) => part.cardPoints)),
    tricks: added(parts.map((part) => part.tricks)),
  });
}

function negated(scoring: Scoring): Scoring {
  return new Scoring({
    eachTrick: -scoring.eachTrick,
    cardPoints: new Map(Array.from(scoring.cardPoints, ([card, worth]) => [card, -worth])),
    tricks: new Map(Array.from(scoring.tricks, ([number, worth]) => [number, -worth])),
  });
}

function added<K>(maps: readonly ReadonlyMap<K, number>[]): Map<K, number> {
  const total = new Map<K, number>();
  for (const map of maps) {
    for (const [key, worth] of map) total.set(key, (total.get(key) ?? 0) + worth);
  }
  return total;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
