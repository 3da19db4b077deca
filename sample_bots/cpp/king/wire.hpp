// From the protocol's messages to the bot's view. Opens no connection and takes no decision.
#pragma once

#include <chrono>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "king/bot.hpp"
#include "king/v1/arena.pb.h"

namespace king {

// A request, with its table as it stands.
struct Asked {
  std::int64_t request_id;
  const Table* table;
  std::vector<Action> actions;
  std::chrono::milliseconds left;
  std::chrono::milliseconds taken_last;
};

// The tables of one process, by the referee's number; they survive a broken stream.
class Tables {
 public:
  // The bot is told when matches and deals begin and end.
  explicit Tables(Bot& bot) : bot_(bot) {}

  // Brings the views up to date with a whole frame; returns its requests in order. Throws std::exception if a
  // message is about a table that never started, or contradicts the view.
  std::vector<Asked> take_in(const v1::PlayResponse& frame);

  const Table& at(int number) const { return tables_.at(number); }
  bool empty() const { return tables_.empty(); }

 private:
  void on_table_start(int number, const v1::TableStart& start);
  void on_deal_end(Table& table, const v1::DealEnd& end);
  void on_table_end(Table& table, const v1::TableEnd& end);

  Bot& bot_;
  std::unordered_map<int, Table> tables_;
};

// An action of the protocol as one of the SDK.
Action read_action(const v1::Action& action);

}  // namespace king
