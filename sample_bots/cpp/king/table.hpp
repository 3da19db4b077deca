// One match, as one seat sees it: everything a bot may know, and nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "king/actions.hpp"
#include "king/cards.hpp"
#include "king/deal.hpp"
#include "king/scoring.hpp"

namespace king {

// The clock of a process: until ready, added for each request, and at most in the bank.
struct TimeControl {
  std::chrono::milliseconds start{};
  std::chrono::milliseconds increment{};
  std::chrono::milliseconds bank{};
};

// What is said of a match as it begins.
struct MatchTerms {
  std::string variant{};  // with its options, such as "turkish-20[limits=free]"
  Options options{};      // every option, resolved, as text
  int seats = 4;
  int seat = 0;    // ours
  int number = 0;  // the referee's number for this table on our stream
  std::string match_id{};
  std::string deal_commitment{};  // in a season, the SHA-256 of the board's secret, 64 hex digits
  TimeControl time_control{};
};

// What is remembered of a deal that is over; points by seat.
struct FinishedDeal {
  int number;
  std::optional<Contract> contract;
  std::vector<int> points;
};

// A seat that was taken from its bot: what it did, and the deal and action at which the stand-in took over.
struct Forfeit {
  int seat;
  std::string kind;
  int deal;
  int action;
};

// A bot only reads; the functions `on_...` are called by the SDK, one for each message of the protocol.
class Table : public MatchTerms {
 public:
  // Throws std::invalid_argument if the kit does not have the variant.
  explicit Table(MatchTerms terms);

  std::string base_id;  // the variant without its options
  CardSet pack;
  Deal deal;
  std::vector<FinishedDeal> finished;
  std::vector<int> totals;
  std::vector<int> places;  // once the match is over
  std::vector<Forfeit> forfeits;
  std::string aborted;  // why the match ended without a result; empty otherwise

  // The number of tricks of a deal.
  int hand_size() const { return pack.size() / seats; }
  // The other seats, in playing order from ours.
  std::vector<int> opponents() const;
  // The play that takes the open trick as it lies; empty when we lead.
  std::optional<Played> winner() const;
  // Whether a card, played now, would take the open trick as it lies; a card that is led does.
  bool beats(Card card) const;
  // What the contract in progress counts; throws std::out_of_range before one is set.
  const Scoring& scoring() const;
  // What a contract of this variant counts; throws std::out_of_range if it has no such contract.
  const Scoring& scoring_of(std::string_view contract) const;
  // By seat, the points that the complete tricks of this deal are worth; payments for a price left out.
  std::vector<int> points_so_far() const;

  void on_deal_start(int deal_number, std::optional<int> dealer, std::optional<int> chooser);
  void on_cards(std::span<const Card> cards);
  // We are asked. A request for a gift is how the declarer learns that the talon is in the hand.
  void on_request(std::span<const Action> actions);
  void on_deal_end(std::vector<int> points, std::vector<int> new_totals);

 private:
  Scorings scorings_;
};

}  // namespace king
