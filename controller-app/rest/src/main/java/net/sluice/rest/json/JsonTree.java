package net.sluice.rest.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;

/** Reads one JSON document in UTF-8 into a {@link JsonValue}. */
public final class JsonTree {
  /** Deepest nesting of a document; no declaration needs more than 4. */
  public static final int MAX_DEPTH = 16;

  /** Longest number, in characters. */
  public static final int MAX_NUMBER_LENGTH = 100;

  /** The allowed form of a document, for error texts. */
  public static final String ALLOWED = "one JSON object in UTF-8";

  /** The character in place of bytes that are none, which a document may have, too. */
  private static final char REPLACEMENT = '\ufffd';

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(MAX_NUMBER_LENGTH)
                  .build())
          .build();

  /** It knows the names it has met, and reads bytes without making text of them first. */
  private static final JsonFactory LINES =
      FACTORY
          .rebuild()
          .enable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .enable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .build();

  /** Where the library starts to advise its programmer, which is no help to a client. */
  private static final Pattern ADVICE = Pattern.compile("(: enable `| \\(not recognized).*");

  /** How it writes a second place, beside a source that it does not show. */
  private static final Pattern PLACE =
      Pattern.compile("\\[Source: [^\\]]*; line: (\\d+), column: (\\d+)\\]");

  /** How it tells of an object that ends behind a comma. */
  private static final Pattern TRAILING_COMMA =
      Pattern.compile("Unexpected character \\(('}') .*expecting double-quote");

  private JsonTree() {}

  /**
   * The document in {@code bytes[offset, offset + length)}.
   *
   * @throws Refusal with one {@link Problem.Code#MALFORMED} problem that says where reading stopped
   *     if the bytes are not exactly one JSON document in UTF-8
   */
  public static JsonValue read(byte[] bytes, int offset, int length) throws Refusal {
    Reader utf8 = new InputStreamReader(new ByteArrayInputStream(bytes, offset, length), strict());
    try (JsonParser parser = FACTORY.createParser(utf8)) {
      JsonToken first = null;
      try {
        first = parser.nextToken();
        if (first == null) {
          throw malformed("empty", "The body is empty");
        }
        JsonValue value = value(parser, first);
        JsonToken trailing = parser.nextToken();
        if (trailing != null) {
          JsonLocation at = parser.currentTokenLocation();
          throw malformed(
              "more text at " + place(at), "There is more text after the JSON document");
        }
        return value;
      } catch (JsonProcessingException e) {
        Matcher comma = TRAILING_COMMA.matcher(e.getOriginalMessage());
        boolean isComma = comma.lookingAt();
        String where = first == null || isComma ? ObjectReader.DOCUMENT : path(parser);
        JsonLocation at = e.getLocation() == null ? parser.currentLocation() : e.getLocation();
        throw malformed(
            where,
            "not JSON at " + place(at),
            isComma
                ? "A comma is followed by " + comma.group(1) + ", not by another field"
                : reason(e));
      } catch (CharacterCodingException e) {
        throw malformed("not UTF-8", "The body is not UTF-8 text");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory failed", e);
    }
  }

  /**
   * A parser of the document in {@code bytes[offset, offset + length)}.
   *
   * @throws CharacterCodingException if they are not UTF-8
   */
  public static JsonParser parser(byte[] bytes, int offset, int length) throws IOException {
    String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0) {
      CharBuffer unused = strict().decode(ByteBuffer.wrap(bytes, offset, length));
    }
    return parser(text);
  }

  /**
   * A parser of the documents in {@code bytes[offset, offset + length)}, of which the first begins
   * with two characters of ASCII. It tells where it is in bytes, and does not see to it that they
   * are UTF-8.
   */
  public static JsonParser linesParser(byte[] bytes, int offset, int length) throws IOException {
    return LINES.createParser(bytes, offset, length);
  }

  /** False if bytes are no UTF-8, or if they have the character that stands for such. */
  public static boolean isUtf8(byte[] bytes, int offset, int length) {
    return new String(bytes, offset, length, StandardCharsets.UTF_8).indexOf(REPLACEMENT) < 0;
  }

  private static CharsetDecoder strict() {
    return StandardCharsets.UTF_8
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT);
  }

  /** A parser of text. */
  static JsonParser parser(String text) throws IOException {
    return FACTORY.createParser(text);
  }

  /** The refusal of a document that a parser does not read to its end. */
  public static Refusal refusal(byte[] bytes, int offset, int length) {
    try {
      JsonValue unused = read(bytes, offset, length);
    } catch (Refusal e) {
      return e;
    }
    throw new IllegalStateException("a document can be read and cannot");
  }

  /** The value that a parser is at, read to its end. */
  static JsonValue value(JsonParser parser, JsonToken token) throws IOException {
    switch (token) {
      case START_OBJECT:
        List<JsonValue.Member> members = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          members.add(new JsonValue.Member(name, value(parser, parser.nextToken())));
        }
        return new JsonValue.Obj(members);
      case START_ARRAY:
        List<JsonValue> items = new ArrayList<>();
        for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
          items.add(value(parser, t));
        }
        return new JsonValue.Arr(items);
      case VALUE_STRING:
        return new JsonValue.Str(parser.getText());
      case VALUE_NUMBER_INT:
      case VALUE_NUMBER_FLOAT:
        return new JsonValue.Num(parser.getText());
      case VALUE_TRUE:
        return JsonValue.Literal.TRUE;
      case VALUE_FALSE:
        return JsonValue.Literal.FALSE;
      case VALUE_NULL:
        return JsonValue.Literal.NULL;
      default:
        throw new IllegalStateException("unexpected token " + token);
    }
  }

  /** The field reading had come to, e.g. {@code throughputValue.points[3]}. */
  private static String path(JsonParser parser) {
    String pointer = parser.getParsingContext().pathAsPointer().toString();
    StringBuilder path = new StringBuilder();
    for (String part : pointer.split("/", -1)) {
      if (part.isEmpty()) {
        continue;
      }
      boolean index = part.chars().allMatch(c -> c >= '0' && c <= '9');
      if (index) {
        path.append('[').append(part).append(']');
      } else {
        path.append(path.length() == 0 ? "" : ".").append(part);
      }
    }
    return path.length() == 0 ? ObjectReader.DOCUMENT : path.toString();
  }

  private static String place(JsonLocation at) {
    return "line " + at.getLineNr() + ", column " + at.getColumnNr();
  }

  private static String reason(JsonProcessingException e) {
    if (e instanceof JsonEOFException) {
      return "The body ends before its JSON document does";
    }
    if (e instanceof StreamConstraintsException) {
      return "The body is nested deeper than "
          + MAX_DEPTH
          + " levels or has a number of more than "
          + MAX_NUMBER_LENGTH
          + " characters";
    }
    String reason = ADVICE.matcher(e.getOriginalMessage()).replaceFirst("");
    return "This is not JSON: " + PLACE.matcher(reason).replaceAll("line $1, column $2");
  }

  private static Refusal malformed(String value, String detail) {
    return malformed(ObjectReader.DOCUMENT, value, detail);
  }

  private static Refusal malformed(String field, String value, String detail) {
    String sentence = detail.matches("(?s).*[.?]") ? detail : detail + ".";
    return new Refusal(
        List.of(new Problem(Problem.Code.MALFORMED, field, value, ALLOWED, sentence)));
  }
}
