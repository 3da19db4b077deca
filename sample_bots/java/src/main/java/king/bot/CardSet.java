package king.bot;

import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * An immutable set of cards, which iterates in pack order.
 *
 * @param mask has bit n set for the card of number n
 */
public record CardSet(long mask) implements Iterable<Card> {
  public static final CardSet EMPTY = new CardSet(0);

  /** The whole pack of 52. */
  public static final CardSet ALL = new CardSet((1L << 52) - 1);

  public static CardSet of(Collection<Card> cards) {
    CardSet set = EMPTY;
    for (Card card : cards) {
      set = set.with(card);
    }
    return set;
  }

  /** The cards of the pack of 52 for which something holds. */
  public static CardSet where(Predicate<Card> holds) {
    return of(Card.ALL.stream().filter(holds).toList());
  }

  /** All cards of a suit. */
  public static CardSet of(Suit suit) {
    return new CardSet(0x1FFFL << 13 * suit.ordinal());
  }

  public int size() {
    return Long.bitCount(mask);
  }

  public boolean isEmpty() {
    return mask == 0;
  }

  public boolean contains(Card card) {
    return (mask >> card.number() & 1) == 1;
  }

  public CardSet with(Card card) {
    return new CardSet(mask | 1L << card.number());
  }

  public CardSet without(Card card) {
    return new CardSet(mask & ~(1L << card.number()));
  }

  public CardSet union(CardSet other) {
    return new CardSet(mask | other.mask);
  }

  public CardSet intersection(CardSet other) {
    return new CardSet(mask & other.mask);
  }

  public CardSet minus(CardSet other) {
    return new CardSet(mask & ~other.mask);
  }

  /** The cards of one suit. */
  public CardSet ofSuit(Suit suit) {
    return intersection(of(suit));
  }

  /** The cards with smaller numbers than this one. */
  public CardSet below(Card card) {
    return new CardSet(mask & (1L << card.number()) - 1);
  }

  public Stream<Card> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  @Override
  public Iterator<Card> iterator() {
    return new Iterator<>() {
      private long left = mask;

      @Override
      public boolean hasNext() {
        return left != 0;
      }

      @Override
      public Card next() {
        if (left == 0) {
          throw new NoSuchElementException();
        }
        Card card = Card.ALL.get(Long.numberOfTrailingZeros(left));
        left &= left - 1;
        return card;
      }
    };
  }

  @Override
  public String toString() {
    return stream().map(Card::toString).collect(Collectors.joining(" "));
  }
}
