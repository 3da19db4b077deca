#include "king/session.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace king {
namespace {

constexpr int kProtocolVersion = 1;
constexpr std::chrono::milliseconds kFlushAfter{20};

bool has_welcome(const v1::PlayResponse& frame) {
  return std::ranges::any_of(frame.messages(), &v1::RefereeMessage::has_welcome);
}

}  // namespace

Session::Session(Bot& bot, std::string token) : bot_(bot), token_(std::move(token)), tables_(bot) {}

void Session::begin(Send send) {
  send_ = std::move(send);
  welcomed_ = false;
  parts_.Clear();
  v1::PlayRequest frame;
  v1::Hello& hello = *frame.add_messages()->mutable_hello();
  hello.set_protocol_version(kProtocolVersion);
  hello.set_token(token_);
  hello.set_name(bot_.name);
  hello.set_version(bot_.version);
  hello.set_table_limit(bot_.table_limit);
  send_(frame);
}

void Session::on_frame(v1::PlayResponse frame) {
  const bool goes_on = frame.more();
  parts_.MergeFrom(frame);
  if (goes_on) return;
  const v1::PlayResponse whole = std::exchange(parts_, {});
  if (!welcomed_ && has_welcome(whole)) get_ready();
  const std::vector<Asked> asked = tables_.take_in(whole);
  if (!asked.empty()) answer(asked);
}

void Session::get_ready() {
  welcomed_ = true;
  if (!std::exchange(warm_, true)) bot_.warm_up();
  v1::PlayRequest frame;
  frame.add_messages()->mutable_ready();
  send_(frame);
}

// Answers all requests of a frame; what is ready goes out early if the rest takes long.
void Session::answer(const std::vector<Asked>& asked) {
  bot_.clock.on_frame(asked.back().left, asked.back().taken_last, static_cast<int>(asked.size()));
  v1::PlayRequest answers;
  auto flushed_at = std::chrono::steady_clock::now();
  for (const Asked& request : asked) {
    v1::Choice& choice = *answers.add_messages()->mutable_choice();
    choice.set_request_id(request.request_id);
    choice.set_index(static_cast<int>(choose(request)));
    --bot_.clock.unanswered;
    if (const auto now = std::chrono::steady_clock::now(); now - flushed_at > kFlushAfter) {
      send_(answers);
      answers.Clear();
      flushed_at = now;
    }
  }
  if (answers.messages_size() > 0) send_(answers);
}

std::size_t Session::choose(const Asked& request) {
  const std::size_t chosen = bot_.choose(*request.table, request.actions);
  if (chosen >= request.actions.size()) {
    throw std::out_of_range("choose() returned " + std::to_string(chosen) + ": 0 to " +
                            std::to_string(request.actions.size() - 1) + " are right");
  }
  return chosen;
}

}  // namespace king
