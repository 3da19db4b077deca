package king.bot;

import io.grpc.Status;
import io.grpc.StatusException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * The process's dialogue with the referee: dialling, coming back after a broken stream, and the
 * exit status.
 */
public final class BotProcess {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
  private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(60);

  /** Why the referee closes a stream for good. After any other there is use in dialling again. */
  private static final Map<Status.Code, String> FATAL =
      Map.of(
          Status.Code.UNAUTHENTICATED, "the token was refused",
          Status.Code.FAILED_PRECONDITION, "the protocol version was refused",
          Status.Code.INVALID_ARGUMENT, "the referee reports an illegal choice or a protocol error",
          Status.Code.RESOURCE_EXHAUSTED, "the referee reports a flood",
          Status.Code.DEADLINE_EXCEEDED, "the referee reports that time has run out",
          Status.Code.ABORTED, "the sitting was dropped, or another stream has replaced this one",
          Status.Code.UNIMPLEMENTED, "this address is not a King Arena referee");

  private final Session session;
  private final String address;

  private BotProcess(Session session, String address) {
    this.session = session;
    this.address = address;
  }

  /**
   * Plays for the referee that {@code KING_REFEREE} names until it has no more tables, then ends
   * the process: with status 0 when the referee is done, with 1 after a failure, which is told on
   * standard error.
   */
  public static void run(Bot bot) {
    System.exit(play(bot, System.getenv()));
  }

  private static int play(Bot bot, Map<String, String> environment) {
    String address = environment.getOrDefault("KING_REFEREE", "");
    if (address.isEmpty()) {
      return fail(
          "KING_REFEREE is not set: it has the referee's address, such as 127.0.0.1:7700 or"
              + " unix:/path");
    }
    Session session = new Session(bot, environment.getOrDefault("KING_TOKEN", ""));
    try {
      return new BotProcess(session, address).playUntilOver();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return fail("interrupted");
    } catch (UnknownVariantException unknown) {
      return fail(unknown.getMessage());
    } catch (RuntimeException failure) {
      failure.printStackTrace(); // the bot's own code failed: its author needs to see where
      return 1;
    }
  }

  private int playUntilOver() throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    long lostAt = System.nanoTime();
    while (true) {
      Status status;
      try {
        session.playStream(address);
        return 0;
      } catch (StatusException closed) {
        status = closed.getStatus();
      }
      String reason = FATAL.get(status.getCode());
      if (reason != null) {
        return fail("%s (%s): %s".formatted(reason, address, describe(status)));
      }
      if (isNotBelieved(status)) {
        return fail(
            ("the certificate of the referee at %s is not believed: %s;"
                    + " KING_TLS_ROOTS names the authorities that are believed")
                .formatted(address, describe(status)));
      }
      if (session.isWelcomed()) {
        pause = FIRST_PAUSE;
        lostAt = System.nanoTime();
      }
      if (System.nanoTime() - lostAt > GIVE_UP_AFTER.toNanos()) {
        return fail(
            "no referee at %s for %d s, giving up: %s: %s"
                .formatted(address, GIVE_UP_AFTER.toSeconds(), status.getCode(), describe(status)));
      }
      tell("stream broken (%s: %s), dialling again".formatted(status.getCode(), describe(status)));
      Thread.sleep(pause.toMillis());
      pause = pause.multipliedBy(2);
      pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }
  }

  /** Whether the referee's certificate is not one to believe: to dial again is of no use then. */
  private static boolean isNotBelieved(Status status) {
    for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof GeneralSecurityException) {
        return true;
      }
    }
    return false;
  }

  /** What the status says, and what is at the bottom of it, in one line. */
  private static String describe(Status status) {
    String text = Objects.requireNonNullElse(status.getDescription(), "");
    for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
      if (cause.getCause() == null) {
        text += ": " + cause.getMessage();
      }
    }
    return text.replaceAll("\\R", " ");
  }

  private static void tell(String sentence) {
    System.err.println("king: " + sentence);
  }

  private static int fail(String sentence) {
    tell(sentence);
    return 1;
  }
}
