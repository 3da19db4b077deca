#include "greedy/card_play.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <tuple>
#include <vector>

namespace greedy {
namespace {

using king::Card;
using Cards = std::vector<Card>;

constexpr int kAboveAll = 20;  // lifts trumps over every other suit

template <typename Key>
Card least(const Cards& cards, Key key) {
  return *std::ranges::min_element(cards, {}, key);
}

template <typename Key>
Card most(const Cards& cards, Key key) {
  return *std::ranges::max_element(cards, {}, key);
}

template <typename Condition>
Cards those(const Cards& cards, Condition condition) {
  Cards found;
  std::ranges::copy_if(cards, std::back_inserter(found), condition);
  return found;
}

// One decision: the deal, and what counts in it.
class Turn {
 public:
  explicit Turn(const king::Table& table)
      : deal_(table.deal), scoring_(table.scoring()), seats_(table.seats) {}

  Card pick(const Cards& cards) const {
    const bool avoids = scoring_.avoids();
    if (is_idle()) return avoids ? strongest(cards) : weakest(cards);
    if (!deal_.trick) return avoids ? lead_to_avoid(cards) : lead_to_take(cards);
    return follow(cards, avoids);
  }

 private:
  // The card's strength in a trick: below zero if it cannot win, trumps above all.
  int power(Card card, king::Suit led) const {
    const int rank = deal_.is_misere() ? 16 - card.rank() : card.rank();
    if (is_trump(card)) return rank + kAboveAll;
    return card.suit() == led ? rank : -1;
  }

  // The card's strength if its own suit is led.
  int strength(Card card) const { return power(card, card.suit()); }

  bool is_trump(Card card) const { return deal_.trump() == card.suit(); }

  // What the card scores for its taker.
  int worth(Card card) const { return scoring_.points_of(card); }

  // What the open trick is worth so far.
  int open_points() const {
    return scoring_.trick_points(deal_.trick_number(), deal_.trick ? deal_.trick->cards() : king::CardSet());
  }

  // Whether only later tricks score: the time to be rid of what will hurt then, or to save what will win.
  bool is_idle() const {
    const bool late_only = scoring_.each_trick == 0 && scoring_.counted_cards().empty();
    return late_only && !scoring_.tricks.empty() && deal_.trick_number() < scoring_.tricks.begin()->first;
  }

  Card strongest(const Cards& cards) const {
    return most(cards, [this](Card card) { return strength(card); });
  }

  Card weakest(const Cards& cards) const {
    return least(cards, [this](Card card) { return strength(card); });
  }

  // Leads low, and nothing that scores.
  Card lead_to_avoid(const Cards& cards) const {
    return least(cards, [this](Card card) { return std::tuple(worth(card) < 0, card.rank()); });
  }

  // Leads the strongest card, a side suit's before a trump as high.
  Card lead_to_take(const Cards& cards) const {
    return most(cards, [this](Card card) { return std::tuple(strength(card) % kAboveAll, !is_trump(card)); });
  }

  Card follow(const Cards& cards, bool avoids) const {
    const king::Trick& trick = *deal_.trick;
    int best = -1;
    for (const king::Played& played : trick.plays) best = std::max(best, power(played.card, trick.led()));
    const auto wins = [&](Card card) { return power(card, trick.led()) > best; };
    const Cards winning = those(cards, wins);
    const Cards losing = those(cards, std::not_fn(wins));
    const bool is_last = static_cast<int>(trick.plays.size()) == seats_ - 1;
    return avoids ? follow_to_avoid(winning, losing, is_last) : follow_to_take(winning, losing, is_last);
  }

  // Stays below with what is most dangerous; if that fails, takes with as little harm as can be.
  Card follow_to_avoid(const Cards& winning, const Cards& losing, bool is_last) const {
    if (is_last && open_points() == 0) {
      const Cards free = those(winning, [this](Card card) { return worth(card) == 0; });
      if (!free.empty()) return most(free, &Card::rank);
    }
    if (!losing.empty()) {
      return least(losing, [this](Card card) { return std::tuple(worth(card), -card.rank()); });
    }
    if (is_last) {
      return most(winning, [this](Card card) { return std::tuple(worth(card), card.rank()); });
    }
    return least(winning, [this](Card card) { return std::tuple(worth(card) < 0, card.rank()); });
  }

  // Takes what is worth taking, the last seat as cheaply as it can; otherwise throws the least.
  Card follow_to_take(const Cards& winning, const Cards& losing, bool is_last) const {
    const bool is_worthless = is_last && !losing.empty() && open_points() == 0;
    if (winning.empty() || is_worthless) return throw_least(losing.empty() ? winning : losing);
    const auto in_trick = [this](Card card) { return power(card, deal_.trick->led()); };
    if (is_last || std::ranges::all_of(winning, [this](Card card) { return is_trump(card); })) {
      return least(winning, [&](Card card) { return std::tuple(-worth(card), in_trick(card)); });
    }
    return most(winning, in_trick);
  }

  Card throw_least(const Cards& cards) const {
    return least(cards,
                 [this](Card card) { return std::tuple(worth(card), is_trump(card), strength(card)); });
  }

  const king::Deal& deal_;
  const king::Scoring& scoring_;
  int seats_;
};

}  // namespace

std::size_t play_card(const king::Table& table, std::span<const king::Action> plays) {
  Cards cards;
  for (const king::Action& action : plays) cards.push_back(action.card.value());
  const Card chosen = Turn(table).pick(cards);
  return static_cast<std::size_t>(std::ranges::find(cards, chosen) - cards.begin());
}

}  // namespace greedy
