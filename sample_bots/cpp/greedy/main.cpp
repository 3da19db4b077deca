// Plays each contract by simple rules. Choosing, bidding and naming rest on the estimates of `king/tactics`.

#include "greedy/card_play.hpp"
#include "king/king.hpp"

class Greedy : public king::Bot {
 public:
  std::size_t choose(const king::Table& table, std::span<const king::Action> actions) override {
    if (actions.front().kind != king::ActionKind::play) return king::tactics::decide(table, actions);
    return greedy::play_card(table, actions);
  }
};

int main() {
  Greedy bot;
  return king::run(bot);
}
