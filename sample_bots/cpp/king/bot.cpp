#include "king/bot.hpp"

#include <algorithm>

namespace king {

Clock::Duration Clock::left() const {
  return left_ - Duration(std::chrono::steady_clock::now() - handed_at_);
}

Clock::Duration Clock::share() const { return std::max(Duration::zero(), left()) / std::max(1, unanswered); }

void Clock::on_frame(std::chrono::milliseconds left, std::chrono::milliseconds taken, int requests) {
  left_ = left;
  handed_at_ = std::chrono::steady_clock::now();
  taken_last = taken;
  unanswered = requests;
}

}  // namespace king
