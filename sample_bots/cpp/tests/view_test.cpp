// Cards, what contracts count, and the view of a deal.

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "king/king.hpp"
#include "tests/positions.hpp"

namespace king {
namespace {

using testing_positions::cards;
using testing_positions::table_of;

std::string text_of(CardSet set) {
  std::string text;
  for (const Card card : set) text += card.text() + " ";
  return text;
}

TEST(Cards, ReadWhatTheyWrite) {
  for (const Card card : CardSet::whole_pack()) EXPECT_EQ(Card::parse(card.text()), card);
  EXPECT_EQ(Card::parse("TS").suit(), Suit::spades);
  EXPECT_EQ(Card::parse("AC").rank(), 14);
}

TEST(Cards, RefuseWhatIsNone) {
  for (const char* text : {"", "1H", "10H", "KX", "hk"}) {
    EXPECT_THROW(Card::parse(text), std::invalid_argument) << text;
  }
}

TEST(CardSets, ListCardsInTheOrderOfThePack) {
  const CardSet set = cards("KH 2S AC 7D");
  EXPECT_EQ(text_of(set), "2S KH 7D AC ");
  EXPECT_EQ(text_of(set.before(kKingOfHearts)), "2S ");
  EXPECT_EQ(text_of(set.after(kKingOfHearts)), "7D AC ");
  EXPECT_EQ(CardSet::of(Suit::clubs).after(Card::parse("AC")).size(), 0);
}

TEST(Scoring, PacksHaveTheirSizes) {
  EXPECT_EQ(pack_of("russian-14", {}).size(), 32);
  EXPECT_EQ(pack_of("turkish-20", {}).size(), 52);
  EXPECT_EQ(pack_of("chooser-12", {{"seats", "3"}}).size(), 39);
  EXPECT_EQ(pack_of("classic", {{"seats", "3"}, {"pack", "52"}}).size(), 51);
  EXPECT_EQ(pack_of("classic", {{"seats", "3"}, {"pack", "32"}}).size(), 30);
}

TEST(Scoring, AJumbleCountsAllItsParts) {
  const Scorings russian = scorings_of("russian-14", {});
  const Scoring& jumble = russian.at("no_jumble");
  EXPECT_TRUE(jumble.avoids());
  EXPECT_EQ(jumble.trick_points(1, cards("KH KS QD AH")), -2 - 22 - 4 - 4 - 2);
  EXPECT_EQ(jumble.trick_points(8, cards("7S 8S 9S TS")), -2 - 8);
  EXPECT_FALSE(russian.at("jumble").avoids());
}

TEST(Scoring, OptionsChangePrices) {
  EXPECT_EQ(scorings_of("chooser-12", {{"last_points", "12"}}).at("no_last").tricks.at(13), -12);
  EXPECT_EQ(scorings_of("classic", {{"redemption", "praise"}}).at("trumps").each_trick, 30);
  EXPECT_EQ(scorings_of("classic", {{"seats", "3"}}).at("no_king").points_of(kKingOfHearts), -140);
  EXPECT_EQ(scorings_of("base-14", {{"boys", "kings_and_jacks"}}).at("no_boys").points_of(Card::parse("JS")),
            -2);
}

TEST(Scoring, AnUnknownVariantIsNamed) {
  try {
    table_of("bridge-52[seats=3]");
    FAIL() << "nothing was thrown";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "this kit does not know the variant \"bridge-52\": add it to king/scoring.cpp");
  }
  EXPECT_THROW(scorings_of("bridge-52", {}), std::invalid_argument);
}

// The cards of a hand that would take the open trick.
std::string taking(const Table& table, const std::string& hand) {
  CardSet taking;
  for (const Card card : cards(hand)) {
    if (table.beats(card)) taking.insert(card);
  }
  return text_of(taking);
}

TEST(Trick, TheHighestOfTheSuitLedOrOfTrumpsWins) {
  Table table = table_of("russian-14");
  testing_positions::begin_contract(table, "trumps", "7S");
  testing_positions::play(table, 1, "8S JS AC");
  EXPECT_EQ(table.winner()->seat, 2);
  EXPECT_EQ(taking(table, "TS QS 7H AD"), "QS ");
  table.deal.contract->trump = Suit::hearts;
  EXPECT_EQ(taking(table, "TS QS 7H AD"), "QS 7H ");
  table.deal.contract->trump = Suit::clubs;
  EXPECT_EQ(table.winner()->card, Card::parse("AC"));
  EXPECT_EQ(taking(table, "TS QS 7H AD"), "");
}

TEST(Trick, AtMisereTheLowestOfTheSuitLedWins) {
  Table table = table_of("russian-14");
  testing_positions::begin_contract(table, "trumps", "7S");
  table.deal.contract->misere = true;
  testing_positions::play(table, 1, "8S JS AC");
  EXPECT_EQ(table.winner()->seat, 1);
  EXPECT_EQ(taking(table, "7S 9S 7C"), "7S ");
}

TEST(Trick, BeforeALeadNothingWinsAndAnyCardWould) {
  const Table table = table_of("russian-14");
  EXPECT_FALSE(table.winner());
  EXPECT_TRUE(table.beats(Card::parse("7S")));
}

TEST(Deal, TheHandComesInPartsAndGoesCardByCard) {
  Table table = table_of("russian-14");
  table.on_cards(std::vector{Card::parse("7S"), Card::parse("TS")});
  table.on_cards(std::vector{Card::parse("KH")});
  testing_positions::play(table, 0, "TS AS");
  EXPECT_EQ(text_of(table.deal.hand), "7S KH ");
  EXPECT_EQ(table.deal.unseen().size(), 32 - 2 - 2);
}

TEST(Deal, ATrickIsOpenUntilItEnds) {
  Table table = table_of("russian-14");
  testing_positions::play(table, 2, "9S KS 7S");
  EXPECT_EQ(table.deal.trick->leader(), 2);
  EXPECT_EQ(table.deal.trick->led(), Suit::spades);
  testing_positions::play(table, 1, "AH");
  table.deal.on_trick_end(3);
  EXPECT_FALSE(table.deal.trick);
  EXPECT_EQ(table.deal.tricks_taken, (BySeat<int>{0, 0, 0, 1}));
  EXPECT_EQ(table.deal.cards_taken[3], table.deal.fallen);
  EXPECT_EQ(table.deal.void_cards[1], CardSet::of(Suit::spades));
  EXPECT_EQ(table.deal.trick_number(), 2);
  EXPECT_THROW(table.deal.on_trick_end(3), std::logic_error);
}

TEST(Deal, TheDeclarerHasTheTalonWhenAskedToGive) {
  Table table = table_of("classic[redemption=talon]");
  table.deal.hand = cards("2S 3S");
  table.deal.talon = {Card::parse("AS"), Card::parse("AC")};
  table.on_request(std::vector{Action{.kind = ActionKind::give, .card = Card::parse("2S"), .to = 1}});
  EXPECT_EQ(text_of(table.deal.hand), "2S 3S AS AC ");
  table.deal.on_gift({0, 1, Card::parse("2S")});
  EXPECT_EQ(text_of(table.deal.hand), "3S AS AC ");
  EXPECT_EQ(table.deal.known_cards[1], cards("2S"));
}

TEST(Deal, AGiftToUsIsOurs) {
  Table table = table_of("classic[redemption=talon]");
  table.deal.on_gift({1, 2, std::nullopt});
  table.deal.on_gift({1, 0, Card::parse("AC")});
  EXPECT_EQ(table.deal.talon_taker, 1);
  EXPECT_EQ(text_of(table.deal.hand), "AC ");
}

TEST(Deal, AnExposedCardIsKnownUntilPlayed) {
  Table table = table_of("trump-11");
  table.deal.on_exposed({2, Card::parse("TD")});
  EXPECT_EQ(table.deal.known_cards[2], cards("TD"));
  testing_positions::play(table, 2, "TD");
  EXPECT_TRUE(table.deal.known_cards[2].empty());
}

}  // namespace
}  // namespace king
