// The deal in progress, as one seat sees it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "king/actions.hpp"
#include "king/cards.hpp"

namespace king {

// There are three or four seats; lists by seat have room for four.
template <typename T>
using BySeat = std::array<T, 4>;

// A card on the table, and who played it.
struct Played {
  int seat;
  Card card;
};

// An action other than playing or giving a card: who took it and how it came about.
struct Said {
  int seat;
  Action action;
  ActionBy by;
};

// A card given by the declarer of a talon deal; `card` is empty where it is not ours to know.
struct Gift {
  int seat;
  int to;
  std::optional<Card> card;
};

// One trick, open or complete.
struct Trick {
  int number;  // from 1
  std::vector<Played> plays;
  std::optional<int> taker;

  int leader() const { return plays.front().seat; }
  Suit led() const { return plays.front().card.suit(); }
  CardSet cards() const;
  // The play that takes the trick as it lies: its highest trump, or else its highest of the suit led.
  Played winner(std::optional<Suit> trump, bool misere) const;
  // Whether a card would take the trick as it lies.
  bool is_beaten_by(Card card, std::optional<Suit> trump, bool misere) const;
};

// What is played for; nothing of it holds before `contract` is set.
struct Contract {
  std::string id{};
  std::optional<int> declarer{};
  std::optional<Suit> trump{};
  bool misere = false;  // whether the ranks are upside down
  std::optional<int> price{};
};

// A bot only reads; the functions `on_...` are called by the SDK, one for each message of the protocol.
struct Deal {
  int number = 0;  // from 1
  std::optional<int> dealer;
  std::optional<int> chooser;
  int seat = 0;  // ours
  int seats = 4;
  CardSet pack;
  CardSet hand;
  std::optional<Contract> contract;
  std::vector<Said> said;
  std::vector<Card> talon;
  std::optional<int> talon_taker;
  std::vector<Gift> gifts;
  std::optional<Played> exposed;  // shown to all, and still in that seat's hand until played
  std::optional<Trick> trick;     // the open trick; empty before a lead
  std::vector<Trick> tricks;      // complete ones
  BySeat<int> tricks_taken{};
  BySeat<CardSet> cards_taken{};
  BySeat<CardSet> played_by{};
  BySeat<CardSet> void_cards{};   // what a seat cannot hold, as it showed not to have the suit
  BySeat<CardSet> known_cards{};  // cards in other hands that we know of: gifts of ours, the exposed card
  CardSet fallen;                 // every card played, the open trick's too

  // The seat after the dealer, where there is a dealer.
  std::optional<int> eldest() const;
  // The cards that are in other hands (or not dealt yet), for all we know.
  CardSet unseen() const { return pack - hand - fallen; }
  // The number of the trick that is open or about to be led, from 1.
  int trick_number() const { return static_cast<int>(tricks.size()) + 1; }
  std::optional<Suit> trump() const { return contract ? contract->trump : std::nullopt; }
  bool is_misere() const { return contract && contract->misere; }

  void on_action(int by_seat, const Action& action, ActionBy by);
  void on_gift(const Gift& gift);
  // The declarer takes the talon: known by the first gift, or by our being asked for one.
  void on_talon_taken(int taker);
  void on_exposed(const Played& shown);
  // Throws std::logic_error if no trick is open.
  void on_trick_end(int taker);

 private:
  void on_play(int by_seat, Card card);
};

}  // namespace king
