#include "king/scoring.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>

namespace king {
namespace {

constexpr CardSet kHearts = CardSet::of(Suit::hearts);
constexpr CardSet kJacks = CardSet::of_rank(11);
constexpr CardSet kQueens = CardSet::of_rank(12);
constexpr CardSet kKings = CardSet::of_rank(13);
constexpr CardSet kTheKing{kKingOfHearts};

bool has(const Options& options, std::string_view name, std::string_view value) {
  const auto found = options.find(name);
  return found != options.end() && found->second == value;
}

Scoring tricks(int points) { return {.each_trick = points}; }

Scoring cards(CardSet counted, int points) {
  Scoring scoring;
  for (const Card card : counted) scoring.card_points[card.number()] = points;
  return scoring;
}

Scoring numbered(std::map<int, int> points) { return {.tricks = std::move(points)}; }

// All the parts at once; with `sign` -1 what was a penalty is a gain.
Scoring jumble(const Scorings& parts, int sign = 1) {
  Scoring all;
  for (const auto& [contract, part] : parts) {
    all.each_trick += sign * part.each_trick;
    for (int card = 0; card < kCardCount; ++card) all.card_points[card] += sign * part.card_points[card];
    for (const auto& [number, points] : part.tricks) all.tricks[number] += sign * points;
  }
  return all;
}

Scorings russian_of_sign(const Options& options, int sign) {
  const bool jacks_too = has(options, "boys", "kings_and_jacks");
  Scorings found{
      {"tricks", tricks(2 * sign)},
      {"boys", jacks_too ? cards(kKings | kJacks, 2 * sign) : cards(kKings, 4 * sign)},
      {"girls", cards(kQueens, 4 * sign)},
      {"hearts", cards(kHearts, 2 * sign)},
      {"king", cards(kTheKing, 16 * sign)},
      {"last_two", numbered({{7, 8 * sign}, {8, 8 * sign}})},
  };
  found.emplace("jumble", jumble(found));
  return found;
}

Scorings russian(const Options& options) {
  Scorings found = russian_of_sign(options, 1);
  for (const auto& [contract, scoring] : russian_of_sign(options, -1))
    found.emplace("no_" + contract, scoring);
  found.emplace("trumps", tricks(6));
  return found;
}

Scorings classic(const Options& options) {
  const bool three = has(options, "seats", "3");
  const int size = pack_of("classic", options).size() / (three ? 3 : 4);
  const int last = three ? 140 : 150;
  Scorings found{
      {"no_tricks", tricks(three ? -15 : -20)},
      {"no_hearts", cards(kHearts, -20)},
      {"no_girls", cards(kQueens, -60)},
      {"no_boys", cards(kKings | kJacks, three ? -30 : -40)},
      {"no_king", cards(kTheKing, three ? -140 : -150)},
      {"no_last", has(options, "last", "two") ? numbered({{size - 1, -last / 2}, {size, -last / 2}})
                                              : numbered({{size, -last}})},
  };
  const Scorings parts = found;
  found.emplace("no_jumble", jumble(parts));
  found.emplace("jumble", jumble(parts, -1));
  found.emplace("trumps", tricks(has(options, "redemption", "praise") ? 30 : 25));
  return found;
}

Scorings chooser(const Options& options) {
  const int last = has(options, "last_points", "12") ? 12 : 8;
  return {
      {"no_tricks", tricks(-2)},
      {"no_hearts", cards(kHearts, -2)},
      {"no_girls", cards(kQueens, -4)},
      {"no_jacks", cards(kJacks, -2)},
      {"no_king", cards(kTheKing, -16)},
      {"no_last", numbered({{13, -last}})},
      {"no_7th_13th", numbered({{7, -8}, {13, -8}})},
      {"tricks", tricks(2)},
      {"hearts", cards(kHearts, 2)},
      {"girls", cards(kQueens, 4)},
      {"king", cards(kTheKing, 16)},
      {"last", numbered({{13, last}})},
  };
}

Scorings turkish() {
  return {
      {"no_tricks", tricks(-50)},
      {"no_hearts", cards(kHearts, -30)},
      {"no_boys", cards(kKings | kJacks, -60)},
      {"no_girls", cards(kQueens, -100)},
      {"no_king", cards(kTheKing, -320)},
      {"no_last_two", numbered({{12, -180}, {13, -180}})},
      {"trumps", tricks(50)},
  };
}

// Of those with 14 contracts, 32 cards and one list of prices; throws for an unknown one.
void check_russian(std::string_view base_id) {
  constexpr std::array<std::string_view, 5> kRussian{"russian-14", "base-14", "ordered-56", "auction-11",
                                                     "trump-11"};
  if (std::ranges::find(kRussian, base_id) != kRussian.end()) return;
  throw std::invalid_argument("this kit does not know the variant \"" + std::string(base_id) +
                              "\": add it to king/scoring.cpp");
}

}  // namespace

CardSet Scoring::counted_cards() const {
  CardSet counted;
  for (const Card card : CardSet::whole_pack()) {
    if (points_of(card) != 0) counted.insert(card);
  }
  return counted;
}

int Scoring::numbered_points() const {
  return std::accumulate(tricks.begin(), tricks.end(), 0,
                         [](int sum, const auto& trick) { return sum + trick.second; });
}

bool Scoring::avoids() const {
  return each_trick + std::accumulate(card_points.begin(), card_points.end(), 0) + numbered_points() < 0;
}

int Scoring::trick_points(int number, CardSet cards) const {
  const auto found = tricks.find(number);
  int points = each_trick + (found == tricks.end() ? 0 : found->second);
  for (const Card card : cards) points += points_of(card);
  return points;
}

CardSet pack_of(std::string_view base_id, const Options& options) {
  const CardSet whole = CardSet::whole_pack();
  CardSet low_cards;
  for (int rank = 2; rank < 7; ++rank) low_cards |= CardSet::of_rank(rank);
  const bool three = has(options, "seats", "3");
  if (base_id == "turkish-20") return whole;
  if (base_id == "chooser-12") return three ? whole - CardSet::of(Suit::diamonds) : whole;
  if (base_id != "classic") {
    check_russian(base_id);
    return whole - low_cards;
  }
  if (has(options, "pack", "32")) {
    const CardSet black_sevens{Card(Suit::spades, 7), Card(Suit::clubs, 7)};
    return three ? whole - low_cards - black_sevens : whole - low_cards;
  }
  return three ? whole - CardSet{Card(Suit::clubs, 2)} : whole;
}

Scorings scorings_of(std::string_view base_id, const Options& options) {
  if (base_id == "classic") return classic(options);
  if (base_id == "chooser-12") return chooser(options);
  if (base_id == "turkish-20") return turkish();
  check_russian(base_id);
  return russian(options);
}

}  // namespace king
