// Cards, and sets of cards.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

namespace king {

inline constexpr int kCardCount = 52;

enum class Suit : std::uint8_t { spades, hearts, diamonds, clubs };

inline constexpr std::array kSuits{Suit::spades, Suit::hearts, Suit::diamonds, Suit::clubs};

// One card. Its number, 0 to 51, is its place in a whole pack: suits S H D C, in each the ranks from 2 to the
// ace.
class Card {
 public:
  constexpr Card() = default;
  constexpr explicit Card(int number) : number_(static_cast<std::uint8_t>(number)) {}
  constexpr Card(Suit suit, int rank) : Card(static_cast<int>(suit) * 13 + rank - 2) {}

  // Reads a card written rank then suit, such as "KH"; throws std::invalid_argument for what is none.
  static Card parse(std::string_view text);

  constexpr int number() const { return number_; }
  constexpr Suit suit() const { return static_cast<Suit>(number_ / 13); }
  // 2 to 10, jack 11, queen 12, king 13, ace 14.
  constexpr int rank() const { return number_ % 13 + 2; }
  std::string text() const;

  constexpr auto operator<=>(const Card&) const = default;

 private:
  std::uint8_t number_ = 0;
};

// A set of cards; going over it gives them in the order of the pack.
class CardSet {
 public:
  class Iterator {
   public:
    using value_type = Card;
    using difference_type = std::ptrdiff_t;

    constexpr Iterator() = default;
    constexpr explicit Iterator(std::uint64_t left) : left_(left) {}
    constexpr Card operator*() const { return Card(std::countr_zero(left_)); }
    constexpr Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    constexpr Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    std::uint64_t left_ = 0;
  };

  constexpr CardSet() = default;
  constexpr CardSet(std::initializer_list<Card> cards) {
    for (const Card card : cards) insert(card);
  }

  static constexpr CardSet whole_pack() { return CardSet((std::uint64_t{1} << kCardCount) - 1); }
  static constexpr CardSet of(Suit suit) {
    return CardSet(std::uint64_t{0x1FFF} << (13 * static_cast<int>(suit)));
  }
  // The four cards of a rank.
  static constexpr CardSet of_rank(int rank) {
    CardSet cards;
    for (const Suit suit : kSuits) cards.insert(Card(suit, rank));
    return cards;
  }

  constexpr bool contains(Card card) const { return bits_ >> card.number() & 1; }
  constexpr int size() const { return std::popcount(bits_); }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr void insert(Card card) { bits_ |= std::uint64_t{1} << card.number(); }
  constexpr void erase(Card card) { bits_ &= ~(std::uint64_t{1} << card.number()); }
  // Those that come before, or after, a card in the order of the pack.
  constexpr CardSet before(Card card) const {
    return CardSet(bits_ & ((std::uint64_t{1} << card.number()) - 1));
  }
  constexpr CardSet after(Card card) const {
    return CardSet(bits_ >> card.number() >> 1 << card.number() << 1);
  }

  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(); }

  constexpr CardSet& operator|=(CardSet other) { return *this = *this | other; }
  constexpr CardSet& operator-=(CardSet other) { return *this = *this - other; }
  friend constexpr CardSet operator|(CardSet a, CardSet b) { return CardSet(a.bits_ | b.bits_); }
  friend constexpr CardSet operator&(CardSet a, CardSet b) { return CardSet(a.bits_ & b.bits_); }
  friend constexpr CardSet operator-(CardSet a, CardSet b) { return CardSet(a.bits_ & ~b.bits_); }
  constexpr bool operator==(const CardSet&) const = default;

 private:
  constexpr explicit CardSet(std::uint64_t bits) : bits_(bits) {}

  std::uint64_t bits_ = 0;  // bit n for card n
};

inline constexpr Card kKingOfHearts{Suit::hearts, 13};

}  // namespace king
