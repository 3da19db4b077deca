// What a bot is: derive from `Bot`, write `choose`, and return `run(bot)` from main.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>

#include "king/actions.hpp"
#include "king/table.hpp"

namespace king {

// The clock of this process. One balance serves all its tables.
class Clock {
 public:
  using Duration = std::chrono::duration<double, std::milli>;

  int unanswered = 1;  // requests of this frame still to be answered, the present one included
  std::chrono::milliseconds taken_last{};  // how long the referee timed the frame before

  // What is left for all unanswered requests together; below zero is a fault.
  Duration left() const;
  // What is left for the present request, if the unanswered ones share alike.
  Duration share() const;

  // A frame of requests came; called by the SDK.
  void on_frame(std::chrono::milliseconds left, std::chrono::milliseconds taken, int requests);

 private:
  std::chrono::milliseconds left_ = std::chrono::hours(1);
  std::chrono::steady_clock::time_point handed_at_ = std::chrono::steady_clock::now();
};

// A player. All its functions are called from one thread; what they throw ends the process with status 1.
class Bot {
 public:
  Bot() = default;
  Bot(const Bot&) = delete;
  Bot& operator=(const Bot&) = delete;
  virtual ~Bot() = default;

  // Takes a decision: the place, from 0, of one of `actions`. They are two or more, and all legal.
  virtual std::size_t choose(const Table& table, std::span<const Action> actions) = 0;

  // Called once, before the bot says that it is ready: the place to load what takes long.
  virtual void warm_up() {}
  // A match began; after a broken stream, possibly one that was known before.
  virtual void table_started(const Table&) {}
  // A deal is over; `table.deal` still shows it, `table.finished.back()` has its points.
  virtual void deal_ended(const Table&) {}
  // A match is over: drop what you keep of it.
  virtual void table_ended(const Table&) {}

  // For the referee's log: the program's file name and "1" unless you set them.
  std::string name;
  std::string version = "1";
  int table_limit = 64;  // tables at once, 1 to 256
  Clock clock;
};

// Plays for the referee that KING_REFEREE names ("127.0.0.1:7700", "tls://host:7700", "unix:/path") until it has no more
// tables. Returns the exit status: 0 when the referee is done, 1 after a failure, which is told on standard
// error.
int run(Bot& bot);

}  // namespace king
