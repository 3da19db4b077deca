package king.bot;

import java.util.List;
import java.util.Optional;

/** What a seat can do. */
public sealed interface Action {
  /** Plays a card. */
  record Play(Card card) implements Action {}

  /** Chooses a contract, and a trump where it has one. */
  record Choose(String contract, Optional<Suit> trump) implements Action {}

  /** Orders a contract. */
  record Order(String contract) implements Action {}

  /** Passes. */
  record Pass() implements Action {}

  /** Bids a number of tricks. */
  record Bid(int tricks) implements Action {}

  /** Names the trump suit. */
  record NameTrump(Suit trump) implements Action {}

  /** Lets the last card of eldest decide the trump. */
  record ByLast() implements Action {}

  /** Plays without trump, the ranks upside down. */
  record Misere() implements Action {}

  /** Writes two tricks to everybody and does not play. */
  record TwoTricksEach() implements Action {}

  /** Offers the game for sale. */
  record Offer() implements Action {}

  /** Keeps the game. */
  record Keep() implements Action {}

  /** Gives a card to the seat {@code to}. */
  record Give(Card card, int to) implements Action {}

  /** The actions of one kind, in their order. */
  static <A extends Action> List<A> ofKind(Class<A> kind, List<? extends Action> actions) {
    return actions.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
