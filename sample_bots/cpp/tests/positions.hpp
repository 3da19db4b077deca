// Positions for tests, in few words.
#pragma once

#include <sstream>
#include <string>

#include "king/king.hpp"

namespace king::testing_positions {

// Cards written as "KH 7S".
inline CardSet cards(const std::string& text) {
  CardSet set;
  std::istringstream words(text);
  for (std::string word; words >> word;) set.insert(Card::parse(word));
  return set;
}

// A table whose first deal has begun, with us at seat 0.
inline Table table_of(const std::string& variant, Options options = {}) {
  Table table({.variant = variant, .options = std::move(options)});
  table.on_deal_start(1, 3, std::nullopt);
  return table;
}

inline void begin_contract(Table& table, const std::string& contract, const std::string& hand) {
  table.deal.contract = Contract{.id = contract};
  table.deal.hand = cards(hand);
}

// Plays cards in turn from a seat on.
inline void play(Table& table, int first, const std::string& text) {
  std::istringstream words(text);
  int seat = first;
  for (std::string word; words >> word; ++seat) {
    const Action action{.kind = ActionKind::play, .card = Card::parse(word)};
    table.deal.on_action(seat % table.seats, action, ActionBy::bot);
  }
}

}  // namespace king::testing_positions
