package king.bot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import king.v1.Arena.DealEnd;
import king.v1.Arena.DealStart;
import king.v1.Arena.RefereeMessage;
import king.v1.Arena.Request;
import king.v1.Arena.TableEnd;
import king.v1.Arena.TableStart;

/**
 * The tables of one process, by the referee's number; survives a broken stream. Brings the views up
 * to date message by message; opens no connection and takes no decision.
 */
final class Tables {
  /** A request, with its table as it stands. */
  record Asked(Request request, Table table, List<Action> actions) {}

  private final Bot bot;
  private final Map<Integer, Table> byNumber = new HashMap<>();

  Tables(Bot bot) {
    this.bot = bot;
  }

  /** Brings the views up to date with a whole frame; gives its requests in order. */
  List<Asked> takeIn(List<RefereeMessage> messages) {
    List<Asked> asked = new ArrayList<>();
    for (RefereeMessage message : messages) {
      switch (message.getMessageCase()) {
        case WELCOME, MESSAGE_NOT_SET -> {} // not about a table, or of a kind that we do not know
        case TABLE_START -> onTableStart(message.getTable(), message.getTableStart());
        case TABLE_END -> onTableEnd(find(message), message.getTableEnd());
        case REQUEST -> asked.add(onRequest(find(message), message.getRequest()));
        default -> onEvent(find(message), message);
      }
    }
    return asked;
  }

  private Table find(RefereeMessage message) {
    Table table = byNumber.get(message.getTable());
    if (table == null) {
      throw new IllegalStateException(
          "the referee sent %s for table %d, which has not started"
              .formatted(message.getMessageCase(), message.getTable()));
    }
    return table;
  }

  private void onTableStart(int number, TableStart start) {
    Table table = new Table(Messages.read(number, start));
    byNumber.put(number, table);
    bot.tableStarted(table);
  }

  private void onTableEnd(Table table, TableEnd end) {
    table.onTableEnd(Messages.read(end));
    byNumber.remove(table.opening().number());
    bot.tableEnded(table);
  }

  private static Asked onRequest(Table table, Request request) {
    List<Action> actions = request.getLegalActionsList().stream().map(Messages::read).toList();
    table.onRequest(actions);
    return new Asked(request, table, actions);
  }

  private void onEvent(Table table, RefereeMessage message) {
    Deal deal = table.deal();
    switch (message.getMessageCase()) {
      case DEAL_START -> onDealStart(table, message.getDealStart());
      case CARDS_DEALT -> deal.onCards(Messages.cards(message.getCardsDealt().getCardsList()));
      case TALON_SHOWN -> deal.onTalon(Messages.cards(message.getTalonShown().getCardsList()));
      case ACTION_TAKEN -> {
        var taken = message.getActionTaken();
        deal.onAction(
            taken.getSeat(), Messages.read(taken.getAction()), Messages.read(taken.getBy()));
      }
      case CARD_GIVEN -> deal.onGift(Messages.read(message.getCardGiven()));
      case EXPOSED -> {
        var exposed = message.getExposed();
        deal.onExposed(exposed.getSeat(), Card.of(exposed.getCard()));
      }
      case CONTRACT_SET -> deal.onContract(Messages.read(message.getContractSet()));
      case TRICK_END -> deal.onTrickEnd(message.getTrickEnd().getTaker());
      case DEAL_END -> onDealEnd(table, message.getDealEnd());
      default -> throw new IllegalArgumentException(message.getMessageCase() + " is no event");
    }
  }

  private static void onDealStart(Table table, DealStart start) {
    table.onDealStart(
        start.getNumber(),
        start.getHasDealer() ? OptionalInt.of(start.getDealer()) : OptionalInt.empty(),
        start.getHasChooser() ? OptionalInt.of(start.getChooser()) : OptionalInt.empty());
  }

  private void onDealEnd(Table table, DealEnd end) {
    table.onDealEnd(end.getPointsList(), end.getTotalsList());
    bot.dealEnded(table);
  }
}
