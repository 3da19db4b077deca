// A first bot: it plays its lowest card, and leaves every other decision as it comes.

#include <algorithm>

#include "king/king.hpp"

class Simple : public king::Bot {
 public:
  // Takes the action with the lowest card; other actions have none, so the first of them is taken.
  std::size_t choose(const king::Table&, std::span<const king::Action> actions) override {
    const auto rank = [](const king::Action& action) { return action.card ? action.card->rank() : 0; };
    return std::ranges::min_element(actions, {}, rank) - actions.begin();
  }
};

int main() {
  Simple bot;
  return king::run(bot);
}
