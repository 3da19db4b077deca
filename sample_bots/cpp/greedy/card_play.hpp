// Card play by simple rules: what is wanted of this trick, from the hand and the cards on the table.
//
// Where points are to be avoided it ducks, throws what is dangerous, and leads low; where they are wanted it
// does the opposite. It remembers nothing of earlier tricks.
#pragma once

#include <cstddef>
#include <span>

#include "king/king.hpp"

namespace greedy {

// The place of the card to play among the legal ones.
std::size_t play_card(const king::Table& table, std::span<const king::Action> plays);

}  // namespace greedy
