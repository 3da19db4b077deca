package king.bots;

import java.util.List;
import king.bot.Action;
import king.bot.Bot;
import king.bot.BotProcess;
import king.bot.Card;
import king.bot.Table;
import king.bot.tactics.Calls;

/**
 * Plays each contract with sense: {@link CardPlay} for the cards, the SDK's judgement for all other
 * decisions.
 */
public final class GreedyBot extends Bot {
  public static void main(String[] args) {
    BotProcess.run(new GreedyBot());
  }

  @Override
  public String name() {
    return "java-greedy";
  }

  @Override
  public Action choose(Table table, List<Action> actions) {
    List<Card> cards =
        Action.ofKind(Action.Play.class, actions).stream().map(Action.Play::card).toList();
    return cards.isEmpty()
        ? Calls.decide(table, actions)
        : new Action.Play(new CardPlay(table).pick(cards));
  }
}
