package king.bot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import king.bot.Trick.Played;

/** The deal in progress, as one seat sees it. Lists are by seat unless they say otherwise. */
public final class Deal {
  /** An action other than playing or giving a card: who took it, and how it came about. */
  public record Said(int seat, Action action, ActionBy by) {}

  /** A card given by the declarer of a talon deal; empty where it is not ours to know. */
  public record Gift(int seat, int to, Optional<Card> card) {}

  private final int number;
  private final OptionalInt dealer;
  private final OptionalInt chooser;
  private final int ownSeat;
  private final CardSet pack;

  private CardSet hand = CardSet.EMPTY;
  private Optional<Contract> contract = Optional.empty();
  private final List<Said> said = new ArrayList<>();
  private List<Card> talon = List.of();
  private OptionalInt talonTaker = OptionalInt.empty();
  private final List<Gift> gifts = new ArrayList<>();
  private Optional<Played> exposed = Optional.empty();
  private Optional<Trick> trick = Optional.empty();
  private final List<Trick> tricks = new ArrayList<>();
  private final List<Integer> tricksTaken;
  private final List<CardSet> cardsTaken;
  private final List<CardSet> playedBy;
  private final List<Set<Suit>> voids;
  private final List<CardSet> knownCards;
  private CardSet fallen = CardSet.EMPTY;

  Deal(int number, OptionalInt dealer, OptionalInt chooser, int ownSeat, int seats, CardSet pack) {
    this.number = number;
    this.dealer = dealer;
    this.chooser = chooser;
    this.ownSeat = ownSeat;
    this.pack = pack;
    tricksTaken = bySeat(seats, () -> 0);
    cardsTaken = bySeat(seats, () -> CardSet.EMPTY);
    playedBy = bySeat(seats, () -> CardSet.EMPTY);
    voids = bySeat(seats, () -> EnumSet.noneOf(Suit.class));
    knownCards = bySeat(seats, () -> CardSet.EMPTY);
  }

  private static <T> List<T> bySeat(int seats, Supplier<T> value) {
    return new ArrayList<>(Stream.generate(value).limit(seats).toList());
  }

  /** From 1. */
  public int number() {
    return number;
  }

  /** The seat that deals, where one does. */
  public OptionalInt dealer() {
    return dealer;
  }

  /** The seat after the dealer, where there is one. */
  public OptionalInt eldest() {
    return dealer.isPresent()
        ? OptionalInt.of((dealer.getAsInt() + 1) % voids.size())
        : OptionalInt.empty();
  }

  /** The seat that chooses the contract, where one does. */
  public OptionalInt chooser() {
    return chooser;
  }

  /** Our own hand. */
  public CardSet hand() {
    return hand;
  }

  /** What is played for; empty until it is set. */
  public Optional<Contract> contract() {
    return contract;
  }

  public Optional<Suit> trump() {
    return contract.flatMap(Contract::trump);
  }

  /** Whether the ranks are upside down. */
  public boolean isMisere() {
    return contract.map(Contract::isMisere).orElse(false);
  }

  /** Choices, orders, bids, passes and the like, in the order in which they were said. */
  public List<Said> said() {
    return Collections.unmodifiableList(said);
  }

  /** The cards turned face up, in order. */
  public List<Card> talon() {
    return talon;
  }

  /** The seat that took the talon, once one did. */
  public OptionalInt talonTaker() {
    return talonTaker;
  }

  /** The cards given away, in order. */
  public List<Gift> gifts() {
    return Collections.unmodifiableList(gifts);
  }

  /** A card shown to all; it stays in that seat's hand until played. */
  public Optional<Played> exposed() {
    return exposed;
  }

  /** The open trick; empty before a lead. */
  public Optional<Trick> trick() {
    return trick;
  }

  /** The complete tricks, in order. */
  public List<Trick> tricks() {
    return Collections.unmodifiableList(tricks);
  }

  /** The number of the trick that is open or about to be led, from 1. */
  public int trickNumber() {
    return tricks.size() + 1;
  }

  public List<Integer> tricksTaken() {
    return Collections.unmodifiableList(tricksTaken);
  }

  public List<CardSet> cardsTaken() {
    return Collections.unmodifiableList(cardsTaken);
  }

  public List<CardSet> playedBy() {
    return Collections.unmodifiableList(playedBy);
  }

  /** The suits that a seat showed not to have. */
  public List<Set<Suit>> voids() {
    return voids.stream().map(Collections::unmodifiableSet).toList();
  }

  /** Cards in other hands that we know of: gifts of ours, the exposed card. */
  public List<CardSet> knownCards() {
    return Collections.unmodifiableList(knownCards);
  }

  /** Every card played, the open trick's too. */
  public CardSet fallen() {
    return fallen;
  }

  /** The cards that are in other hands (or not dealt yet), for all we know. */
  public CardSet unseen() {
    return pack.minus(hand).minus(fallen);
  }

  void onCards(List<Card> cards) {
    hand = hand.union(CardSet.of(cards));
  }

  void onTalon(List<Card> cards) {
    talon = List.copyOf(cards);
  }

  void onContract(Contract set) {
    contract = Optional.of(set);
  }

  void onAction(int seat, Action action, ActionBy by) {
    if (action instanceof Action.Play play) {
      onPlay(seat, play.card());
    } else {
      said.add(new Said(seat, action, by));
    }
  }

  private void onPlay(int seat, Card card) {
    Trick open = trick.orElseGet(() -> new Trick(trickNumber()));
    open.add(new Played(seat, card));
    trick = Optional.of(open);
    if (card.suit() != open.led()) {
      voids.get(seat).add(open.led());
    }
    fallen = fallen.with(card);
    playedBy.set(seat, playedBy.get(seat).with(card));
    knownCards.set(seat, knownCards.get(seat).without(card));
    if (seat == ownSeat) {
      hand = hand.without(card);
    }
  }

  void onGift(Gift gift) {
    takeTalon(gift.seat());
    gifts.add(gift);
    if (gift.card().isEmpty()) {
      return;
    }
    Card card = gift.card().get();
    if (gift.seat() == ownSeat) {
      hand = hand.without(card);
      knownCards.set(gift.to(), knownCards.get(gift.to()).with(card));
    } else {
      hand = hand.with(card);
    }
  }

  /** The declarer takes the talon: known by the first gift, or by our being asked for one. */
  void takeTalon(int seat) {
    if (talonTaker.isPresent()) {
      return;
    }
    talonTaker = OptionalInt.of(seat);
    if (seat == ownSeat) {
      hand = hand.union(CardSet.of(talon));
    }
  }

  void onExposed(int seat, Card card) {
    exposed = Optional.of(new Played(seat, card));
    if (seat != ownSeat) {
      knownCards.set(seat, knownCards.get(seat).with(card));
    }
  }

  void onTrickEnd(int taker) {
    Trick complete =
        trick.orElseThrow(
            () ->
                new IllegalStateException(
                    "deal " + number + ": the end of a trick was told, but no trick is open"));
    complete.takenBy(taker);
    tricks.add(complete);
    tricksTaken.set(taker, tricksTaken.get(taker) + 1);
    cardsTaken.set(taker, cardsTaken.get(taker).union(complete.cards()));
    trick = Optional.empty();
  }
}
