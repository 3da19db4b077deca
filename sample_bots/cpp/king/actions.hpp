// What a seat can do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "king/cards.hpp"

namespace king {

// The kinds of action, numbered as in the protocol and in the order in which legal actions are listed.
enum class ActionKind : std::uint8_t {
  play = 1,
  choose,
  order,
  pass,
  bid,
  name_trump,
  by_last,
  misere,
  two_tricks_each,
  offer,
  keep,
  give,
};

// How an action came about.
enum class ActionBy : std::uint8_t { bot = 1, forced, stand_in };

// One action. A field that its kind does not use is empty.
struct Action {
  ActionKind kind{};
  std::optional<Card> card{};   // play, give
  std::string contract{};       // choose, order
  std::optional<Suit> trump{};  // name_trump; choose, where the choice includes a suit
  std::optional<int> tricks{};  // bid
  std::optional<int> to{};      // give: the seat that gets the card

  bool operator==(const Action&) const = default;
};

}  // namespace king
