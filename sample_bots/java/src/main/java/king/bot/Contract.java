package king.bot;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is played for in a deal.
 *
 * @param declarer the seat that chose, ordered, bought, named or kept it, if one did
 * @param isMisere whether the ranks are upside down
 * @param price the tricks bid or paid, if there was a price
 */
public record Contract(
    String id, OptionalInt declarer, Optional<Suit> trump, boolean isMisere, OptionalInt price) {}
