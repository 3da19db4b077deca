package king.bot;

import java.time.Duration;

/** The clock of this process. One balance serves all its tables. */
public final class Clock {
  private int unanswered = 1;
  private Duration takenLast = Duration.ZERO;
  private Duration balance = Duration.ofNanos(Long.MAX_VALUE);
  private long handedAt = System.nanoTime();

  Clock() {}

  /** A frame of requests came. */
  void onFrame(Duration balance, Duration takenLast, int requests) {
    this.balance = balance;
    this.takenLast = takenLast;
    unanswered = requests;
    handedAt = System.nanoTime();
  }

  void onAnswer() {
    unanswered--;
  }

  /** Requests of this frame still to be answered, the present one included. */
  public int unanswered() {
    return unanswered;
  }

  /** How long the referee timed the frame before. */
  public Duration takenLast() {
    return takenLast;
  }

  /** What is left for all unanswered requests together; below zero is a fault. */
  public Duration left() {
    return balance.minusNanos(System.nanoTime() - handedAt);
  }

  /** What is left for the present request, if the unanswered ones share alike. */
  public Duration share() {
    Duration left = left();
    return left.isNegative() ? Duration.ZERO : left.dividedBy(Math.max(1, unanswered));
  }
}
