// The bot's dialogue with the referee, across the streams that carry it: what is answered to each frame.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "king/bot.hpp"
#include "king/v1/arena.pb.h"
#include "king/wire.hpp"

namespace king {

class Session {
 public:
  // Sends a frame to the referee. A stream that is broken is found out by reading, so nothing is returned.
  using Send = std::function<void(const v1::PlayRequest&)>;

  Session(Bot& bot, std::string token);

  // Says who we are, as the first thing on a stream.
  void begin(Send send);
  // Takes in a frame; once it is whole, answers its requests.
  void on_frame(v1::PlayResponse frame);

  // Whether the stream at hand got as far as the referee's welcome.
  bool welcomed() const { return welcomed_; }
  const Tables& tables() const { return tables_; }

 private:
  void get_ready();
  void answer(const std::vector<Asked>& asked);
  std::size_t choose(const Asked& request);

  Bot& bot_;
  std::string token_;
  Send send_;
  Tables tables_;
  v1::PlayResponse parts_;  // of a frame that goes on in the next one
  bool warm_ = false;
  bool welcomed_ = false;
};

}  // namespace king
