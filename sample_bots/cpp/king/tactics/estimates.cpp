#include "king/tactics/estimates.hpp"

#include <algorithm>

namespace king::tactics {
namespace {

constexpr double kTrumpFloor =
    0.45;  // the chance of the smallest trump of an average holding to make a trick
constexpr double kTrumpLength = 0.12;  // added to it for each trump above the average holding
constexpr double kRuffed = 0.8;        // what a side suit's winners are worth against trumps

// The chance that the trick with `card` is ours: our own low ones leave us, those under our high ones come.
double chance_to_take(const Table& table, Card card, CardSet hand, double share) {
  const CardSet suit = CardSet::of(card.suit()) & hand;
  if (hand.contains(card)) {
    const double short_suit = suit.size() <= 2 ? 0.1 : 0.0;
    return std::min(1.0, 0.15 + 0.6 * chance_to_win(table, card, hand) + short_suit);
  }
  const double above = suit.empty() ? 0.0 : static_cast<double>(suit.after(card).size()) / suit.size();
  return 0.5 * share + 0.5 * above * 0.6;
}

}  // namespace

double chance_to_win(const Table& table, Card card, CardSet hand, bool misere) {
  const CardSet others = (CardSet::of(card.suit()) & table.pack) - hand;
  if (others.empty()) return 1.0;
  const CardSet lower = misere ? others.after(card) : others.before(card);
  const double each = static_cast<double>(lower.size()) / others.size();
  double all = 1.0;
  for (int seat = 1; seat < table.seats; ++seat) all *= each;
  return all;
}

double expected_tricks(const Table& table, CardSet hand, Game game) {
  const CardSet trumps = game.trump ? CardSet::of(*game.trump) : CardSet();
  const double surplus = (hand & trumps).size() - hand.size() / 4.0;
  double tricks = 0.0;
  for (const Card card : hand) {
    const double chance = chance_to_win(table, card, hand, game.misere);
    if (trumps.contains(card)) {
      tricks += std::min(1.0, std::max(chance, kTrumpFloor + kTrumpLength * surplus));
    } else {
      tricks += game.trump ? chance * kRuffed : chance;
    }
  }
  return tricks + static_cast<double>(std::max(0, table.hand_size() - hand.size())) / table.seats;
}

double fair_share(const Table& table) { return static_cast<double>(table.hand_size()) / table.seats; }

double expected_points(const Table& table, CardSet hand, std::string_view contract,
                       std::optional<Suit> trump) {
  const Scoring& scoring = table.scoring_of(contract);
  const double tricks = expected_tricks(table, hand, {.trump = trump});
  const double share = tricks / table.hand_size();
  double points = scoring.each_trick * tricks + scoring.numbered_points() * share;
  for (const Card card : scoring.counted_cards() & table.pack) {
    points += scoring.points_of(card) * chance_to_take(table, card, hand, share);
  }
  return points;
}

double edge(const Table& table, CardSet hand, std::string_view contract, std::optional<Suit> trump) {
  const double average = static_cast<double>(pack_total(table, table.scoring_of(contract))) / table.seats;
  return expected_points(table, hand, contract, trump) - average;
}

int pack_total(const Table& table, const Scoring& scoring) {
  int points = scoring.each_trick * table.hand_size() + scoring.numbered_points();
  for (const Card card : table.pack) points += scoring.points_of(card);
  return points;
}

TrumpChoice best_trump(const Table& table, CardSet hand) {
  TrumpChoice best{kSuits.front(), -1.0};
  for (const Suit suit : kSuits) {
    const double tricks = expected_tricks(table, hand, {.trump = suit});
    if (tricks > best.tricks) best = {suit, tricks};
  }
  return best;
}

}  // namespace king::tactics
