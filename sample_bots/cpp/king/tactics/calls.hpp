// Decisions that are not card play: choose, order, bid, name a trump, offer or keep, give.
#pragma once

#include <cstddef>
#include <span>

#include "king/actions.hpp"
#include "king/table.hpp"

namespace king::tactics {

// Takes any decision but the play of a card, by estimates of the hand; returns the place of the action.
std::size_t decide(const Table& table, std::span<const Action> actions);

}  // namespace king::tactics
