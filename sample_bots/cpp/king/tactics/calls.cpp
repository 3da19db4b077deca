#include "king/tactics/calls.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <ranges>
#include <utility>

#include "king/tactics/estimates.hpp"

namespace king::tactics {
namespace {

constexpr double kOrderEdge = 0.06;    // an order is worth it from this share of the contract's total
constexpr double kSelfReliance = 0.5;  // tricks by which our own game must beat the price that others may pay

using Actions = std::span<const Action>;
using Place = Actions::iterator;

Place find(Actions actions, ActionKind kind) { return std::ranges::find(actions, kind, &Action::kind); }

bool has(Actions actions, ActionKind kind) { return find(actions, kind) != actions.end(); }

// Those of one kind, which stand beside each other.
Actions only(Actions actions, ActionKind kind) {
  const auto place = find(actions, kind);
  const auto end =
      std::find_if(place, actions.end(), [kind](const Action& action) { return action.kind != kind; });
  return {place, end};
}

// The first of the actions that are worth most.
template <typename Worth>
Place best_of(Actions actions, Worth worth) {
  return std::ranges::max_element(actions, {}, worth);
}

bool is_game(ActionKind kind) {
  return kind == ActionKind::name_trump || kind == ActionKind::by_last || kind == ActionKind::misere ||
         kind == ActionKind::two_tricks_each;
}

// The card that decides is not dealt yet: each suit is about as likely, and one more card of it is ours.
double tricks_by_last(const Table& table, CardSet hand) {
  double sum = 0.0;
  int suits = 0;
  for (const Suit suit : kSuits) {
    if ((CardSet::of(suit) & table.pack).empty()) continue;
    sum += expected_tricks(table, hand, {.trump = suit});
    ++suits;
  }
  return sum / suits + 0.25;
}

// The tricks expected in a game that can be named; two tricks each is worth no more than an average one.
double tricks_in(const Table& table, CardSet hand, const Action& game) {
  switch (game.kind) {
    case ActionKind::by_last:
      return tricks_by_last(table, hand);
    case ActionKind::misere:
      return expected_tricks(table, hand, {.misere = true});
    case ActionKind::two_tricks_each:
      return fair_share(table);
    default:
      return expected_tricks(table, hand, {.trump = game.trump});
  }
}

// The card that we miss least: a small one of a short side suit.
Card worst(const Table& table, CardSet hand) {
  const Suit trump = best_trump(table, hand).suit;
  const auto worth = [&](Card card) {
    const int length = (hand & CardSet::of(card.suit())).size();
    return std::pair(card.suit() == trump,
                     chance_to_win(table, card, hand) + 0.02 * length + 0.002 * card.rank());
  };
  Card least = *hand.begin();
  for (const Card card : hand) {
    if (worth(card) < worth(least)) least = card;
  }
  return least;
}

// The hand after taking the talon and giving away as many of the worst cards.
CardSet with_talon(const Table& table) {
  CardSet hand = table.deal.hand;
  if (table.deal.talon.empty() || table.deal.talon_taker) return hand;
  for (const Card card : table.deal.talon) hand.insert(card);
  for (int seat = 1; seat < table.seats; ++seat) hand.erase(worst(table, hand));
  return hand;
}

Place choose(const Table& table, Actions actions) {
  return best_of(actions, [&](const Action& action) {
    return edge(table, table.deal.hand, action.contract, action.trump);
  });
}

// Orders the contract that suits us best, or passes if none does and passing is allowed.
Place order(const Table& table, Actions actions) {
  const auto gain = [&](const Action& action) {
    const int total = std::abs(pack_total(table, table.scoring_of(action.contract)));
    return edge(table, table.deal.hand, action.contract, std::nullopt) / total;
  };
  const auto best = best_of(only(actions, ActionKind::order), gain);
  const bool passes = has(actions, ActionKind::pass) && gain(*best) < kOrderEdge;
  return passes ? find(actions, ActionKind::pass) : best;
}

// The most tricks worth bidding: what our own game makes beyond what somebody else's would leave us.
double highest_price(const Table& table) {
  const double gain = best_trump(table, with_talon(table)).tricks - fair_share(table);
  // Outside of the classic sale a bid is lost to all, so that the rest must only beat a defender's share.
  return table.base_id == "classic" ? gain - kSelfReliance : gain;
}

// Bids as little as will do, while the game is worth its price to us.
Place bid(const Table& table, Actions actions) {
  const auto bids = only(actions, ActionKind::bid);
  const auto lowest = std::ranges::min_element(bids, {}, &Action::tricks);
  const bool passes = has(actions, ActionKind::pass) && lowest->tricks.value_or(0) > highest_price(table);
  return passes ? find(actions, ActionKind::pass) : lowest;
}

// The tricks expected in the game that we have just named, or would name.
double named_tricks(const Table& table) {
  const CardSet hand = with_talon(table);
  for (const Said& said : table.deal.said | std::views::reverse) {
    if (said.seat == table.seat && is_game(said.action.kind)) return tricks_in(table, hand, said.action);
  }
  return best_trump(table, hand).tricks;
}

// Keeps a good game; a poor one is better sold, for somebody pays for it.
Place offer_or_keep(const Table& table, Actions actions) {
  const bool is_good = named_tricks(table) - fair_share(table) > kSelfReliance;
  return find(actions, is_good ? ActionKind::keep : ActionKind::offer);
}

// Gives the worst card of the hand, trumps last.
Place give(const Table& table, Actions actions) {
  CardSet held;
  for (const Action& action : actions) held.insert(action.card.value());
  return std::ranges::find(actions, std::optional(worst(table, held)), &Action::card);
}

// Names the game that makes most tricks. Two tricks each is what remains when none makes a fair share.
Place name(const Table& table, Actions actions) {
  return best_of(actions, [&](const Action& game) { return tricks_in(table, table.deal.hand, game); });
}

Place decision(const Table& table, Actions actions) {
  if (has(actions, ActionKind::choose)) return choose(table, actions);
  if (has(actions, ActionKind::order)) return order(table, actions);
  if (has(actions, ActionKind::bid)) return bid(table, actions);
  if (has(actions, ActionKind::offer)) return offer_or_keep(table, actions);
  if (has(actions, ActionKind::give)) return give(table, actions);
  return name(table, actions);
}

}  // namespace

std::size_t decide(const Table& table, std::span<const Action> actions) {
  return static_cast<std::size_t>(decision(table, actions) - actions.begin());
}

}  // namespace king::tactics
