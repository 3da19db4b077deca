#include "king/deal.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace king {
namespace {

constexpr int kAboveAll = 20;  // lifts trumps over every other suit

// A card's strength in a trick: below zero if it cannot win. At misère the ranks are upside down.
int power(Card card, Suit led, std::optional<Suit> trump, bool misere) {
  const int rank = misere ? 16 - card.rank() : card.rank();
  if (card.suit() == trump) return rank + kAboveAll;
  return card.suit() == led ? rank : -1;
}

}  // namespace

CardSet Trick::cards() const {
  CardSet all;
  for (const Played& played : plays) all.insert(played.card);
  return all;
}

Played Trick::winner(std::optional<Suit> trump, bool misere) const {
  return *std::ranges::max_element(
      plays, {}, [&](const Played& played) { return power(played.card, led(), trump, misere); });
}

bool Trick::is_beaten_by(Card card, std::optional<Suit> trump, bool misere) const {
  const Card best = winner(trump, misere).card;
  return power(card, led(), trump, misere) > power(best, led(), trump, misere);
}

std::optional<int> Deal::eldest() const {
  if (!dealer) return std::nullopt;
  return (*dealer + 1) % seats;
}

void Deal::on_action(int by_seat, const Action& action, ActionBy by) {
  if (action.kind == ActionKind::play) {
    on_play(by_seat, action.card.value());
  } else {
    said.push_back({by_seat, action, by});
  }
}

void Deal::on_play(int by_seat, Card card) {
  if (!trick) {
    trick = Trick{trick_number(), {}, std::nullopt};
  } else if (card.suit() != trick->led()) {
    void_cards.at(by_seat) |= CardSet::of(trick->led());
  }
  trick->plays.push_back({by_seat, card});
  fallen.insert(card);
  played_by.at(by_seat).insert(card);
  known_cards.at(by_seat).erase(card);
  if (by_seat == seat) hand.erase(card);
}

void Deal::on_gift(const Gift& gift) {
  on_talon_taken(gift.seat);
  gifts.push_back(gift);
  if (!gift.card) return;
  if (gift.seat == seat) {
    hand.erase(*gift.card);
    known_cards.at(gift.to).insert(*gift.card);
  } else {
    hand.insert(*gift.card);
  }
}

void Deal::on_talon_taken(int taker) {
  if (talon_taker) return;
  talon_taker = taker;
  if (taker == seat) {
    for (const Card card : talon) hand.insert(card);
  }
}

void Deal::on_exposed(const Played& shown) {
  exposed = shown;
  if (shown.seat != seat) known_cards.at(shown.seat).insert(shown.card);
}

void Deal::on_trick_end(int taker) {
  if (!trick) {
    throw std::logic_error("deal " + std::to_string(number) +
                           ": the end of a trick was told, but no trick is open");
  }
  trick->taker = taker;
  ++tricks_taken.at(taker);
  cards_taken.at(taker) |= trick->cards();
  tricks.push_back(*std::exchange(trick, std::nullopt));
}

}  // namespace king
