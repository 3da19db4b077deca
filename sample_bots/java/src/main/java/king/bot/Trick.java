package king.bot;

import static java.util.Comparator.comparingInt;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** One trick, open or complete. */
public final class Trick {
  /** A card on the table, and who played it. */
  public record Played(int seat, Card card) {}

  /** Lifts trumps over every other suit. */
  private static final int ABOVE_ALL = 20;

  private final int number;
  private final List<Played> plays = new ArrayList<>();
  private OptionalInt taker = OptionalInt.empty();

  Trick(int number) {
    this.number = number;
  }

  /** The trick's number in the deal, from 1. */
  public int number() {
    return number;
  }

  /** The cards in it, in order; at least one. */
  public List<Played> plays() {
    return Collections.unmodifiableList(plays);
  }

  /** The seat that led. */
  public int leader() {
    return plays.get(0).seat();
  }

  /** The suit that was led. */
  public Suit led() {
    return plays.get(0).card().suit();
  }

  public CardSet cards() {
    return CardSet.of(plays.stream().map(Played::card).toList());
  }

  /**
   * The play that takes the trick as it lies: its highest trump, or else its highest of the suit
   * led.
   */
  public Played winner(Optional<Suit> trump, boolean isMisere) {
    return Collections.max(plays, comparingInt(play -> power(play.card(), trump, isMisere)));
  }

  /** Whether a card would take the trick as it lies. */
  public boolean isBeatenBy(Card card, Optional<Suit> trump, boolean isMisere) {
    Card best = winner(trump, isMisere).card();
    return power(card, trump, isMisere) > power(best, trump, isMisere);
  }

  /** A card's strength here: below zero if it cannot win. At misère the ranks are upside down. */
  private int power(Card card, Optional<Suit> trump, boolean isMisere) {
    int rank = isMisere ? 16 - card.rank() : card.rank();
    if (trump.isPresent() && trump.get() == card.suit()) {
      return rank + ABOVE_ALL;
    }
    return card.suit() == led() ? rank : -1;
  }

  /** The seat that took it; empty while it is open. */
  public OptionalInt taker() {
    return taker;
  }

  void add(Played played) {
    plays.add(played);
  }

  void takenBy(int seat) {
    taker = OptionalInt.of(seat);
  }
}
