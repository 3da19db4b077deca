package king.bot;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import king.v1.Arena.BotMessage;
import king.v1.Arena.PlayRequest;
import king.v1.Arena.PlayResponse;
import king.v1.Arena.RefereeMessage;
import king.v1.Arena.Welcome;
import king.v1.ArenaServiceGrpc;

/**
 * A referee that follows a script for each stream: a real gRPC server on a Unix socket, and a bot's
 * real process before it.
 */
final class ScriptedReferee extends ArenaServiceGrpc.ArenaServiceImplBase {
  private static final long DEADLINE_S = 60;

  /** How a bot's process ended. */
  record Ended(int exitStatus, String stderr) {}

  /** What the referee does with one stream. */
  interface Script {
    void play(Talk talk) throws InterruptedException;
  }

  /** One stream, seen from the referee. */
  static final class Talk {
    private final StreamObserver<PlayResponse> bot;
    private final BlockingQueue<PlayRequest> frames = new LinkedBlockingQueue<>();

    Talk(StreamObserver<PlayResponse> bot) {
      this.bot = bot;
    }

    /** The messages of the bot's next frame. */
    List<BotMessage> hear() throws InterruptedException {
      PlayRequest frame = frames.poll(DEADLINE_S, TimeUnit.SECONDS);
      if (frame == null) {
        throw new AssertionError("the bot says nothing");
      }
      return frame.getMessagesList();
    }

    /** Hello, Welcome, Ready; gives the Hello. */
    BotMessage meet() throws InterruptedException {
      BotMessage hello = hear().get(0);
      say(
          false,
          RefereeMessage.newBuilder()
              .setWelcome(Welcome.newBuilder().setProtocolVersion(1))
              .build());
      if (!hello.hasHello() || !hear().get(0).hasReady()) {
        throw new AssertionError("a bot begins with Hello and Ready");
      }
      return hello;
    }

    void say(boolean isMoreToCome, RefereeMessage... messages) {
      bot.onNext(
          PlayResponse.newBuilder()
              .addAllMessages(List.of(messages))
              .setMore(isMoreToCome)
              .build());
    }

    void close() {
      bot.onCompleted();
    }

    void close(Status status) {
      bot.onError(status.asException());
    }
  }

  private final Queue<Script> scripts;
  private final CompletableFuture<Void> failure = new CompletableFuture<>();

  private ScriptedReferee(List<Script> scripts) {
    this.scripts = new ArrayDeque<>(scripts);
  }

  @Override
  public StreamObserver<PlayRequest> play(StreamObserver<PlayResponse> bot) {
    Talk talk = new Talk(bot);
    Script script = scripts.remove();
    new Thread(() -> follow(script, talk)).start();
    return new StreamObserver<>() {
      @Override
      public void onNext(PlayRequest frame) {
        talk.frames.add(frame);
      }

      @Override
      public void onError(Throwable error) {} // a bot that is gone shows by its exit status

      @Override
      public void onCompleted() {}
    };
  }

  private void follow(Script script, Talk talk) {
    try {
      script.play(talk);
    } catch (Throwable thrown) {
      failure.completeExceptionally(thrown);
      talk.close(Status.ABORTED.withDescription("the script failed"));
    }
  }

  /** Runs the simple bot before a referee that follows one script for each stream, in order. */
  static Ended runBefore(Path folder, Script... scripts) throws Exception {
    ScriptedReferee referee = new ScriptedReferee(List.of(scripts));
    Path socket = folder.resolve("referee.sock");
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    Server server =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(loop)
            .workerEventLoopGroup(loop)
            .withChildOption(ChannelOption.SO_KEEPALIVE, null) // gRPC sets it, Netty warns of it
            .addService(referee)
            .build()
            .start();
    try {
      Ended ended = runBot(Map.of("KING_REFEREE", "unix:" + socket, "KING_TOKEN", "secret"));
      if (referee.failure.isCompletedExceptionally()) {
        referee.failure.get();
      }
      return ended;
    } finally {
      server.shutdownNow().awaitTermination();
      loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
  }

  /** Runs the simple bot to its end. */
  static Ended runBot(Map<String, String> environment) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    ProcessBuilder builder =
        new ProcessBuilder(java, "@jvm.options", "-cp", classPath, "king.bots.SimpleBot");
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process bot = builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    try {
      String stderr = new String(bot.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ended(bot.waitFor(), stderr);
    } finally {
      bot.destroyForcibly();
    }
  }
}
