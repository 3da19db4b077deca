package king.bot;

/** A match was begun in a variant of which the SDK knows neither pack nor prices. */
final class UnknownVariantException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  UnknownVariantException(String baseId) {
    super(
        "this kit does not know the variant \"" + baseId + "\": add it to king/bot/Variants.java");
  }
}
