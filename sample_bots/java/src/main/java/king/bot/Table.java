package king.bot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import king.bot.Trick.Played;

/** One match, as one seat sees it: everything that the seat may know, and nothing else. */
public final class Table {
  /** The clock of a process, in milliseconds: until ready, for each request, most in the bank. */
  public record TimeControl(long startMs, long incrementMs, long bankMs) {}

  /** A seat that was taken from its bot: what it did, and where the stand-in took over. */
  public record Forfeit(int seat, String kind, int deal, int action) {}

  /** What is remembered of a deal that is over; points by seat. */
  public record FinishedDeal(int number, Optional<Contract> contract, List<Integer> points) {}

  /**
   * How a match begins.
   *
   * @param number the referee's number for this table on our stream
   * @param dealCommitment in a season, the SHA-256 of the board's secret, 64 hex digits
   * @param variant with its options, such as "turkish-20[limits=free]"
   * @param options every option, resolved, as text
   */
  public record Opening(
      int number,
      String matchId,
      String dealCommitment,
      String variant,
      Map<String, String> options,
      int seats,
      int seat,
      TimeControl timeControl) {}

  /**
   * How a match ends; lists by seat.
   *
   * @param aborted why the match ended without a result; empty otherwise
   */
  public record Ending(
      List<Integer> totals, List<Integer> places, List<Forfeit> forfeits, String aborted) {}

  private final Opening opening;
  private final String baseId;
  private final CardSet pack;
  private final Map<String, Scoring> scorings;
  private Deal deal;
  private final List<FinishedDeal> finished = new ArrayList<>();
  private List<Integer> totals;
  private Optional<Ending> ending = Optional.empty();

  /**
   * @throws UnknownVariantException if the SDK does not have the variant
   */
  Table(Opening opening) {
    this.opening = opening;
    baseId = opening.variant().split("\\[", 2)[0];
    pack = Variants.packOf(baseId, opening.options());
    scorings = Variants.scoringsOf(baseId, opening.options());
    totals = Collections.nCopies(opening.seats(), 0);
    onDealStart(0, OptionalInt.empty(), OptionalInt.empty());
  }

  /** How the match began: its number, name, time control and the like. */
  public Opening opening() {
    return opening;
  }

  /** The variant with its options, such as "turkish-20[limits=free]". */
  public String variant() {
    return opening.variant();
  }

  /** The variant without its options. */
  public String baseId() {
    return baseId;
  }

  /** Every option, resolved, as text. */
  public Map<String, String> options() {
    return opening.options();
  }

  public int seats() {
    return opening.seats();
  }

  /** Our own seat. */
  public int seat() {
    return opening.seat();
  }

  /** The other seats, in playing order from ours. */
  public List<Integer> opponents() {
    return IntStream.range(1, seats()).map(step -> (seat() + step) % seats()).boxed().toList();
  }

  /** All cards of the variant. */
  public CardSet pack() {
    return pack;
  }

  /** The number of tricks of a deal. */
  public int handSize() {
    return pack.size() / seats();
  }

  /** The deal in progress, or the last one. */
  public Deal deal() {
    return deal;
  }

  /** The deals before this one. */
  public List<FinishedDeal> finished() {
    return Collections.unmodifiableList(finished);
  }

  /** The running totals by seat. */
  public List<Integer> totals() {
    return totals;
  }

  /** How the match ended; empty until then. */
  public Optional<Ending> ending() {
    return ending;
  }

  /**
   * What the contract in progress counts.
   *
   * @throws IllegalStateException before a contract is set
   */
  public Scoring scoring() {
    return deal.contract()
        .map(contract -> scoringOf(contract.id()))
        .orElseThrow(
            () -> new IllegalStateException("deal " + deal.number() + " has no contract yet"));
  }

  /**
   * What a contract of this variant counts.
   *
   * @throws IllegalArgumentException if there is no such contract
   */
  public Scoring scoringOf(String contract) {
    Scoring scoring = scorings.get(contract);
    if (scoring == null) {
      throw new IllegalArgumentException(variant() + " has no contract " + contract);
    }
    return scoring;
  }

  /** The play that takes the open trick as it lies; empty when you lead. */
  public Optional<Played> winner() {
    return deal.trick().map(trick -> trick.winner(deal.trump(), deal.isMisere()));
  }

  /** Whether a card, played now, would take the open trick as it lies; a card that is led does. */
  public boolean beats(Card card) {
    return deal.trick()
        .map(trick -> trick.isBeatenBy(card, deal.trump(), deal.isMisere()))
        .orElse(true);
  }

  /** By seat, what the complete tricks of this deal are worth; payments for a price left out. */
  public List<Integer> pointsSoFar() {
    Integer[] points = new Integer[seats()];
    Arrays.fill(points, 0);
    for (Trick trick : deal.tricks()) {
      trick
          .taker()
          .ifPresent(
              taker -> points[taker] += scoring().trickPoints(trick.number(), trick.cards()));
    }
    return List.of(points);
  }

  void onDealStart(int number, OptionalInt dealer, OptionalInt chooser) {
    deal = new Deal(number, dealer, chooser, seat(), seats(), pack);
  }

  /**
   * We are asked. A request for a gift is how the declarer learns that the talon is in the hand.
   */
  void onRequest(List<Action> actions) {
    if (actions.get(0) instanceof Action.Give) {
      deal.takeTalon(seat());
    }
  }

  void onDealEnd(List<Integer> points, List<Integer> totals) {
    this.totals = List.copyOf(totals);
    finished.add(new FinishedDeal(deal.number(), deal.contract(), List.copyOf(points)));
  }

  void onTableEnd(Ending ending) {
    totals = ending.totals();
    this.ending = Optional.of(ending);
  }
}
