// The dialogue with a referee: what is answered to each frame.

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "king/session.hpp"

namespace king {
namespace {

using Answer = std::pair<std::int64_t, int>;

// Takes the last action, or whatever place it is told to.
class Last : public Bot {
 public:
  std::size_t choose(const Table&, std::span<const Action> actions) override {
    std::this_thread::sleep_for(pause);
    return place < 0 ? actions.size() - 1 : static_cast<std::size_t>(place);
  }
  void warm_up() override { ++warm_ups; }
  void table_started(const Table&) override { events += "started "; }
  void deal_ended(const Table& table) override { events += "dealt " + std::to_string(table.totals[0]) + " "; }
  void table_ended(const Table& table) override {
    events += "ended " + std::to_string(table.places[0]) + " ";
  }

  int place = -1;
  int warm_ups = 0;
  std::chrono::milliseconds pause{0};
  std::string events;
};

class SessionTest : public testing::Test {
 protected:
  SessionTest() { begin(); }

  void begin() {
    sent.clear();
    session.begin([this](const v1::PlayRequest& frame) { sent.push_back(frame); });
  }

  void welcome() {
    v1::PlayResponse frame;
    frame.add_messages()->mutable_welcome()->set_protocol_version(1);
    session.on_frame(frame);
    sent.clear();
  }

  std::vector<Answer> answers() const {
    std::vector<Answer> found;
    for (const v1::PlayRequest& frame : sent) {
      for (const v1::BotMessage& message : frame.messages()) {
        found.emplace_back(message.choice().request_id(), message.choice().index());
      }
    }
    return found;
  }

  Last bot;
  Session session{bot, "secret"};
  std::vector<v1::PlayRequest> sent;
};

v1::RefereeMessage& add(v1::PlayResponse& frame, int table) {
  v1::RefereeMessage& message = *frame.add_messages();
  message.set_table(table);
  return message;
}

void add_start(v1::PlayResponse& frame, int table) {
  v1::TableStart& start = *add(frame, table).mutable_table_start();
  start.set_variant("russian-14");
  start.set_seat_count(4);
  start.set_seat(1);
  add(frame, table).mutable_deal_start()->set_number(1);
  add(frame, table).mutable_contract_set()->set_contract("no_tricks");
}

void add_request(v1::PlayResponse& frame, int table, std::int64_t id) {
  v1::Request& request = *add(frame, table).mutable_request();
  request.set_request_id(id);
  request.set_time_left_ms(10'000);
  for (const char* card : {"7S", "8S"}) {
    v1::Action& action = *request.add_legal_actions();
    action.set_kind(v1::ACTION_KIND_PLAY);
    action.set_card(card);
  }
}

TEST_F(SessionTest, SaysWhoItIsFirst) {
  ASSERT_EQ(sent.size(), 1U);
  const v1::Hello& hello = sent[0].messages(0).hello();
  EXPECT_EQ(hello.protocol_version(), 1);
  EXPECT_EQ(hello.token(), "secret");
  EXPECT_EQ(hello.table_limit(), 64);
}

TEST_F(SessionTest, IsReadyOnEveryStreamAndWarmsUpOnce) {
  v1::PlayResponse frame;
  frame.add_messages()->mutable_welcome();
  session.on_frame(frame);
  EXPECT_TRUE(sent.back().messages(0).has_ready());
  begin();
  EXPECT_FALSE(session.welcomed());
  session.on_frame(frame);
  EXPECT_TRUE(sent.back().messages(0).has_ready());
  EXPECT_EQ(bot.warm_ups, 1);
}

TEST_F(SessionTest, AnswersAFrameInPartsAtOnce) {
  welcome();
  v1::PlayResponse first;
  add_start(first, 5);
  add_request(first, 5, 71);
  first.set_more(true);
  session.on_frame(first);
  EXPECT_TRUE(sent.empty());
  v1::PlayResponse second;
  add_start(second, 9);
  add_request(second, 9, 72);
  session.on_frame(second);
  EXPECT_EQ(sent.size(), 1U);
  EXPECT_EQ(answers(), (std::vector<Answer>{{71, 1}, {72, 1}}));
}

TEST_F(SessionTest, WhatIsReadyGoesOutEarly) {
  welcome();
  bot.pause = std::chrono::milliseconds(25);
  v1::PlayResponse frame;
  add_start(frame, 5);
  add_request(frame, 5, 71);
  add_request(frame, 5, 72);
  session.on_frame(frame);
  EXPECT_EQ(sent.size(), 2U);
}

TEST_F(SessionTest, ATableThatComesAgainIsMadeAnew) {
  welcome();
  v1::PlayResponse frame;
  add_start(frame, 5);
  add(frame, 5).mutable_cards_dealt()->add_cards("KH");
  session.on_frame(frame);
  EXPECT_EQ(session.tables().at(5).deal.hand.size(), 1);
  v1::PlayResponse again;
  add_start(again, 5);
  session.on_frame(again);
  EXPECT_TRUE(session.tables().at(5).deal.hand.empty());
}

TEST_F(SessionTest, TheBotIsToldWhatEnds) {
  welcome();
  v1::PlayResponse frame;
  add_start(frame, 5);
  v1::DealEnd& deal_end = *add(frame, 5).mutable_deal_end();
  for (const int points : {-16, 0, 0, 0}) {
    deal_end.add_points(points);
    deal_end.add_totals(points);
  }
  v1::TableEnd& table_end = *add(frame, 5).mutable_table_end();
  for (const int place : {4, 1, 1, 1}) table_end.add_places(place);
  session.on_frame(frame);
  EXPECT_EQ(bot.events, "started dealt -16 ended 4 ");
  EXPECT_TRUE(session.tables().empty());
}

TEST_F(SessionTest, UnknownKindsArePassedOver) {
  welcome();
  v1::PlayResponse frame;
  add(frame, 3);
  session.on_frame(frame);
  EXPECT_TRUE(sent.empty());
}

TEST_F(SessionTest, AnEventOfAnUnknownTableIsAnError) {
  v1::PlayResponse frame;
  add(frame, 7).mutable_trick_end();
  EXPECT_THROW(session.on_frame(frame), std::logic_error);
}

TEST_F(SessionTest, APlaceOutOfRangeIsTheBotsError) {
  welcome();
  bot.place = 2;
  v1::PlayResponse frame;
  add_start(frame, 5);
  add_request(frame, 5, 71);
  EXPECT_THROW(session.on_frame(frame), std::out_of_range);
}

}  // namespace
}  // namespace king
