// The C++ kit for King Arena bots. It speaks the protocol, keeps a view of each table from the referee's
// messages, and asks the bot only for decisions: derive from `Bot`, write `choose`, and return `run(bot)`
// from main.
#pragma once

#include "king/actions.hpp"
#include "king/bot.hpp"
#include "king/cards.hpp"
#include "king/deal.hpp"
#include "king/scoring.hpp"
#include "king/table.hpp"
#include "king/tactics/calls.hpp"
#include "king/tactics/estimates.hpp"
