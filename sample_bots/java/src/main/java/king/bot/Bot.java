package king.bot;

import java.util.List;

/** A player. Derive from it, write {@code choose}, and call {@link BotProcess#run}. */
public abstract class Bot {
  private final Clock clock = new Clock();

  /**
   * Takes a decision.
   *
   * @param actions two or more, all legal
   * @return one of them
   */
  public abstract Action choose(Table table, List<Action> actions);

  /** For the referee's logs only: who a bot is follows from its token. */
  public String name() {
    return getClass().getSimpleName();
  }

  public String version() {
    return "1";
  }

  /** Tables at once, 1 to 256. */
  public int tableLimit() {
    return 64;
  }

  /** Called once, before the bot says that it is ready: the place to load what takes long. */
  public void warmUp() {}

  /** A match began; after a broken stream, possibly one that was known before. */
  public void tableStarted(Table table) {}

  /** A deal is over; {@code table.deal()} still shows it, {@code table.finished()} its points. */
  public void dealEnded(Table table) {}

  /** A match is over: drop what you keep of it. */
  public void tableEnded(Table table) {}

  /** The clock of this process. */
  protected final Clock clock() {
    return clock;
  }
}
