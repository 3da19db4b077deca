package king.bot;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One card.
 *
 * @param rank 2 to 10, jack 11, queen 12, king 13, ace 14
 */
public record Card(Suit suit, int rank) {
  private static final String RANKS = "23456789TJQKA";

  /** All cards in pack order, each at the place of its number. */
  public static final List<Card> ALL =
      IntStream.range(0, 52)
          .mapToObj(number -> new Card(Suit.values()[number / 13], number % 13 + 2))
          .toList();

  public Card {
    if (rank < 2 || rank > 14) {
      throw new IllegalArgumentException("a rank is 2 to 14, not " + rank);
    }
  }

  /** The card that is written rank then suit, such as "KH". */
  public static Card of(String text) {
    int rank = text.length() == 2 ? RANKS.indexOf(text.charAt(0)) : -1;
    if (rank < 0) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a card: write a rank of " + RANKS + " and a suit, such as KH");
    }
    return ALL.get(Suit.of(text.charAt(1)).ordinal() * 13 + rank);
  }

  /** 0 to 51, in pack order. */
  public int number() {
    return suit.ordinal() * 13 + rank - 2;
  }

  @Override
  public String toString() {
    return "" + RANKS.charAt(rank - 2) + suit.letter();
  }
}
