package king.bots;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import king.bot.Card;
import king.bot.Deal;
import king.bot.Scoring;
import king.bot.Suit;
import king.bot.Table;
import king.bot.Trick;

/**
 * The play of a card by simple rules: what we want of this trick, from our hand and the cards on
 * the table. Where points are to be avoided it ducks, throws what is dangerous and leads low; where
 * they are wanted it does the opposite. It remembers nothing of earlier tricks.
 */
final class CardPlay {
  /** Lifts trumps over every other suit. */
  private static final int ABOVE_ALL = 20;

  private static final Comparator<Card> BY_RANK = comparingInt(Card::rank);

  private final Deal deal;
  private final Scoring scoring;
  private final int seats;

  CardPlay(Table table) {
    deal = table.deal();
    scoring = table.scoring();
    seats = table.seats();
  }

  /** Picks the card to play among the legal ones. */
  Card pick(List<Card> cards) {
    boolean avoids = scoring.avoids();
    if (isIdle()) {
      return avoids ? strongest(cards) : weakest(cards);
    }
    return deal.trick()
        .map(trick -> follow(trick, cards))
        .orElseGet(() -> avoids ? leadToAvoid(cards) : leadToTake(cards));
  }

  /**
   * Whether only later tricks score: the time to be rid of what will hurt then, or to save what
   * will win.
   */
  private boolean isIdle() {
    boolean isLateOnly = scoring.eachTrick() == 0 && scoring.cardPoints().isEmpty();
    return isLateOnly && deal.trickNumber() < Collections.min(scoring.tricks().keySet());
  }

  /** The card's strength in a trick: below zero if it cannot win, trumps above all. */
  private int power(Card card, Suit led) {
    int rank = deal.isMisere() ? 16 - card.rank() : card.rank();
    if (isTrump(card)) {
      return rank + ABOVE_ALL;
    }
    return card.suit() == led ? rank : -1;
  }

  /** The card's strength if it were led. */
  private int ownPower(Card card) {
    return power(card, card.suit());
  }

  private boolean isTrump(Card card) {
    return deal.trump().filter(trump -> trump == card.suit()).isPresent();
  }

  private boolean hurts(Card card) {
    return scoring.worth(card) < 0;
  }

  private Card strongest(List<Card> cards) {
    return Collections.max(cards, comparingInt(this::ownPower));
  }

  private Card weakest(List<Card> cards) {
    return Collections.min(cards, comparingInt(this::ownPower));
  }

  /** Leads low, and nothing that scores. */
  private Card leadToAvoid(List<Card> cards) {
    return Collections.min(cards, comparing(this::hurts).thenComparing(BY_RANK));
  }

  /** Leads the strongest card, a side suit's before a trump as high. */
  private Card leadToTake(List<Card> cards) {
    return Collections.max(
        cards,
        comparingInt((Card card) -> ownPower(card) % ABOVE_ALL)
            .thenComparing(card -> !isTrump(card)));
  }

  private Card follow(Trick trick, List<Card> cards) {
    int best =
        trick.plays().stream()
            .mapToInt(play -> power(play.card(), trick.led()))
            .max()
            .orElseThrow();
    List<Card> winning = cards.stream().filter(card -> power(card, trick.led()) > best).toList();
    List<Card> losing = cards.stream().filter(card -> power(card, trick.led()) < best).toList();
    boolean isLast = trick.plays().size() == seats - 1;
    boolean isEmpty = scoring.trickPoints(trick.number(), trick.cards()) == 0;
    return scoring.avoids()
        ? followToAvoid(winning, losing, isLast, isEmpty)
        : followToTake(winning, losing, isLast, isEmpty, trick.led());
  }

  /**
   * Stays below with what is most dangerous; if that fails, takes with as little harm as can be.
   */
  private Card followToAvoid(
      List<Card> winning, List<Card> losing, boolean isLast, boolean isEmpty) {
    List<Card> free = winning.stream().filter(card -> scoring.worth(card) == 0).toList();
    if (isLast && isEmpty && !free.isEmpty()) {
      return Collections.max(free, BY_RANK);
    }
    Comparator<Card> byWorth = comparingInt(scoring::worth);
    if (!losing.isEmpty()) {
      return Collections.min(losing, byWorth.thenComparing(BY_RANK.reversed()));
    }
    return isLast
        ? Collections.max(winning, byWorth.thenComparing(BY_RANK))
        : Collections.min(winning, comparing(this::hurts).thenComparing(BY_RANK));
  }

  /** Takes what is worth taking, the last seat as cheaply as it can; else throws the least. */
  private Card followToTake(
      List<Card> winning, List<Card> losing, boolean isLast, boolean isEmpty, Suit led) {
    boolean isWorthless = isLast && isEmpty && !losing.isEmpty();
    if (!winning.isEmpty() && !isWorthless) {
      Comparator<Card> byPower = comparingInt(card -> power(card, led));
      boolean isCheap = isLast || winning.stream().allMatch(this::isTrump);
      return isCheap
          ? Collections.min(
              winning, comparingInt((Card card) -> -scoring.worth(card)).thenComparing(byPower))
          : Collections.max(winning, byPower);
    }
    return Collections.min(
        losing.isEmpty() ? winning : losing,
        comparingInt(scoring::worth)
            .thenComparing(this::isTrump)
            .thenComparing(comparingInt(this::ownPower)));
  }
}
