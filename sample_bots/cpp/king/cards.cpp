#include "king/cards.hpp"

#include <stdexcept>

namespace king {
namespace {

constexpr std::string_view kRankLetters = "23456789TJQKA";
constexpr std::string_view kSuitLetters = "SHDC";

}  // namespace

Card Card::parse(std::string_view text) {
  if (text.size() == 2) {
    const auto rank = kRankLetters.find(text[0]);
    const auto suit = kSuitLetters.find(text[1]);
    if (rank != std::string_view::npos && suit != std::string_view::npos) {
      return Card(static_cast<int>(suit * 13 + rank));
    }
  }
  throw std::invalid_argument(
      "\"" + std::string(text) +
      "\" is not a card: write a rank of 23456789TJQKA and a suit of SHDC, such as KH");
}

std::string Card::text() const { return {kRankLetters[number_ % 13], kSuitLetters[number_ / 13]}; }

}  // namespace king
