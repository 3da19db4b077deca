package king.bots;

import static java.util.Comparator.comparingInt;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.List;
import king.bot.Action;
import king.bot.Bot;
import king.bot.Table;
import king.bot.Tests;
import king.bot.tactics.Calls;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The idea of which the README tells, tried without a referee. */
class IdeaTest {
  private static final class Ducking extends Bot {
    @Override
    public Action choose(Table table, List<Action> actions) {
      List<Action.Play> plays = Action.ofKind(Action.Play.class, actions);
      if (plays.isEmpty()) {
        return Calls.decide(table, actions);
      }
      var losing = plays.stream().filter(play -> !table.beats(play.card())).toList();
      return table.scoring().avoids() && !losing.isEmpty()
          ? Collections.max(losing, comparingInt(play -> play.card().rank()))
          : Collections.min(plays, comparingInt(play -> play.card().rank()));
    }
  }

  private static String chosen(String contract, String... plays) {
    List<Action> legal = Tests.cards("7S 9S AS").stream().<Action>map(Action.Play::new).toList();
    Action action = new Ducking().choose(Tests.dealOf(contract, "7S 9S AS", plays), legal);
    return ((Action.Play) action).card().toString();
  }

  @Test
  @DisplayName("where points are to be avoided, the highest card is played that does not take")
  void ducks() {
    assertEquals("9S", chosen("no_tricks", "TS"));
    assertEquals("7S", chosen("no_tricks", "8S"));
    assertEquals("7S", chosen("no_tricks"));
    assertEquals("7S", chosen("tricks", "TS"));
  }
}
