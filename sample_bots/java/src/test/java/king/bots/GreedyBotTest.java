package king.bots;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import king.bot.Action;
import king.bot.Card;
import king.bot.Suit;
import king.bot.Table;
import king.bot.Tests;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GreedyBotTest {
  /** What greedy plays of its hand in a deal of a contract, after the seats before it. */
  private static String picked(String contract, String hand, String... plays) {
    List<Action> legal = Tests.cards(hand).stream().<Action>map(Action.Play::new).toList();
    Action chosen = new GreedyBot().choose(Tests.dealOf(contract, hand, plays), legal);
    return ((Action.Play) chosen).card().toString();
  }

  @Test
  @DisplayName("a penalty is ducked with the highest card that stays below")
  void ducks() {
    assertEquals("9S", picked("no_tricks", "7S 9S AS", "TS"));
  }

  @Test
  @DisplayName("the dearest card is thrown when suit cannot be followed")
  void throwsTheDearest() {
    assertEquals("QD", picked("no_girls", "AS QD 7C", "TH"));
  }

  @Test
  @DisplayName("the last seat takes a trick without penalties with its highest card")
  void takesHarmlessTricks() {
    assertEquals("KS", picked("no_girls", "JS KS", "7S", "8S", "9S"));
  }

  @Test
  @DisplayName("a trick that is wanted is taken, by the last seat as cheaply as it can")
  void takesWantedTricks() {
    assertEquals("AS", picked("tricks", "7S JS AS", "TS"));
    assertEquals("JS", picked("tricks", "7S JS AS", "TS", "8S", "9S"));
  }

  @Test
  @DisplayName("high cards go early where only the last tricks hurt")
  void shedsHighCardsEarly() {
    assertEquals("AS", picked("no_last_two", "7S AS"));
  }

  @Test
  @DisplayName("the trump is named in which the hand makes most tricks")
  void namesTheBestTrump() {
    Table table = Tests.open("trump-11", Map.of(), "7D 8D 9D TD JD AS 7H 7C");
    List<Action> legal = Stream.of(Suit.values()).<Action>map(Action.NameTrump::new).toList();
    assertEquals(new Action.NameTrump(Suit.DIAMONDS), new GreedyBot().choose(table, legal));
  }

  @Test
  @DisplayName("an order that promises nothing is passed over")
  void passesPoorOrders() {
    Table table = Tests.open("ordered-56", Map.of(), "AS KS QS JS AH KH QH JH");
    List<Action> legal = List.of(new Action.Order("no_tricks"), new Action.Pass());
    assertEquals(new Action.Pass(), new GreedyBot().choose(table, legal));
  }

  @Test
  @DisplayName("the worst card of a side suit is given away")
  void givesTheWorst() {
    Table table = Tests.open("classic", Map.of("pack", "32"), "AS KS QS 7D AC");
    List<Action> legal =
        table.deal().hand().stream().<Action>map(card -> new Action.Give(card, 1)).toList();
    assertEquals(new Action.Give(Card.of("7D"), 1), new GreedyBot().choose(table, legal));
  }
}
