package net.sluice.intents.validate;

import java.util.List;
import java.util.stream.Collectors;
import net.sluice.intents.model.Kind;
import net.sluice.intents.value.InvalidValueException;

/**
 * One reason to refuse a declaration.
 *
 * @param code what kind of reason
 * @param field the field as in the API, e.g. {@code prefixes[2]}
 * @param value the refused value as text
 * @param allowed what would be accepted
 * @param detail a full sentence for people
 */
public record Problem(Code code, String field, String value, String allowed, String detail) {
  /** Kinds of reasons; a refusal with several is known by the first in this order. */
  public enum Code {
    /** Not in force as the change says that it has to be. */
    PRECONDITION,
    /** Has to say what has to be in force, and does not. */
    UNCONDITIONAL,
    /** Not of the declared form: wrong type, missing or unknown field. */
    MALFORMED,
    /** The named declaration does not exist. */
    NOT_FOUND,
    /** Well-formed but not acceptable. */
    INVALID,
    /** Contradicts another declaration. */
    CONFLICT,
    /** A target is full. */
    CAPACITY
  }

  /** The problem of a value the model refuses. */
  public static Problem of(InvalidValueException invalid) {
    return of(Code.INVALID, invalid.field(), invalid.value(), invalid.allowed());
  }

  /** The problem of a change that names what is not declared. */
  public static Problem notFound(Kind kind, String id) {
    return new Problem(
        Code.NOT_FOUND,
        kind.field(),
        id,
        "the id of an existing " + kind.words(),
        "There is no " + kind.words() + " " + id + ".");
  }

  /** The problem of a change whose precondition does not hold any more. */
  public static Problem overtaken(Kind kind, String id) {
    return new Problem(
        Code.PRECONDITION,
        kind.field(),
        id,
        "what it was when the change was made from it",
        "The declaration of "
            + kind.words()
            + " "
            + id
            + " has changed meanwhile; nothing was done.");
  }

  /** A problem whose detail is made from the other parts. */
  public static Problem of(Code code, String field, Object value, String allowed) {
    String text = String.valueOf(value);
    return new Problem(
        code, field, text, allowed, field + " is " + text + "; allowed: " + allowed + ".");
  }

  /** The same of another field. */
  public Problem of(String otherField) {
    return new Problem(code, otherField, value, allowed, detail);
  }

  /** The same where something else is allowed, too. */
  public Problem or(String other) {
    return new Problem(code, field, value, allowed + ", or " + other, detail);
  }

  /** The same of a field that is below another one, {@code before} with its dot. */
  public Problem below(String before) {
    return before.isEmpty() ? this : new Problem(code, before + field, value, allowed, detail);
  }

  /** The field and its value before the detail, for a note. */
  public String naming() {
    return field + " " + value + ": " + detail;
  }

  /** The details of problems, one sentence after another, each sentence once. */
  public static String sentences(List<Problem> problems) {
    return problems.stream().map(Problem::detail).distinct().collect(Collectors.joining(" "));
  }

  @Override
  public String toString() {
    return code + ": " + detail;
  }
}
