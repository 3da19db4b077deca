// What the sensible bot decides in simple positions.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "greedy/card_play.hpp"
#include "king/king.hpp"
#include "tests/positions.hpp"

namespace king {
namespace {

using testing_positions::begin_contract;
using testing_positions::table_of;

// The card played when all of the hand is legal.
std::string played(const Table& table) {
  std::vector<Action> actions;
  for (const Card card : table.deal.hand) actions.push_back({.kind = ActionKind::play, .card = card});
  return actions.at(greedy::play_card(table, actions)).card->text();
}

ActionKind decided(const Table& table, const std::vector<Action>& actions) {
  return actions.at(tactics::decide(table, actions)).kind;
}

Table table_in(const std::string& contract, const std::string& hand) {
  Table table = table_of("russian-14");
  begin_contract(table, contract, hand);
  return table;
}

TEST(CardPlay, DucksWithItsHighestLoser) {
  Table table = table_in("no_tricks", "7S TS KS");
  testing_positions::play(table, 3, "JS");
  EXPECT_EQ(played(table), "TS");
}

TEST(CardPlay, ThrowsWhatScoresMost) {
  Table table = table_in("no_king", "AH KH AC");
  testing_positions::play(table, 3, "7S");
  EXPECT_EQ(played(table), "KH");
}

TEST(CardPlay, LeadsLowWhereTricksHurt) { EXPECT_EQ(played(table_in("no_tricks", "AS 8H KD")), "8H"); }

TEST(CardPlay, LeadsHighWhereTricksAreWanted) { EXPECT_EQ(played(table_in("tricks", "AS 8H KD")), "AS"); }

TEST(CardPlay, TheLastSeatTakesAsCheaplyAsItCan) {
  Table table = table_in("tricks", "7S QS AS");
  testing_positions::play(table, 1, "8S JS TS");
  EXPECT_EQ(played(table), "QS");
}

TEST(CardPlay, ARuffIsCheap) {
  Table table = table_in("trumps", "7D AD KH");
  table.deal.contract->trump = Suit::diamonds;
  testing_positions::play(table, 1, "8S JS TS");
  EXPECT_EQ(played(table), "7D");
}

TEST(CardPlay, InMisereTheRanksAreUpsideDown) {
  Table table = table_of("classic[redemption=praise]", {{"redemption", "praise"}});
  begin_contract(table, "trumps", "2S AS");
  table.deal.contract->misere = true;
  EXPECT_EQ(played(table), "2S");
}

TEST(CardPlay, BeforeTheLastTricksItIsRidOfHighCards) {
  EXPECT_EQ(played(table_in("no_last_two", "7S AS KD")), "AS");
}

TEST(Tactics, ChancesOfASuitAddUpToItsShare) {
  const Table table = table_of("russian-14");
  EXPECT_DOUBLE_EQ(tactics::chance_to_win(table, Card::parse("AS"), testing_positions::cards("AS")), 1.0);
  EXPECT_DOUBLE_EQ(tactics::chance_to_win(table, Card::parse("7S"), testing_positions::cards("7S")), 0.0);
  EXPECT_DOUBLE_EQ(tactics::chance_to_win(table, Card::parse("7S"), testing_positions::cards("7S"), true),
                   1.0);
}

TEST(Tactics, ChoosesWhatSuitsTheHand) {
  Table table = table_of("turkish-20");
  table.deal.hand = testing_positions::cards("2H 3H 4H 5H 2D 3D 4D 5D 2C 3C AS KS 2S");
  const std::vector<Action> actions{
      {.kind = ActionKind::choose, .contract = "trumps", .trump = Suit::hearts},
      {.kind = ActionKind::choose, .contract = "no_hearts"},
  };
  EXPECT_EQ(tactics::decide(table, actions), 1U);
}

TEST(Tactics, BidsForAStrongHandOnly) {
  Table table = table_of("auction-11");
  const std::vector<Action> actions{
      {.kind = ActionKind::pass},
      {.kind = ActionKind::bid, .tricks = 2},
      {.kind = ActionKind::bid, .tricks = 3},
  };
  table.deal.hand = testing_positions::cards("AS KS QS JS TS 9S AH AD");
  EXPECT_EQ(tactics::decide(table, actions), 1U);
  table.deal.hand = testing_positions::cards("7S 8S 7H 8H 7D 8D 7C 8C");
  EXPECT_EQ(decided(table, actions), ActionKind::pass);
}

TEST(Tactics, KeepsAGoodGameAndSellsAPoorOne) {
  Table table = table_of("classic[redemption=praise]", {{"redemption", "praise"}});
  const std::vector<Action> actions{{.kind = ActionKind::offer}, {.kind = ActionKind::keep}};
  const Action spades{.kind = ActionKind::name_trump, .trump = Suit::spades};
  table.deal.on_action(0, spades, ActionBy::bot);
  table.deal.hand = testing_positions::cards("AS KS QS JS TS 9S 8S 7S AH KH AD AC KC");
  EXPECT_EQ(decided(table, actions), ActionKind::keep);
  table.deal.hand = testing_positions::cards("2S 3S 2H 3H 4H 5H 2D 3D 4D 5D 2C 3C 4C");
  EXPECT_EQ(decided(table, actions), ActionKind::offer);
}

TEST(Tactics, GivesASmallSideCardAway) {
  Table table = table_of("classic[redemption=talon]", {{"redemption", "talon"}});
  table.deal.hand = testing_positions::cards("AS KS QS 2S 2D AH");
  std::vector<Action> actions;
  for (const Card card : table.deal.hand)
    actions.push_back({.kind = ActionKind::give, .card = card, .to = 1});
  EXPECT_EQ(actions.at(tactics::decide(table, actions)).card, Card::parse("2D"));
}

}  // namespace
}  // namespace king
