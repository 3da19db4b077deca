package king.bot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

/** One trick, open or complete. */
public final class Trick {
  /** A card on the table, and who played it. */
  public record Played(int seat, Card card) {}

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

  /** The suit that was led. */
  public Suit led() {
    return plays.get(0).card().suit();
  }

  public CardSet cards() {
    return CardSet.of(plays.stream().map(Played::card).toList());
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
