package king.bot.tactics;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingDouble;
import static java.util.Comparator.comparingInt;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import king.bot.Action;
import king.bot.Card;
import king.bot.CardSet;
import king.bot.Deal;
import king.bot.Suit;
import king.bot.Table;

/**
 * Decisions that are not card play: choose, order, bid, name a trump, offer or keep, give. One
 * method for each situation, all resting on the estimates of a hand; every one answers with a legal
 * action, whatever the variant.
 */
public final class Calls {
  /** An order is worth it from this share of the contract's total. */
  private static final double ORDER_EDGE = 0.06;

  /** Tricks by which our own game must beat the price that others may pay. */
  private static final double SELF_RELIANCE = 0.5;

  private final Table table;
  private final List<Action> actions;

  private Calls(Table table, List<Action> actions) {
    this.table = table;
    this.actions = actions;
  }

  /** Takes any decision but the play of a card. */
  public static Action decide(Table table, List<Action> actions) {
    return new Calls(table, actions).decide();
  }

  private Action decide() {
    if (isAsked(Action.Choose.class)) {
      return Collections.max(
          Action.ofKind(Action.Choose.class, actions),
          comparingDouble(
              choice -> Estimates.edge(table, hand(), choice.contract(), choice.trump())));
    }
    if (isAsked(Action.Order.class)) {
      return order();
    }
    if (isAsked(Action.Bid.class)) {
      return bid();
    }
    if (isAsked(Action.Offer.class)) {
      Class<? extends Action> kind = keeps() ? Action.Keep.class : Action.Offer.class;
      return first(kind).orElseThrow();
    }
    if (isAsked(Action.Give.class)) {
      return give();
    }
    return Collections.max(actions, comparingDouble(game -> tricksOf(game, hand())));
  }

  private CardSet hand() {
    return table.deal().hand();
  }

  private boolean isAsked(Class<? extends Action> kind) {
    return first(kind).isPresent();
  }

  private <A extends Action> Optional<A> first(Class<A> kind) {
    return Action.ofKind(kind, actions).stream().findFirst();
  }

  /** Orders the contract that suits us best, or passes if none does and passing is allowed. */
  private Action order() {
    ToDoubleFunction<Action.Order> gain =
        order ->
            Estimates.edge(table, hand(), order.contract(), Optional.empty())
                / Math.abs(Estimates.packTotal(table, table.scoringOf(order.contract())));
    Action.Order best =
        Collections.max(Action.ofKind(Action.Order.class, actions), comparingDouble(gain));
    Optional<Action.Pass> pass = first(Action.Pass.class);
    return pass.isPresent() && gain.applyAsDouble(best) < ORDER_EDGE ? pass.get() : best;
  }

  /** Bids as little as will do, while the game is worth its price to us. */
  private Action bid() {
    Action.Bid lowest =
        Collections.min(Action.ofKind(Action.Bid.class, actions), comparingInt(Action.Bid::tricks));
    Optional<Action.Pass> pass = first(Action.Pass.class);
    return pass.isPresent() && lowest.tricks() > highestPrice() ? pass.get() : lowest;
  }

  /**
   * The most tricks worth bidding: what our own game makes beyond what another's would leave us.
   */
  private double highestPrice() {
    double own = Estimates.bestTrump(table, withTalon(hand())).tricks();
    double gain = own - fairShare();
    // Outside of classic the bid is lost to all, so the rest must beat a defender's share.
    return table.baseId().equals("classic") ? gain - SELF_RELIANCE : gain;
  }

  private double fairShare() {
    return (double) table.handSize() / table.seats();
  }

  /** The hand after taking the talon and giving away as many of the worst cards. */
  private CardSet withTalon(CardSet hand) {
    Deal deal = table.deal();
    if (deal.talon().isEmpty() || deal.talonTaker().isPresent()) {
      return hand;
    }
    CardSet held = hand.union(CardSet.of(deal.talon()));
    for (int seat = 1; seat < table.seats(); seat++) {
      held = held.without(worst(held));
    }
    return held;
  }

  /** Whether to keep the game: a poor one is better sold, for somebody pays for it. */
  private boolean keeps() {
    return namedTricks() - fairShare() > SELF_RELIANCE;
  }

  /** The tricks expected in the game that we have just named, or would name. */
  private double namedTricks() {
    CardSet hand = withTalon(hand());
    return table.deal().said().stream()
        .filter(said -> said.seat() == table.seat() && isGame(said.action()))
        .reduce((earlier, later) -> later)
        .map(said -> tricksOf(said.action(), hand))
        .orElseGet(() -> Estimates.bestTrump(table, hand).tricks());
  }

  private static boolean isGame(Action action) {
    return action instanceof Action.NameTrump
        || action instanceof Action.ByLast
        || action instanceof Action.Misere
        || action instanceof Action.TwoTricksEach;
  }

  /** The tricks that a game makes. Two tricks each is what remains when none is a fair share. */
  private double tricksOf(Action game, CardSet hand) {
    if (game instanceof Action.NameTrump named) {
      return Estimates.expectedTricks(table, hand, Optional.of(named.trump()));
    }
    if (game instanceof Action.ByLast) {
      return tricksByLast(hand);
    }
    if (game instanceof Action.Misere) {
      return Estimates.expectedTricksInMisere(table, hand);
    }
    if (game instanceof Action.TwoTricksEach) {
      return fairShare(); // what everybody gets: no more than an average game
    }
    throw new IllegalArgumentException(game + " names no game");
  }

  /**
   * The card that decides is not dealt yet: each suit is about as likely, one more card is ours.
   */
  private double tricksByLast(CardSet hand) {
    List<Suit> suits =
        Arrays.stream(Suit.values()).filter(suit -> !table.pack().ofSuit(suit).isEmpty()).toList();
    double total = 0;
    for (Suit suit : suits) {
      total += Estimates.expectedTricks(table, hand, Optional.of(suit));
    }
    return total / suits.size() + 0.25;
  }

  /** Gives the worst card of the hand, trumps last. */
  private Action give() {
    List<Action.Give> gifts = Action.ofKind(Action.Give.class, actions);
    Card worst = worst(CardSet.of(gifts.stream().map(Action.Give::card).toList()));
    return gifts.stream().filter(gift -> gift.card().equals(worst)).findFirst().orElseThrow();
  }

  /** The card that we miss least: a small one of a short side suit. */
  private Card worst(CardSet hand) {
    Suit trump = Estimates.bestTrump(table, hand).trump();
    return Collections.min(
        hand.stream().toList(),
        comparing((Card card) -> card.suit() == trump)
            .thenComparing(comparingDouble(card -> worth(card, hand))));
  }

  private double worth(Card card, CardSet hand) {
    return Estimates.chanceToWin(table, card, hand, false)
        + 0.02 * hand.ofSuit(card.suit()).size()
        + 0.002 * card.rank();
  }
}
