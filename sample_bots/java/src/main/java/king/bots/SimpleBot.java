package king.bots;

import static java.util.Comparator.comparingInt;

import java.util.Collections;
import java.util.List;
import king.bot.Action;
import king.bot.Bot;
import king.bot.BotProcess;
import king.bot.Table;
import king.bot.tactics.Calls;

/**
 * Stays low: leads and follows with its lowest card, and leaves every other decision to the SDK's
 * judgement.
 */
public final class SimpleBot extends Bot {
  public static void main(String[] args) {
    BotProcess.run(new SimpleBot());
  }

  @Override
  public String name() {
    return "java-simple";
  }

  @Override
  public Action choose(Table table, List<Action> actions) {
    List<Action.Play> plays = Action.ofKind(Action.Play.class, actions);
    if (plays.isEmpty()) {
      return Calls.decide(table, actions);
    }
    return Collections.min(plays, comparingInt(play -> play.card().rank()));
  }
}
