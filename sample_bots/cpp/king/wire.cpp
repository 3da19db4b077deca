#include "king/wire.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace king {
namespace {

using Message = v1::RefereeMessage;

template <typename T>
std::optional<T> given(bool is_given, T value) {
  return is_given ? std::optional<T>(value) : std::nullopt;
}

std::optional<Suit> read_suit(v1::Suit suit) {
  if (suit == v1::SUIT_UNSPECIFIED) return std::nullopt;
  return kSuits.at(static_cast<std::size_t>(suit) - 1);
}

template <typename Texts>
std::vector<Card> read_cards(const Texts& texts) {
  std::vector<Card> cards;
  for (const std::string& text : texts) cards.push_back(Card::parse(text));
  return cards;
}

template <typename Numbers>
std::vector<int> read_numbers(const Numbers& numbers) {
  return {numbers.begin(), numbers.end()};
}

Contract read_contract(const v1::ContractSet& set) {
  return {
      .id = set.contract(),
      .declarer = given(set.has_declarer(), set.declarer()),
      .trump = read_suit(set.trump()),
      .misere = set.misere(),
      .price = given(set.price() != 0, set.price()),
  };
}

MatchTerms read_terms(int number, const v1::TableStart& start) {
  const v1::TimeControl& control = start.time_control();
  return {
      .variant = start.variant(),
      .options = Options(start.options().begin(), start.options().end()),
      .seats = start.seat_count(),
      .seat = start.seat(),
      .number = number,
      .match_id = start.match_id(),
      .deal_commitment = start.deal_commitment(),
      .time_control = {.start = std::chrono::milliseconds(control.start_ms()),
                       .increment = std::chrono::milliseconds(control.increment_ms()),
                       .bank = std::chrono::milliseconds(control.bank_ms())},
  };
}

Asked read_request(Table& table, const v1::Request& request) {
  std::vector<Action> actions;
  actions.reserve(request.legal_actions_size());
  for (const v1::Action& action : request.legal_actions()) actions.push_back(read_action(action));
  table.on_request(actions);
  return {request.request_id(), &table, std::move(actions), std::chrono::milliseconds(request.time_left_ms()),
          std::chrono::milliseconds(request.time_taken_last_ms())};
}

// Everything that happens within a deal.
void on_event(Table& table, const Message& message) {
  Deal& deal = table.deal;
  switch (message.message_case()) {
    case Message::kDealStart: {
      const v1::DealStart& start = message.deal_start();
      table.on_deal_start(start.number(), given(start.has_dealer(), start.dealer()),
                          given(start.has_chooser(), start.chooser()));
      break;
    }
    case Message::kCardsDealt:
      table.on_cards(read_cards(message.cards_dealt().cards()));
      break;
    case Message::kTalonShown:
      deal.talon = read_cards(message.talon_shown().cards());
      break;
    case Message::kActionTaken: {
      const v1::ActionTaken& taken = message.action_taken();
      deal.on_action(taken.seat(), read_action(taken.action()), static_cast<ActionBy>(taken.by()));
      break;
    }
    case Message::kCardGiven: {
      const v1::CardGiven& gift = message.card_given();
      const bool is_told = !gift.card().empty();
      deal.on_gift(
          {gift.seat(), gift.to_seat(), given(is_told, is_told ? Card::parse(gift.card()) : Card())});
      break;
    }
    case Message::kExposed:
      deal.on_exposed({message.exposed().seat(), Card::parse(message.exposed().card())});
      break;
    case Message::kContractSet:
      deal.contract = read_contract(message.contract_set());
      break;
    case Message::kTrickEnd:
      deal.on_trick_end(message.trick_end().taker());
      break;
    default:
      break;  // a kind that this version does not know
  }
}

}  // namespace

Action read_action(const v1::Action& action) {
  const auto kind = static_cast<ActionKind>(action.kind());
  const bool gives = kind == ActionKind::give;
  return {
      .kind = kind,
      .card = action.card().empty() ? std::nullopt : std::optional(Card::parse(action.card())),
      .contract = action.contract(),
      .trump = read_suit(action.trump()),
      .tricks = given(action.trick_count() != 0, action.trick_count()),
      .to = given(gives, action.to_seat()),
  };
}

std::vector<Asked> Tables::take_in(const v1::PlayResponse& frame) {
  std::vector<Asked> asked;
  for (const Message& message : frame.messages()) {
    const auto kind = message.message_case();
    if (kind == Message::MESSAGE_NOT_SET || kind == Message::kWelcome) continue;
    if (kind == Message::kTableStart) {
      on_table_start(message.table(), message.table_start());
      continue;
    }
    const auto found = tables_.find(message.table());
    if (found == tables_.end()) {
      throw std::logic_error("the referee sent a message for table " + std::to_string(message.table()) +
                             ", which has not started");
    }
    Table& table = found->second;
    if (kind == Message::kRequest) {
      asked.push_back(read_request(table, message.request()));
    } else if (kind == Message::kDealEnd) {
      on_deal_end(table, message.deal_end());
    } else if (kind == Message::kTableEnd) {
      on_table_end(table, message.table_end());
    } else {
      on_event(table, message);
    }
  }
  return asked;
}

void Tables::on_table_start(int number, const v1::TableStart& start) {
  const auto [place, is_new] = tables_.insert_or_assign(number, Table(read_terms(number, start)));
  bot_.table_started(place->second);
}

void Tables::on_deal_end(Table& table, const v1::DealEnd& end) {
  table.on_deal_end(read_numbers(end.points()), read_numbers(end.totals()));
  bot_.deal_ended(table);
}

void Tables::on_table_end(Table& table, const v1::TableEnd& end) {
  table.totals = read_numbers(end.totals());
  table.places = read_numbers(end.places());
  for (const v1::Forfeit& forfeit : end.forfeits()) {
    table.forfeits.push_back({forfeit.seat(), forfeit.kind(), forfeit.deal(), forfeit.action()});
  }
  table.aborted = end.aborted();
  bot_.table_ended(table);
  tables_.erase(table.number);
}

}  // namespace king
