package king.bot;

/** The suits, in pack order. */
public enum Suit {
  SPADES,
  HEARTS,
  DIAMONDS,
  CLUBS;

  /** The suit's letter: S, H, D or C. */
  public char letter() {
    return name().charAt(0);
  }

  /** The suit of a letter. */
  public static Suit of(char letter) {
    for (Suit suit : values()) {
      if (suit.letter() == letter) {
        return suit;
      }
    }
    throw new IllegalArgumentException("'" + letter + "' is not a suit: S, H, D and C are");
  }
}
