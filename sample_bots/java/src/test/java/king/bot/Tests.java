package king.bot;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Tables for tests. */
public final class Tests {
  private Tests() {}

  public static List<Card> cards(String text) {
    return Stream.of(text.split(" ")).map(Card::of).toList();
  }

  public static CardSet setOf(String text) {
    return CardSet.of(cards(text));
  }

  /** A match that has just begun, seen from seat 0, with a hand. */
  public static Table open(String variant, Map<String, String> options, String hand) {
    int seats = Integer.parseInt(options.getOrDefault("seats", "4"));
    var control = new Table.TimeControl(0, 0, 0);
    Table table = new Table(new Table.Opening(1, "test", "", variant, options, seats, 0, control));
    table.onDealStart(1, OptionalInt.of(seats - 1), OptionalInt.empty());
    table.deal().onCards(cards(hand));
    return table;
  }

  /** A deal of russian-14 in which a contract is played, after these plays before seat 0. */
  public static Table dealOf(String contract, String hand, String... plays) {
    Table table = open("russian-14", Map.of(), hand);
    table
        .deal()
        .onContract(
            new Contract(
                contract, OptionalInt.empty(), Optional.empty(), false, OptionalInt.empty()));
    for (int place = 0; place < plays.length; place++) {
      play(table, 4 - plays.length + place, plays[place]);
    }
    return table;
  }

  static void play(Table table, int seat, String card) {
    table.deal().onAction(seat, new Action.Play(Card.of(card)), ActionBy.BOT);
  }
}
