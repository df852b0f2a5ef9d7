package net.sluice.rest.condition;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.ws.rs.core.CacheControl;
import javax.ws.rs.core.HttpHeaders;
import net.sluice.core.Declared;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonContent;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.form.DeclarationForm;

/**
 * Entity tags as a request names them. A tag is of what is declared alone: what targets have of it
 * does not change it.
 *
 * @param field the header or field that names them
 * @param tags without quotes; {@link #ANY} alone for any
 */
public record Tags(String field, List<String> tags) {
  /** The tag that stands for any. */
  public static final String ANY = "*";

  /** The fields of a line of a bulk request. */
  public static final String IF_MATCH = "ifMatch";

  public static final String IF_NONE_MATCH = "ifNoneMatch";

  /** A tag does not tell how targets are, so that no cache may answer for its sake. */
  public static final CacheControl NOT_STORED = new CacheControl();

  static {
    NOT_STORED.setNoStore(true);
    NOT_STORED.setNoTransform(false);
  }

  private static final int TAG_BYTES = 12;
  private static final Pattern TAG = Pattern.compile("\\s*(W/)?\"([!#-~]*)\"\\s*(,|$)");

  public Tags {
    tags = List.copyOf(tags);
  }

  /**
   * The tags of a header; empty if the request does not have it.
   *
   * @param weak whether weak tags are compared, too (RFC 9110 section 8.8.3.2)
   * @throws Refusal if they cannot be read
   */
  static Optional<Tags> of(HttpHeaders headers, String header, boolean weak) throws Refusal {
    List<String> given = headers.getRequestHeader(header);
    if (given == null || given.isEmpty()) {
      return Optional.empty();
    }
    String text = String.join(",", given);
    if (text.strip().equals(ANY)) {
      return Optional.of(new Tags(header, List.of(ANY)));
    }
    Matcher matcher = TAG.matcher(text);
    List<String> tags = new ArrayList<>();
    int end = 0;
    while (end < text.length() && matcher.find(end) && matcher.start() == end) {
      if (weak || matcher.group(1) == null) {
        tags.add(matcher.group(2));
      }
      end = matcher.end();
    }
    if (end < text.length() || text.isBlank()) {
      throw new Refusal(
          List.of(
              Problem.of(
                  Problem.Code.MALFORMED,
                  header,
                  JsonText.quoted(text),
                  "* or tags as ETag has them, in quotes")));
    }
    return Optional.of(new Tags(header, tags));
  }

  /** The tag of a declaration in force. */
  public static String tag(Declared declared) {
    return tag(declared.declared(), declared.switchName());
  }

  /** The tag of a declaration at a switch, which is empty for the only one. */
  public static String tag(Declaration declaration, Optional<String> switchName) {
    return tag(json -> DeclarationForm.write(json, declaration.asDeclared(), switchName));
  }

  /** The tag of a JSON document, whatever space is in it. */
  public static String tag(byte[] document) {
    return tag(json -> JsonAnswer.copy(json, document));
  }

  private static String tag(JsonContent content) {
    byte[] text = JsonContent.bytes(content);
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text);
      return HexFormat.of().formatHex(hash, 0, TAG_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Whether one of them is that of something; empty if that is absent, which has none. */
  boolean haveAny(Optional<String> tag) {
    return tag.isPresent() && (tags.equals(List.of(ANY)) || tags.contains(tag.get()));
  }

  /** The tags as text. */
  public String text() {
    return String.join(", ", tags);
  }
}
