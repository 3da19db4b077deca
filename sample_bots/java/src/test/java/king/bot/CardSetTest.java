package king.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CardSetTest {
  @Test
  @DisplayName("cards are numbered in pack order")
  void cardsAreNumbered() {
    assertEquals(0, Card.of("2S").number());
    assertEquals(24, Card.of("KH").number());
    assertEquals(51, Card.of("AC").number());
    for (Card card : Card.ALL) {
      assertEquals(card, Card.ALL.get(card.number()));
      assertEquals(card, Card.of(card.toString()));
    }
  }

  @Test
  @DisplayName("what is no card is refused with what would be right")
  void otherTextsAreRefused() {
    var error = assertThrows(IllegalArgumentException.class, () -> Card.of("10H"));
    assertTrue(error.getMessage().endsWith("such as KH"), error.getMessage());
    assertThrows(IllegalArgumentException.class, () -> Card.of("KX"));
  }

  @Test
  @DisplayName("sets hold cards of all suits and list them in pack order")
  void setsListTheirCards() {
    CardSet hand = Tests.setOf("AC 2S KH AH 2D");
    assertEquals("2S KH AH 2D AC", hand.toString());
    assertEquals(5, hand.size());
    assertTrue(hand.contains(Card.of("2D")));
    assertFalse(hand.contains(Card.of("2C")));
    assertEquals("KH AH", hand.ofSuit(Suit.HEARTS).toString());
    assertEquals("2S KH", hand.below(Card.of("AH")).toString());
  }

  @Test
  @DisplayName("sets are added and taken apart without changing")
  void setsDoNotChange() {
    CardSet hand = Tests.setOf("7S KH");
    assertEquals("KH AC", hand.with(Card.of("AC")).without(Card.of("7S")).toString());
    assertEquals("7S KH", hand.toString());
    assertEquals(hand, CardSet.ALL.minus(CardSet.ALL.minus(hand)));
    assertEquals(CardSet.ALL, CardSet.of(Card.ALL));
  }
}
