#include "king/deal.hpp"

#include <stdexcept>
#include <utility>

namespace king {

CardSet Trick::cards() const {
  CardSet all;
  for (const Played& played : plays) all.insert(played.card);
  return all;
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
