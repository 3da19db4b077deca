// What a hand is worth: quick estimates of the points that a contract would bring, from our own cards alone.
//
// Rough on purpose: a searching bot does better.
#pragma once

#include <optional>
#include <string_view>

#include "king/cards.hpp"
#include "king/table.hpp"

namespace king::tactics {

// How a deal would be played: with a trump, without one, or with the ranks upside down.
struct Game {
  std::optional<Suit> trump = std::nullopt;
  bool misere = false;
};

// The chance that `card` is the highest when every seat follows it; averages to a fair share over a suit.
double chance_to_win(const Table& table, Card card, CardSet hand, bool misere = false);

// The tricks that a hand makes; cards of it that are not dealt yet count as a fair share each.
double expected_tricks(const Table& table, CardSet hand, Game game = {});

// A seat's share of the tricks of a deal.
double fair_share(const Table& table);

// The points that a contract brings with this hand.
double expected_points(const Table& table, CardSet hand, std::string_view contract,
                       std::optional<Suit> trump);

// How much better than an average hand this one is in a contract, in points.
double edge(const Table& table, CardSet hand, std::string_view contract, std::optional<Suit> trump);

// The points of a contract that all seats share.
int pack_total(const Table& table, const Scoring& scoring);

struct TrumpChoice {
  Suit suit;
  double tricks;
};

// The suit that makes most tricks as trump, and those tricks.
TrumpChoice best_trump(const Table& table, CardSet hand);

}  // namespace king::tactics
