// The idea of which the README tells.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "king/king.hpp"
#include "tests/positions.hpp"

namespace king {
namespace {

class Ducking : public Bot {
 public:
  std::size_t choose(const Table& table, std::span<const Action> actions) override {
    const auto rank = [](const Action& action) { return action.card ? action.card->rank() : 0; };
    std::ptrdiff_t chosen = std::ranges::min_element(actions, {}, rank) - actions.begin();
    if (actions.front().kind == ActionKind::play && table.scoring().avoids()) {
      const auto value = [&](const Action& action) { return table.beats(*action.card) ? -1 : rank(action); };
      const auto best = std::ranges::max_element(actions, {}, value);
      if (value(*best) > 0) chosen = best - actions.begin();
    }
    return chosen;
  }
};

// What it plays of a hand in a deal of a contract, after a lead.
std::string chosen(const std::string& contract, const std::string& led) {
  Table table = testing_positions::table_of("russian-14");
  testing_positions::begin_contract(table, contract, "7S 9S AS");
  testing_positions::play(table, 3, led);
  std::vector<Action> actions;
  for (const Card card : table.deal.hand) actions.push_back({.kind = ActionKind::play, .card = card});
  return actions.at(Ducking().choose(table, actions)).card->text();
}

TEST(Idea, WherePointsAreToBeAvoidedTheHighestCardIsPlayedThatDoesNotTake) {
  EXPECT_EQ(chosen("no_tricks", "TS"), "9S");
  EXPECT_EQ(chosen("no_tricks", "8S"), "7S");
  EXPECT_EQ(chosen("no_tricks", ""), "7S");
  EXPECT_EQ(chosen("tricks", "TS"), "7S");
}

}  // namespace
}  // namespace king
