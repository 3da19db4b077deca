package king.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  @DisplayName("a hand comes in parts and goes card by card")
  void handComesInParts() {
    Table table = Tests.dealOf("no_tricks", "7S KH");
    table.deal().onCards(Tests.cards("AC"));
    Tests.play(table, 0, "KH");
    assertEquals("7S AC", table.deal().hand().toString());
    assertEquals(32 - 2 - 1, table.deal().unseen().size());
  }

  @Test
  @DisplayName("who does not follow suit shows a void, and the taker gets the trick")
  void voidsAndTakers() {
    Table table = Tests.dealOf("no_boys", "7S KS");
    Tests.play(table, 0, "KS");
    Tests.play(table, 1, "7D");
    Tests.play(table, 2, "8S");
    Tests.play(table, 3, "9S");
    var none = EnumSet.noneOf(Suit.class);
    assertEquals(List.of(none, EnumSet.of(Suit.SPADES), none, none), table.deal().voids());
    table.deal().onTrickEnd(0);
    assertTrue(table.deal().trick().isEmpty());
    assertEquals(List.of(1, 0, 0, 0), table.deal().tricksTaken());
    assertEquals(Tests.setOf("KS 8S 9S 7D"), table.deal().cardsTaken().get(0));
    assertEquals(List.of(-4, 0, 0, 0), table.pointsSoFar());
  }

  @Test
  @DisplayName("the highest of the suit led wins, whatever is thrown; a trump beats it")
  void winners() {
    Table table = Tests.dealOf("trumps", "QS AD 7H", "8S", "JS", "AC");
    assertEquals(new Trick.Played(2, Card.of("JS")), table.winner().orElseThrow());
    assertTrue(table.beats(Card.of("QS")));
    assertFalse(table.beats(Card.of("AD")));
    assertFalse(table.beats(Card.of("7H")));
    Trick trick = table.deal().trick().orElseThrow();
    assertTrue(trick.isBeatenBy(Card.of("7H"), Optional.of(Suit.HEARTS), false));
    assertEquals(3, trick.winner(Optional.of(Suit.CLUBS), false).seat());
  }

  @Test
  @DisplayName("at misère the lowest of the suit led wins")
  void winnersAtMisere() {
    Trick trick = Tests.dealOf("trumps", "7S", "9S", "8S", "AS", "2C").deal().trick().orElseThrow();
    assertEquals(Card.of("8S"), trick.winner(Optional.empty(), true).card());
    assertTrue(trick.isBeatenBy(Card.of("7S"), Optional.empty(), true));
    assertFalse(trick.isBeatenBy(Card.of("7C"), Optional.empty(), true));
  }

  @Test
  @DisplayName("before a lead nothing wins, and any card would")
  void nothingToBeat() {
    Table table = Tests.dealOf("no_tricks", "7S");
    assertTrue(table.winner().isEmpty());
    assertTrue(table.beats(Card.of("7S")));
  }

  @Test
  @DisplayName("the end of a trick that is not open is an error")
  void noTrickToEnd() {
    Deal deal = Tests.dealOf("no_tricks", "7S").deal();
    var error = assertThrows(IllegalStateException.class, () -> deal.onTrickEnd(1));
    assertTrue(error.getMessage().contains("no trick is open"), error.getMessage());
  }

  @Test
  @DisplayName("the declarer learns by the request for a gift that the talon is in the hand")
  void talonIsTaken() {
    Table table = Tests.open("classic", Map.of("pack", "32", "redemption", "talon"), "7S");
    table.deal().onTalon(Tests.cards("AH AD"));
    table.onRequest(List.of(new Action.Give(Card.of("7S"), 1)));
    assertEquals("7S AH AD", table.deal().hand().toString());
    table.deal().onGift(new Deal.Gift(0, 1, Optional.of(Card.of("7S"))));
    assertEquals("AH AD", table.deal().hand().toString());
    assertEquals(Tests.setOf("7S"), table.deal().knownCards().get(1));
  }

  @Test
  @DisplayName("contracts count what the rules say, and an unknown one is an error")
  void contractsCount() {
    Table table = Tests.open("classic", Map.of("seats", "3", "last", "two"), "AS");
    assertEquals(-140, table.scoringOf("no_king").worth(Card.of("KH")));
    assertEquals(-20 - 30 - 140, table.scoringOf("no_jumble").worth(Card.of("KH")));
    assertEquals(15 + 70, table.scoringOf("jumble").trickPoints(17, CardSet.EMPTY));
    assertTrue(table.scoringOf("no_last").avoids());
    assertFalse(table.scoringOf("trumps").avoids());
    assertThrows(IllegalArgumentException.class, () -> table.scoringOf("bridge"));
  }

  @Test
  @DisplayName("packs follow the variant and its options")
  void packs() {
    assertEquals(32, Tests.open("russian-14", Map.of(), "AS").pack().size());
    assertEquals(52, Tests.open("turkish-20[limits=free]", Map.of(), "AS").pack().size());
    assertEquals(39, Tests.open("chooser-12", Map.of("seats", "3"), "AS").pack().size());
    assertEquals(51, Tests.open("classic", Map.of("seats", "3"), "AS").pack().size());
  }

  @Test
  @DisplayName("an unknown variant is an error that names it")
  void unknownVariant() {
    var error =
        assertThrows(
            UnknownVariantException.class, () -> Tests.open("bridge-52[x=y]", Map.of(), "AS"));
    assertTrue(error.getMessage().contains("\"bridge-52\""), error.getMessage());
  }
}
