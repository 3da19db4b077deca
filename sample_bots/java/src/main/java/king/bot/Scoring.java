package king.bot;

import java.util.Map;

/**
 * What one contract counts, in points for whoever takes it: below zero what a player avoids.
 *
 * @param eachTrick the points of each trick
 * @param cardPoints the points of the cards that count
 * @param tricks the points of single tricks by number, from 1
 */
public record Scoring(int eachTrick, Map<Card, Integer> cardPoints, Map<Integer, Integer> tricks) {
  /** Whether the contract is a penalty. */
  public boolean avoids() {
    return eachTrick + sum(cardPoints) + trickTotal() < 0;
  }

  /** What a card scores for its taker. */
  public int worth(Card card) {
    return cardPoints.getOrDefault(card, 0);
  }

  /** The points of trick {@code number} when it holds these cards. */
  public int trickPoints(int number, CardSet cards) {
    int points = eachTrick + tricks.getOrDefault(number, 0);
    for (Card card : cards) {
      points += worth(card);
    }
    return points;
  }

  /** The points of all tricks that count by their number. */
  public int trickTotal() {
    return sum(tricks);
  }

  private static int sum(Map<?, Integer> points) {
    return points.values().stream().mapToInt(Integer::intValue).sum();
  }
}
