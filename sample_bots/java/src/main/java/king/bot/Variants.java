package king.bot;

import static java.util.Map.entry;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The facts of the variants that the protocol does not send: the pack, and what a contract counts.
 * What is legal is none of its business: the referee's requests say that.
 */
final class Variants {
  private static final CardSet HEARTS = CardSet.of(Suit.HEARTS);
  private static final CardSet KING_OF_HEARTS = CardSet.of(List.of(Card.of("KH")));
  private static final CardSet KINGS = CardSet.where(card -> card.rank() == 13);
  private static final CardSet QUEENS = CardSet.where(card -> card.rank() == 12);
  private static final CardSet JACKS = CardSet.where(card -> card.rank() == 11);
  private static final CardSet BOYS = KINGS.union(JACKS);
  private static final CardSet SHORT = CardSet.where(card -> card.rank() >= 7);

  private Variants() {}

  /**
   * All cards of a variant, given its id without options, and its options.
   *
   * @throws UnknownVariantException if there is no such variant here
   */
  static CardSet packOf(String baseId, Map<String, String> options) {
    boolean isThree = isThree(options);
    return switch (baseId) {
      case "chooser-12" -> isThree ? CardSet.ALL.minus(CardSet.of(Suit.DIAMONDS)) : CardSet.ALL;
      case "turkish-20" -> CardSet.ALL;
      case "classic" -> {
        if ("32".equals(options.get("pack"))) {
          yield isThree ? SHORT.without(Card.of("7S")).without(Card.of("7C")) : SHORT;
        }
        yield isThree ? CardSet.ALL.without(Card.of("2C")) : CardSet.ALL;
      }
      case "russian-14", "base-14", "ordered-56", "auction-11", "trump-11" -> SHORT;
      default -> throw new UnknownVariantException(baseId);
    };
  }

  /**
   * What each contract of a variant counts, given its id without options, and its options.
   *
   * @throws UnknownVariantException if there is no such variant here
   */
  static Map<String, Scoring> scoringsOf(String baseId, Map<String, String> options) {
    return switch (baseId) {
      case "classic" -> classic(options);
      case "chooser-12" -> chooser(options);
      case "turkish-20" -> turkish();
      case "russian-14", "base-14", "ordered-56", "auction-11", "trump-11" -> russian(options);
      default -> throw new UnknownVariantException(baseId);
    };
  }

  private static boolean isThree(Map<String, String> options) {
    return "3".equals(options.get("seats"));
  }

  private static Map<String, Scoring> russian(Map<String, String> options) {
    Map<String, Scoring> found = new HashMap<>();
    found.put("trumps", each(6));
    boolean withJacks = "kings_and_jacks".equals(options.get("boys"));
    for (int sign : new int[] {-1, 1}) {
      Map<String, Scoring> parts = new HashMap<>();
      parts.put("tricks", each(2 * sign));
      parts.put("boys", withJacks ? each(BOYS, 2 * sign) : each(KINGS, 4 * sign));
      parts.put("girls", each(QUEENS, 4 * sign));
      parts.put("hearts", each(HEARTS, 2 * sign));
      parts.put("king", each(KING_OF_HEARTS, 16 * sign));
      parts.put("last_two", numbered(Map.of(7, 8 * sign, 8, 8 * sign)));
      parts.put("jumble", jumble(parts.values()));
      parts.forEach((contract, scoring) -> found.put((sign < 0 ? "no_" : "") + contract, scoring));
    }
    return found;
  }

  private static Map<String, Scoring> classic(Map<String, String> options) {
    boolean isThree = isThree(options);
    int last = packOf("classic", options).size() / (isThree ? 3 : 4);
    int king = isThree ? 140 : 150;
    boolean isShared = "two".equals(options.get("last"));
    Map<String, Scoring> found = new HashMap<>();
    found.put("no_tricks", each(isThree ? -15 : -20));
    found.put("no_hearts", each(HEARTS, -20));
    found.put("no_girls", each(QUEENS, -60));
    found.put("no_boys", each(BOYS, isThree ? -30 : -40));
    found.put("no_king", each(KING_OF_HEARTS, -king));
    found.put(
        "no_last",
        numbered(isShared ? Map.of(last - 1, -king / 2, last, -king / 2) : Map.of(last, -king)));
    Scoring jumble = jumble(found.values());
    found.put("no_jumble", jumble);
    found.put("jumble", negated(jumble));
    found.put("trumps", each("praise".equals(options.get("redemption")) ? 30 : 25));
    return found;
  }

  private static Map<String, Scoring> chooser(Map<String, String> options) {
    int last = Integer.parseInt(options.getOrDefault("last_points", "8"));
    return Map.ofEntries(
        entry("no_tricks", each(-2)),
        entry("no_hearts", each(HEARTS, -2)),
        entry("no_girls", each(QUEENS, -4)),
        entry("no_jacks", each(JACKS, -2)),
        entry("no_king", each(KING_OF_HEARTS, -16)),
        entry("no_last", numbered(Map.of(13, -last))),
        entry("no_7th_13th", numbered(Map.of(7, -8, 13, -8))),
        entry("tricks", each(2)),
        entry("hearts", each(HEARTS, 2)),
        entry("girls", each(QUEENS, 4)),
        entry("king", each(KING_OF_HEARTS, 16)),
        entry("last", numbered(Map.of(13, last))));
  }

  private static Map<String, Scoring> turkish() {
    return Map.of(
        "no_tricks", each(-50),
        "no_hearts", each(HEARTS, -30),
        "no_boys", each(BOYS, -60),
        "no_girls", each(QUEENS, -100),
        "no_king", each(KING_OF_HEARTS, -320),
        "no_last_two", numbered(Map.of(12, -180, 13, -180)),
        "trumps", each(50));
  }

  private static Scoring each(int trick) {
    return new Scoring(trick, Map.of(), Map.of());
  }

  private static Scoring each(CardSet cards, int worth) {
    Map<Card, Integer> points = new HashMap<>();
    cards.forEach(card -> points.put(card, worth));
    return new Scoring(0, points, Map.of());
  }

  private static Scoring numbered(Map<Integer, Integer> tricks) {
    return new Scoring(0, Map.of(), tricks);
  }

  /** Several contracts played as one. */
  private static Scoring jumble(Collection<Scoring> parts) {
    int eachTrick = parts.stream().mapToInt(Scoring::eachTrick).sum();
    return new Scoring(eachTrick, added(parts, Scoring::cardPoints), added(parts, Scoring::tricks));
  }

  private static <K> Map<K, Integer> added(
      Collection<Scoring> parts, Function<Scoring, Map<K, Integer>> points) {
    Map<K, Integer> total = new HashMap<>();
    for (Scoring part : parts) {
      points.apply(part).forEach((key, worth) -> total.merge(key, worth, Integer::sum));
    }
    return total;
  }

  private static Scoring negated(Scoring scoring) {
    return new Scoring(
        -scoring.eachTrick(), negated(scoring.cardPoints()), negated(scoring.tricks()));
  }

  private static <K> Map<K, Integer> negated(Map<K, Integer> points) {
    Map<K, Integer> negated = new HashMap<>();
    points.forEach((key, worth) -> negated.put(key, -worth));
    return negated;
  }
}
