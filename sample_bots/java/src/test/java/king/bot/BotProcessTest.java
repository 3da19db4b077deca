package king.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import king.bot.ScriptedReferee.Ended;
import king.bot.ScriptedReferee.Talk;
import king.v1.Arena;
import king.v1.Arena.ActionKind;
import king.v1.Arena.BotMessage;
import king.v1.Arena.CardsDealt;
import king.v1.Arena.ContractSet;
import king.v1.Arena.DealStart;
import king.v1.Arena.RefereeMessage;
import king.v1.Arena.Request;
import king.v1.Arena.TableEnd;
import king.v1.Arena.TableStart;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class BotProcessTest {
  @TempDir Path folder;

  private static RefereeMessage.Builder about(int table) {
    return RefereeMessage.newBuilder().setTable(table);
  }

  /** A match with a deal in which all seats are about to play, and two cards in hand. */
  private static RefereeMessage[] tableStart(int table) {
    return new RefereeMessage[] {
      about(table)
          .setTableStart(
              TableStart.newBuilder().setVariant("russian-14").setSeatCount(4).setSeat(1))
          .build(),
      about(table).setDealStart(DealStart.newBuilder().setNumber(1).setHasDealer(true)).build(),
      about(table).setCardsDealt(CardsDealt.newBuilder().addCards("7S").addCards("9S")).build(),
      about(table).setContractSet(ContractSet.newBuilder().setContract("no_tricks")).build(),
    };
  }

  /** A request to play 9S or 7S: the simple bot answers 1. */
  private static RefereeMessage request(int table, long id) {
    var play = Arena.Action.newBuilder().setKind(ActionKind.ACTION_KIND_PLAY);
    return about(table)
        .setRequest(
            Request.newBuilder()
                .setRequestId(id)
                .setTimeLeftMs(10_000)
                .addLegalActions(play.clone().setCard("9S"))
                .addLegalActions(play.clone().setCard("7S")))
        .build();
  }

  /** The next choices by request, in however many frames. */
  private static Map<Long, Integer> answers(Talk talk, int count) throws InterruptedException {
    Map<Long, Integer> heard = new TreeMap<>();
    while (heard.size() < count) {
      for (BotMessage message : talk.hear()) {
        heard.put(message.getChoice().getRequestId(), message.getChoice().getIndex());
      }
    }
    return heard;
  }

  @Test
  @DisplayName("a frame in parts is answered as one, and a close with OK ends the bot with 0")
  void answersAllTables() throws Exception {
    Ended ended =
        ScriptedReferee.runBefore(
            folder,
            talk -> {
              var hello = talk.meet().getHello();
              assertEquals("secret", hello.getToken());
              assertEquals(64, hello.getTableLimit());
              talk.say(true, tableStart(5));
              talk.say(true, tableStart(9));
              talk.say(true, request(5, Long.MAX_VALUE));
              talk.say(false, request(9, 72));
              assertEquals(Map.of(Long.MAX_VALUE, 1, 72L, 1), answers(talk, 2));
              talk.say(false, about(5).setTableEnd(TableEnd.getDefaultInstance()).build());
              talk.close();
            });
    assertEquals(new Ended(0, ""), ended);
  }

  @Test
  @DisplayName("after a broken stream the bot dials again and takes its tables up anew")
  void dialsAgain() throws Exception {
    Ended ended =
        ScriptedReferee.runBefore(
            folder,
            talk -> {
              talk.meet();
              talk.say(true, tableStart(5));
              talk.say(false, request(5, 1));
              answers(talk, 1);
              talk.close(Status.UNAVAILABLE.withDescription("going away"));
            },
            talk -> {
              talk.meet();
              talk.say(true, tableStart(5));
              talk.say(false, request(5, 2));
              assertEquals(Map.of(2L, 1), answers(talk, 1));
              talk.close();
            });
    assertEquals(
        new Ended(0, "king: stream broken (UNAVAILABLE: going away), dialling again\n"), ended);
  }

  @Test
  @DisplayName("a refusal ends the bot with 1 and one line that says why")
  void refusalIsTold() throws Exception {
    Ended ended =
        ScriptedReferee.runBefore(
            folder,
            talk -> {
              talk.hear();
              talk.close(Status.UNAUTHENTICATED.withDescription("unknown token"));
            });
    String expected = "king: the token was refused (unix:%s): unknown token\n";
    assertEquals(new Ended(1, expected.formatted(folder.resolve("referee.sock"))), ended);
  }

  @Test
  @DisplayName("a message that makes no sense ends the bot with 1 and its stack")
  void failuresShowTheirStack() throws Exception {
    Ended ended =
        ScriptedReferee.runBefore(
            folder,
            talk -> {
              talk.meet();
              talk.say(false, request(5, 1));
            });
    assertEquals(1, ended.exitStatus());
    assertTrue(
        ended.stderr().contains("sent REQUEST for table 5, which has not started\n\tat "),
        ended.stderr());
  }

  @Test
  @DisplayName("without an address the bot says what is missing")
  void addressIsMissing() throws Exception {
    Ended ended = ScriptedReferee.runBot(Map.of());
    assertEquals(1, ended.exitStatus());
    assertTrue(ended.stderr().startsWith("king: KING_REFEREE is not set: "), ended.stderr());
    assertEquals(1, ended.stderr().lines().count());
  }
}
