package king.bot;

/** How an action came about. */
public enum ActionBy {
  /** The bot of that seat chose it. */
  BOT,
  /** It was the only legal action. */
  FORCED,
  /** The referee's stand-in took it, for a bot that failed. */
  STAND_IN
}
