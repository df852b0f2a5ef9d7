package net.sluice.intents.value;

/**
 * A value no declaration can hold: names the field, the value and what is allowed.
 *
 * <p>Thrown by the constructors and parsers of this package, so that an invalid model object cannot
 * exist. It carries no stack trace: it describes input, not a fault of the program.
 */
public final class InvalidValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final String value;
  private final String allowed;

  /** All three texts are for people: {@code field} as in the API, {@code allowed} a noun phrase. */
  public InvalidValueException(String field, Object value, String allowed) {
    super(field + " is " + value + "; allowed: " + allowed);
    this.field = field;
    this.value = String.valueOf(value);
    this.allowed = allowed;
  }

  /** The field's name as in the API, e.g. {@code attachment.tree}. */
  public String field() {
    return field;
  }

  /** The refused value as text. */
  public String value() {
    return value;
  }

  /** The values that would have been accepted. */
  public String allowed() {
    return allowed;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
