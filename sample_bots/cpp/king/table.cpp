#include "king/table.hpp"

#include <stdexcept>
#include <utility>

namespace king {

Table::Table(MatchTerms terms)
    : MatchTerms(std::move(terms)),
      base_id(variant.substr(0, variant.find('['))),
      pack(pack_of(base_id, options)),
      totals(seats),
      scorings_(scorings_of(base_id, options)) {
  on_deal_start(0, std::nullopt, std::nullopt);
}

std::vector<int> Table::opponents() const {
  std::vector<int> others;
  for (int step = 1; step < seats; ++step) others.push_back((seat + step) % seats);
  return others;
}

std::optional<Played> Table::winner() const {
  if (!deal.trick) return std::nullopt;
  return deal.trick->winner(deal.trump(), deal.is_misere());
}

bool Table::beats(Card card) const {
  return !deal.trick || deal.trick->is_beaten_by(card, deal.trump(), deal.is_misere());
}

const Scoring& Table::scoring() const {
  if (!deal.contract) throw std::out_of_range("no contract is set yet");
  return scoring_of(deal.contract->id);
}

const Scoring& Table::scoring_of(std::string_view contract) const {
  const auto found = scorings_.find(contract);
  if (found == scorings_.end())
    throw std::out_of_range(variant + " has no contract " + std::string(contract));
  return found->second;
}

std::vector<int> Table::points_so_far() const {
  std::vector<int> points(seats);
  for (const Trick& trick : deal.tricks) {
    points.at(trick.taker.value()) += scoring().trick_points(trick.number, trick.cards());
  }
  return points;
}

void Table::on_deal_start(int deal_number, std::optional<int> dealer, std::optional<int> chooser) {
  deal = Deal{};
  deal.number = deal_number;
  deal.dealer = dealer;
  deal.chooser = chooser;
  deal.seat = seat;
  deal.seats = seats;
  deal.pack = pack;
}

void Table::on_cards(std::span<const Card> cards) {
  for (const Card card : cards) deal.hand.insert(card);
}

void Table::on_request(std::span<const Action> actions) {
  if (!actions.empty() && actions.front().kind == ActionKind::give) deal.on_talon_taken(seat);
}

void Table::on_deal_end(std::vector<int> points, std::vector<int> new_totals) {
  finished.push_back({deal.number, deal.contract, std::move(points)});
  totals = std::move(new_totals);
}

}  // namespace king
