// The facts of the variants that the protocol does not send: the pack, and what a contract counts.
//
// What is legal is not decided here: the referee's requests say that.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "king/cards.hpp"

namespace king {

// Every option of a variant, resolved: name to value as text.
using Options = std::map<std::string, std::string, std::less<>>;

// What one contract counts, in points for whoever takes it: below zero what a player avoids.
struct Scoring {
  int each_trick = 0;
  std::array<int, kCardCount> card_points{};
  std::map<int, int> tricks{};  // by number, from 1

  int points_of(Card card) const { return card_points[card.number()]; }
  // The cards that count.
  CardSet counted_cards() const;
  // The points of numbered tricks, added up.
  int numbered_points() const;
  // Whether the contract is a penalty.
  bool avoids() const;
  // The points of trick `number` when it holds `cards`.
  int trick_points(int number, CardSet cards) const;
};

using Scorings = std::map<std::string, Scoring, std::less<>>;

// The cards of a variant, given its id without options; throws std::invalid_argument for an unknown one.
CardSet pack_of(std::string_view base_id, const Options& options);

// What each contract of a variant counts, by contract id; throws as `pack_of`.
Scorings scorings_of(std::string_view base_id, const Options& options);

}  // namespace king
