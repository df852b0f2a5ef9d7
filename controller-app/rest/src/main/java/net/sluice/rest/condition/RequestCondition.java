package net.sluice.rest.condition;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.ws.rs.core.HttpHeaders;
import net.sluice.core.Declared;
import net.sluice.intents.plan.Precondition;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonText;

/**
 * The condition of a request: that what it is about is declared as its sender knows it (RFC 9110
 * section 13.1).
 *
 * @param match the tags of which it has one; empty if it may have any or be absent
 * @param noneMatch the tags of which it has none; empty likewise
 */
public record RequestCondition(Optional<Tags> match, Optional<Tags> noneMatch) {
  /** So often a change is made anew because another one came before it. */
  public static final int MOST_TRIES = 100;

  /** The condition that always holds. */
  public static final RequestCondition NONE =
      new RequestCondition(Optional.empty(), Optional.empty());

  /** The condition that there is nothing yet, of a line of a bulk request. */
  public static final RequestCondition ABSENT =
      new RequestCondition(
          Optional.empty(), Optional.of(new Tags(Tags.IF_NONE_MATCH, List.of(Tags.ANY))));

  /** The condition that there is what has this tag, of a line of a bulk request. */
  public static RequestCondition tagged(String tag) {
    return new RequestCondition(
        Optional.of(new Tags(Tags.IF_MATCH, List.of(tag))), Optional.empty());
  }

  /**
   * The condition of a request.
   *
   * @throws Refusal if it cannot be read
   */
  public static RequestCondition of(HttpHeaders headers) throws Refusal {
    return new RequestCondition(
        Tags.of(headers, HttpHeaders.IF_MATCH, false),
        Tags.of(headers, HttpHeaders.IF_NONE_MATCH, true));
  }

  /**
   * The condition of a request that changes something.
   *
   * @param isRequired whether the host lets none be made without
   * @throws Refusal if it cannot be read, or is missing and has to be there
   */
  public static RequestCondition ofChange(HttpHeaders headers, boolean isRequired, String what)
      throws Refusal {
    RequestCondition condition = of(headers);
    if (condition.isNone() && (isRequired || Preference.isStrict(headers))) {
      throw new Refusal(List.of(missing(HttpHeaders.IF_MATCH, HttpHeaders.IF_NONE_MATCH, what)));
    }
    return condition;
  }

  /**
   * Refuses a request of many changes, each of which can have a condition, that has one for all.
   *
   * @throws Refusal if it has a header with one
   */
  public static void requireNone(HttpHeaders headers) throws Refusal {
    for (String header : List.of(HttpHeaders.IF_MATCH, HttpHeaders.IF_NONE_MATCH)) {
      String given = headers.getHeaderString(header);
      if (given != null) {
        throw new Refusal(
            List.of(
                Problem.of(
                    Code.MALFORMED,
                    header,
                    JsonText.quoted(given),
                    "absent: the condition of a line is its "
                        + Tags.IF_MATCH
                        + " or "
                        + Tags.IF_NONE_MATCH)));
      }
    }
  }

  /** The problem of a line of a bulk request that has to have a condition. */
  public static Problem missing(String what) {
    return missing(Tags.IF_MATCH, Tags.IF_NONE_MATCH, what);
  }

  private static Problem missing(String match, String noneMatch, String what) {
    return Problem.of(
        Code.UNCONDITIONAL,
        match,
        "absent",
        "the ETag of " + what + ", or " + noneMatch + " with * if there is to be none");
  }

  /** Whether it always holds. */
  public boolean isNone() {
    return match.isEmpty() && noneMatch.isEmpty();
  }

  /**
   * Whether a reader has what has this tag already.
   *
   * @throws Refusal if he asked for what has another one
   */
  public boolean isUnmodified(String what, String tag) throws Refusal {
    new RequestCondition(match, Optional.empty()).require(what, Optional.of(tag));
    return noneMatch.filter(tags -> tags.haveAny(Optional.of(tag))).isPresent();
  }

  /**
   * Refuses the request if the condition does not hold.
   *
   * @param what what it is about, such as {@code policy gold}
   * @param tag the tag that this has now; empty if it is absent
   * @throws Refusal with code {@link Code#PRECONDITION}
   */
  public void require(String what, Optional<String> tag) throws Refusal {
    Optional<Problem> problem = problem(what, tag);
    if (problem.isPresent()) {
      throw new Refusal(List.of(problem.get()));
    }
  }

  /** The reason why it does not hold; empty if it does. */
  public Optional<Problem> problem(String what, Optional<String> tag) {
    String is = tag.map(text -> '"' + text + '"').orElse("absent");
    return Stream.concat(
            match
                .filter(tags -> !tags.haveAny(tag))
                .map(
                    tags ->
                        new Problem(
                            Code.PRECONDITION,
                            tags.field(),
                            tags.text(),
                            is,
                            "The %s is not what %s says; its ETag is %s."
                                .formatted(what, tags.field(), is)))
                .stream(),
            noneMatch
                .filter(tags -> tags.haveAny(tag))
                .map(
                    tags ->
                        new Problem(
                            Code.PRECONDITION,
                            tags.field(),
                            tags.text(),
                            "tags other than " + is,
                            "The %s is there, with ETag %s, which %s rules out."
                                .formatted(what, is, tags.field())))
                .stream())
        .findFirst();
  }

  /** The precondition that a declaration is as it was found; with it, the change is of that one. */
  public static Precondition asFound(Optional<Declared> found) {
    return found
        .<Precondition>map(now -> new Precondition.InForce(now.declared(), now.switchName()))
        .orElse(Precondition.ABSENT);
  }
}
