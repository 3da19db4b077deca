// The stream to the referee: dialling, and coming back after a broken stream.

#include <errno.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "king/bot.hpp"
#include "king/session.hpp"
#include "king/v1/arena.grpc.pb.h"

namespace king {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFirstPause{50};
constexpr std::chrono::milliseconds kLongestPause{2000};
constexpr std::chrono::seconds kGiveUpAfter{60};

// Why there is no use in dialling again after a status; empty if there is.
std::string_view final_reason(grpc::StatusCode code) {
  switch (code) {
    case grpc::UNAUTHENTICATED:
      return "the token was refused";
    case grpc::FAILED_PRECONDITION:
      return "the protocol version was refused";
    case grpc::INVALID_ARGUMENT:
      return "the referee reports an illegal choice or a protocol error";
    case grpc::RESOURCE_EXHAUSTED:
      return "the referee reports a flood";
    case grpc::DEADLINE_EXCEEDED:
      return "the referee reports that time has run out";
    case grpc::ABORTED:
      return "the sitting was dropped, or another stream has replaced this one";
    case grpc::UNIMPLEMENTED:
      return "this address is not a King Arena referee";
    default:
      return "";
  }
}

std::string text_of(const grpc::Status& status) {
  return "status " + std::to_string(status.error_code()) + ": " + status.error_message();
}

int fail(std::string_view sentence) {
  std::cerr << "king: " << sentence << std::endl;
  return 1;
}

std::string environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// The authorities to believe, from the PEM file that KING_TLS_ROOTS names; empty for the public ones.
std::string roots() {
  const std::string path = environment("KING_TLS_ROOTS");
  if (path.empty()) return "";
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) throw std::runtime_error("KING_TLS_ROOTS: " + path + " cannot be read");
  return text;
}

// Whether the referee's certificate is not one to believe, so that dialling again is of no use.
bool is_not_believed(const grpc::Status& status) {
  std::string text = status.error_message();
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return status.error_code() == grpc::UNAVAILABLE && text.find("certificate") != std::string::npos;
}

std::shared_ptr<grpc::Channel> dial(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL,
                   1);  // a new connection each time, without gRPC's own pauses
  arguments.SetMaxReceiveMessageSize(-1);
  constexpr std::string_view kTls = "tls://";
  if (address.rfind(kTls, 0) != 0) {
    return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
  }
  grpc::SslCredentialsOptions believed;
  believed.pem_root_certs = roots();
  return grpc::CreateCustomChannel(address.substr(kTls.size()), grpc::SslCredentials(believed),
                                   arguments);
}

// Plays on one stream until it closes; returns how it was closed.
grpc::Status play_stream(const std::string& address, Session& session) {
  const auto stub = v1::ArenaService::NewStub(dial(address));
  grpc::ClientContext context;
  const auto stream = stub->Play(&context);
  session.begin([&stream](const v1::PlayRequest& frame) { stream->Write(frame); });
  try {
    for (v1::PlayResponse frame; stream->Read(&frame);) session.on_frame(std::move(frame));
  } catch (...) {
    context.TryCancel();
    stream->Finish();
    throw;
  }
  return stream->Finish();
}

int play_until_over(Session& session, const std::string& address) {
  auto pause = kFirstPause;
  auto lost_at = steady_clock::now();
  while (true) {
    const grpc::Status status = play_stream(address, session);
    if (status.ok()) return 0;
    if (const auto reason = final_reason(status.error_code()); !reason.empty()) {
      return fail(std::string(reason) + " (" + address + "): " + status.error_message());
    }
    if (is_not_believed(status)) {
      return fail("the certificate of the referee at " + address +
                  " is not believed: " + status.error_message() +
                  "; KING_TLS_ROOTS names the authorities that are believed");
    }
    if (session.welcomed()) {
      pause = kFirstPause;
      lost_at = steady_clock::now();
    }
    if (steady_clock::now() - lost_at > kGiveUpAfter) {
      return fail("no referee at " + address + " for " + std::to_string(kGiveUpAfter.count()) +
                  " s, giving up: " + text_of(status));
    }
    std::cerr << "king: stream broken (" << text_of(status) << "), dialling again" << std::endl;
    std::this_thread::sleep_for(pause);
    pause = std::min(kLongestPause, 2 * pause);
  }
}

}  // namespace

int run(Bot& bot) {
  const std::string address = environment("KING_REFEREE");
  if (address.empty()) {
    return fail(
        "KING_REFEREE is not set: it has the referee's address, such as 127.0.0.1:7700 or unix:/path");
  }
  if (bot.name.empty()) bot.name = program_invocation_short_name;
  Session session(bot, environment("KING_TOKEN"));
  try {
    return play_until_over(session, address);
  } catch (const std::exception& error) {
    return fail(std::string("the bot failed: ") + error.what());
  }
}

}  // namespace king
