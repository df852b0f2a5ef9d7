package net.sluice.rest;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.ws.rs.core.HttpHeaders;
import net.sluice.core.Declared;
import net.sluice.intents.model.Kind;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.form.DeclarationForm;
import net.sluice.rest.json.JsonText;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;

/**
 * The condition of a change that what it changes is declared as its sender knows it (RFC 9110
 * section 13.1.1), and the tags by which senders know it. A tag is of what is declared alone: what
 * targets have of it does not change it.
 *
 * @param tags one of these, without quotes; {@code *} for any declaration
 */
record IfMatch(List<String> tags) {
  private static final String ANY = "*";
  private static final int TAG_BYTES = 12;
  private static final Pattern TAG =
      Pattern.compile("\\s*(?:\"([!#-~]*)\"|W/\"[!#-~]*\")\\s*(,|$)");

  /**
   * The condition of a request; empty if it has none.
   *
   * @throws Refusal if it cannot be read
   */
  static Optional<IfMatch> of(HttpHeaders headers) throws Refusal {
    List<String> given = headers.getRequestHeader(HttpHeaders.IF_MATCH);
    if (given == null || given.isEmpty()) {
      return Optional.empty();
    }
    String text = String.join(",", given);
    if (text.strip().equals(ANY)) {
      return Optional.of(new IfMatch(List.of(ANY)));
    }
    Matcher matcher = TAG.matcher(text);
    List<String> tags = new ArrayList<>();
    int end = 0;
    while (end < text.length() && matcher.find(end) && matcher.start() == end) {
      // A weak tag never matches.
      if (matcher.group(1) != null) {
        tags.add(matcher.group(1));
      }
      end = matcher.end();
    }
    if (end < text.length() || text.isBlank()) {
      throw new Refusal(
          List.of(
              Problem.of(
                  Problem.Code.MALFORMED,
                  HttpHeaders.IF_MATCH,
                  JsonText.quoted(text),
                  "* or tags as ETag has them, in quotes")));
    }
    return Optional.of(new IfMatch(List.copyOf(tags)));
  }

  /** The tag of a declaration in force, without quotes. */
  static String tag(Declared declared) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonAnswer.generator(text)) {
      DeclarationForm.write(json, declared.declared(), declared.switchName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.toByteArray());
      return HexFormat.of().formatHex(hash, 0, TAG_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Why it does not hold; empty if it does. */
  Optional<ProblemDetail> failure(Kind kind, String id, Optional<Declared> now) {
    boolean holds = now.isPresent() && (tags.equals(List.of(ANY)) || tags.contains(tag(now.get())));
    if (holds) {
      return Optional.empty();
    }
    String is = now.map(found -> '"' + tag(found) + '"').orElse("absent");
    return Optional.of(
        ProblemDetail.of(
            ProblemType.PRECONDITION_FAILED,
            "The "
                + kind.words()
                + " "
                + id
                + " is not what If-Match says; its ETag is "
                + is
                + ".",
            new FieldError(HttpHeaders.IF_MATCH, String.join(", ", tags), is)));
  }
}
