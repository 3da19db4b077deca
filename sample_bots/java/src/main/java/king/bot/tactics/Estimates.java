package king.bot.tactics;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import king.bot.Card;
import king.bot.CardSet;
import king.bot.Scoring;
import king.bot.Suit;
import king.bot.Table;

/**
 * What a hand is worth: quick estimates of the points that a contract would bring, from our own
 * cards alone. Rough on purpose: a searching bot does better. Additions go in pack order as in the
 * kits in other languages, so that all decide alike.
 */
public final class Estimates {
  /** The tricks that a hand makes with a suit as trump. */
  public record Game(Suit trump, double tricks) {}

  /** The chance of the smallest trump of an average holding to make a trick. */
  private static final double TRUMP_FLOOR = 0.45;

  /** Added to it for each trump above the average holding. */
  private static final double TRUMP_LENGTH = 0.12;

  /** What a side suit's winners are worth against trumps. */
  private static final double RUFFED = 0.8;

  private Estimates() {}

  /**
   * The chance that a card is the highest when every seat follows it; averages to a fair share over
   * a suit.
   */
  public static double chanceToWin(Table table, Card card, CardSet hand, boolean isMisere) {
    CardSet others = table.pack().ofSuit(card.suit()).minus(hand);
    if (others.isEmpty()) {
      return 1;
    }
    int below = others.below(card).size();
    int lower = isMisere ? others.size() - below : below;
    double share = (double) lower / others.size();
    // Multiplied, as Math.pow may differ from other languages' in the last bit.
    double chance = 1;
    for (int seat = 1; seat < table.seats(); seat++) {
      chance *= share;
    }
    return chance;
  }

  /**
   * The tricks that a hand makes; cards of it that are not dealt yet count as a fair share each.
   */
  public static double expectedTricks(Table table, CardSet hand, Optional<Suit> trump) {
    int length = trump.map(suit -> hand.ofSuit(suit).size()).orElse(0);
    double surplus = length - hand.size() / 4.0;
    double tricks = 0;
    for (Card card : hand) {
      double chance = chanceToWin(table, card, hand, false);
      if (trump.isEmpty()) {
        tricks += chance;
      } else if (card.suit() == trump.get()) {
        tricks += Math.min(1, Math.max(chance, TRUMP_FLOOR + TRUMP_LENGTH * surplus));
      } else {
        tricks += chance * RUFFED;
      }
    }
    return tricks + undealtTricks(table, hand);
  }

  /** The same without trump and with the ranks upside down. */
  public static double expectedTricksInMisere(Table table, CardSet hand) {
    double tricks = 0;
    for (Card card : hand) {
      tricks += chanceToWin(table, card, hand, true);
    }
    return tricks + undealtTricks(table, hand);
  }

  private static double undealtTricks(Table table, CardSet hand) {
    return (double) Math.max(0, table.handSize() - hand.size()) / table.seats();
  }

  /** The points that a contract brings with this hand. */
  public static double expectedPoints(
      Table table, CardSet hand, String contract, Optional<Suit> trump) {
    Scoring scoring = table.scoringOf(contract);
    double tricks = expectedTricks(table, hand, trump);
    double share = tricks / table.handSize();
    double points = scoring.eachTrick() * tricks + scoring.trickTotal() * share;
    for (Card card : table.pack()) {
      int worth = scoring.worth(card);
      if (worth != 0) {
        points += worth * chanceToTake(table, card, hand, share);
      }
    }
    return points;
  }

  /**
   * The chance that the trick with a card is ours: our own low ones leave us, those under our high
   * ones come.
   */
  private static double chanceToTake(Table table, Card card, CardSet hand, double share) {
    CardSet suit = hand.ofSuit(card.suit());
    int length = suit.size();
    if (hand.contains(card)) {
      double chance = 0.15 + 0.6 * chanceToWin(table, card, hand, false);
      return Math.min(1, chance + (length <= 2 ? 0.1 : 0));
    }
    double above = length == 0 ? 0 : (double) (length - suit.below(card).size()) / length;
    return 0.5 * share + 0.5 * above * 0.6;
  }

  /** How much better than an average hand this one is in a contract, in points. */
  public static double edge(Table table, CardSet hand, String contract, Optional<Suit> trump) {
    double average = (double) packTotal(table, table.scoringOf(contract)) / table.seats();
    return expectedPoints(table, hand, contract, trump) - average;
  }

  /** The points of a contract that all seats share. */
  public static int packTotal(Table table, Scoring scoring) {
    int cards = table.pack().stream().mapToInt(scoring::worth).sum();
    return scoring.eachTrick() * table.handSize() + cards + scoring.trickTotal();
  }

  /** The suit that makes most tricks as trump, the first of equals. */
  public static Game bestTrump(Table table, CardSet hand) {
    return Stream.of(Suit.values())
        .map(suit -> new Game(suit, expectedTricks(table, hand, Optional.of(suit))))
        .max(Comparator.comparingDouble(Game::tricks))
        .orElseThrow();
  }
}
