package king.bot;

import io.grpc.ManagedChannel;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import king.bot.Tables.Asked;
import king.v1.Arena.BotMessage;
import king.v1.Arena.Choice;
import king.v1.Arena.Hello;
import king.v1.Arena.PlayRequest;
import king.v1.Arena.PlayResponse;
import king.v1.Arena.Ready;
import king.v1.Arena.RefereeMessage;
import king.v1.ArenaServiceGrpc;

/** The tables of this process, across the streams that carry them: frames in, answers out. */
final class Session {
  private static final int PROTOCOL_VERSION = 1;
  private static final Duration FLUSH_AFTER = Duration.ofMillis(20);

  private final Bot bot;
  private final String token;
  private final Tables tables;
  private boolean isWarm;
  private boolean isWelcomed;

  Session(Bot bot, String token) {
    this.bot = bot;
    this.token = token;
    tables = new Tables(bot);
  }

  /** Whether the last stream got so far. */
  boolean isWelcomed() {
    return isWelcomed;
  }

  /**
   * Plays on one stream until the referee closes it.
   *
   * @throws StatusException if it breaks or is refused
   */
  void playStream(String address) throws StatusException, InterruptedException {
    isWelcomed = false;
    ManagedChannel channel = Channels.open(address);
    try {
      play(new Stream(ArenaServiceGrpc.newBlockingV2Stub(channel).play()));
    } finally {
      channel.shutdownNow();
    }
  }

  private void play(Stream stream) throws StatusException, InterruptedException {
    stream.say(BotMessage.newBuilder().setHello(hello()).build());
    List<RefereeMessage> messages = new ArrayList<>();
    for (PlayResponse frame = stream.hear(); frame != null; frame = stream.hear()) {
      messages.addAll(frame.getMessagesList());
      if (!frame.getMore()) {
        onFrame(messages, stream);
        messages.clear();
      }
    }
  }

  private Hello hello() {
    return Hello.newBuilder()
        .setProtocolVersion(PROTOCOL_VERSION)
        .setToken(token)
        .setName(bot.name())
        .setVersion(bot.version())
        .setTableLimit(bot.tableLimit())
        .build();
  }

  private void onFrame(List<RefereeMessage> messages, Stream stream)
      throws StatusException, InterruptedException {
    if (!isWelcomed && messages.stream().anyMatch(RefereeMessage::hasWelcome)) {
      isWelcomed = true;
      if (!isWarm) {
        bot.warmUp();
        isWarm = true;
      }
      stream.say(BotMessage.newBuilder().setReady(Ready.getDefaultInstance()).build());
    }
    List<Asked> asked = tables.takeIn(messages);
    if (!asked.isEmpty()) {
      answer(asked, stream);
    }
  }

  /** Answers all requests of a frame; what is ready goes out early if the rest takes long. */
  private void answer(List<Asked> asked, Stream stream)
      throws StatusException, InterruptedException {
    var last = asked.get(asked.size() - 1).request();
    bot.clock()
        .onFrame(
            Duration.ofMillis(last.getTimeLeftMs()),
            Duration.ofMillis(last.getTimeTakenLastMs()),
            asked.size());
    List<BotMessage> answers = new ArrayList<>();
    long flushedAt = System.nanoTime();
    for (Asked each : asked) {
      answers.add(BotMessage.newBuilder().setChoice(choose(each)).build());
      bot.clock().onAnswer();
      if (System.nanoTime() - flushedAt > FLUSH_AFTER.toNanos()) {
        stream.say(answers);
        answers.clear();
        flushedAt = System.nanoTime();
      }
    }
    if (!answers.isEmpty()) {
      stream.say(answers);
    }
  }

  private Choice choose(Asked asked) {
    Action chosen = bot.choose(asked.table(), asked.actions());
    int index = asked.actions().indexOf(chosen);
    if (index < 0) {
      throw new IllegalStateException(
          "choose() returned %s, which is none of the actions it was given: %s"
              .formatted(chosen, asked.actions()));
    }
    return Choice.newBuilder().setRequestId(asked.request().getRequestId()).setIndex(index).build();
  }

  /** One stream, frame by frame. */
  private record Stream(BlockingClientCall<PlayRequest, PlayResponse> call) {
    /** The next frame; null when the referee has closed the stream with OK. */
    PlayResponse hear() throws StatusException, InterruptedException {
      return call.read();
    }

    void say(BotMessage message) throws StatusException, InterruptedException {
      say(List.of(message));
    }

    /** Says something; on a stream that is closed nothing happens, for hearing tells of that. */
    void say(List<BotMessage> messages) throws StatusException, InterruptedException {
      call.write(PlayRequest.newBuilder().addAllMessages(messages).build());
    }
  }
}
