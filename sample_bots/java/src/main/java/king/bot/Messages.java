package king.bot;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import king.v1.Arena;
import king.v1.Arena.CardGiven;
import king.v1.Arena.ContractSet;
import king.v1.Arena.TableEnd;
import king.v1.Arena.TableStart;

/** The protocol's messages in the words of the SDK. */
final class Messages {
  private Messages() {}

  static Action read(Arena.Action action) {
    return switch (action.getKind()) {
      case ACTION_KIND_PLAY -> new Action.Play(Card.of(action.getCard()));
      case ACTION_KIND_CHOOSE ->
          new Action.Choose(action.getContract(), readTrump(action.getTrump()));
      case ACTION_KIND_ORDER -> new Action.Order(action.getContract());
      case ACTION_KIND_PASS -> new Action.Pass();
      case ACTION_KIND_BID -> new Action.Bid(action.getTrickCount());
      case ACTION_KIND_NAME_TRUMP ->
          new Action.NameTrump(readTrump(action.getTrump()).orElseThrow());
      case ACTION_KIND_BY_LAST -> new Action.ByLast();
      case ACTION_KIND_MISERE -> new Action.Misere();
      case ACTION_KIND_TWO_TRICKS_EACH -> new Action.TwoTricksEach();
      case ACTION_KIND_OFFER -> new Action.Offer();
      case ACTION_KIND_KEEP -> new Action.Keep();
      case ACTION_KIND_GIVE -> new Action.Give(Card.of(action.getCard()), action.getToSeat());
      case ACTION_KIND_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException(
              "this SDK does not know actions of kind " + action.getKindValue());
    };
  }

  static ActionBy read(Arena.ActionBy by) {
    return switch (by) {
      case ACTION_BY_BOT -> ActionBy.BOT;
      case ACTION_BY_FORCED -> ActionBy.FORCED;
      case ACTION_BY_STAND_IN -> ActionBy.STAND_IN;
      case ACTION_BY_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("this SDK does not know actions by " + by);
    };
  }

  private static Optional<Suit> readTrump(Arena.Suit suit) {
    return switch (suit) {
      case SUIT_SPADES -> Optional.of(Suit.SPADES);
      case SUIT_HEARTS -> Optional.of(Suit.HEARTS);
      case SUIT_DIAMONDS -> Optional.of(Suit.DIAMONDS);
      case SUIT_CLUBS -> Optional.of(Suit.CLUBS);
      case SUIT_UNSPECIFIED -> Optional.empty();
      case UNRECOGNIZED -> throw new IllegalArgumentException("this SDK does not know " + suit);
    };
  }

  static List<Card> cards(List<String> texts) {
    return texts.stream().map(Card::of).toList();
  }

  static Deal.Gift read(CardGiven gift) {
    Optional<Card> card =
        gift.getCard().isEmpty() ? Optional.empty() : Optional.of(Card.of(gift.getCard()));
    return new Deal.Gift(gift.getSeat(), gift.getToSeat(), card);
  }

  static Contract read(ContractSet set) {
    return new Contract(
        set.getContract(),
        set.getHasDeclarer() ? OptionalInt.of(set.getDeclarer()) : OptionalInt.empty(),
        readTrump(set.getTrump()),
        set.getMisere(),
        set.getPrice() > 0 ? OptionalInt.of(set.getPrice()) : OptionalInt.empty());
  }

  static Table.Opening read(int number, TableStart start) {
    var control = start.getTimeControl();
    return new Table.Opening(
        number,
        start.getMatchId(),
        start.getDealCommitment(),
        start.getVariant(),
        Map.copyOf(start.getOptionsMap()),
        start.getSeatCount(),
        start.getSeat(),
        new Table.TimeControl(control.getStartMs(), control.getIncrementMs(), control.getBankMs()));
  }

  static Table.Ending read(TableEnd end) {
    List<Table.Forfeit> forfeits =
        end.getForfeitsList().stream()
            .map(
                forfeit ->
                    new Table.Forfeit(
                        forfeit.getSeat(),
                        forfeit.getKind(),
                        forfeit.getDeal(),
                        forfeit.getAction()))
            .toList();
    return new Table.Ending(
        List.copyOf(end.getTotalsList()),
        List.copyOf(end.getPlacesList()),
        forfeits,
        end.getAborted());
  }
}
