package net.sluice.rest.bulk;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.rest.form.DeclarationForm;
import net.sluice.rest.json.JsonTree;

/**
 * Reads lines as they stream by: the sound ones without a condition whose {@code value} comes last.
 * It says nothing of any other. One parser reads the lines of a block, because making one takes as
 * long as reading a line does. Not thread-safe.
 */
final class SoundLines {
  private static final Kind[] KINDS = Kind.values();

  private byte[] block;
  private int end;
  private boolean isText;

  /** Behind the line read last, and where it began; null if the next line needs one. */
  private JsonParser parser;

  private int parserFrom;

  /** Goes to the lines in {@code bytes[from, to)}, which are asked for in their order. */
  void block(byte[] bytes, int from, int to) {
    leave();
    block = bytes;
    end = to;
    isText = JsonTree.isUtf8(bytes, from, to - from);
  }

  /** The change on the line in {@code [from, to)} of the block; null if it is to be read anew. */
  Change change(int from, int to) {
    // A second byte of 0 would be UTF-16 to the parser.
    if (!isText || to - from < 2 || block[from] != '{' || block[from + 1] == 0) {
      leave();
      return null;
    }
    try {
      if (parser == null) {
        parser = JsonTree.linesParser(block, from, end - from);
        parserFrom = from;
      }
      Change change = parser.nextToken() == JsonToken.START_OBJECT ? change(parser) : null;
      if (change != null && isBlank(placeInBlock(), to)) {
        return change;
      }
    } catch (IOException e) {
      // The full decoder says what is wrong.
    }
    leave();
    return null;
  }

  private void leave() {
    if (parser != null) {
      try {
        parser.close();
      } catch (IOException e) {
        throw new IllegalStateException("a parser of bytes cannot be closed", e);
      }
      parser = null;
    }
  }

  private int placeInBlock() {
    return parserFrom + (int) parser.currentLocation().getByteOffset();
  }

  /** Whether an object that ends at {@code from} ends its line, and that is the one asked for. */
  private boolean isBlank(int from, int to) {
    int at = from;
    while (at < to && (block[at] == ' ' || block[at] == '\t' || block[at] == '\r')) {
      at++;
    }
    return at == to;
  }

  private static Change change(JsonParser at) throws IOException {
    boolean isPut = false;
    boolean isDeletion = false;
    Kind kind = null;
    String id = null;
    Change.Put put = null;
    for (String name = at.nextFieldName(); name != null; name = at.nextFieldName()) {
      boolean isText = at.nextToken() == JsonToken.VALUE_STRING;
      if (isText && !isPut && !isDeletion && name.equals("op")) {
        isPut = isText(at, "put");
        isDeletion = !isPut && isText(at, "delete");
        if (!isPut && !isDeletion) {
          return null;
        }
      } else if (isText && kind == null && name.equals("kind")) {
        kind = kind(at);
        if (kind == null) {
          return null;
        }
      } else if (isText && id == null && name.equals("id")) {
        id = at.getText();
      } else if (put == null && isPut && kind != null && id != null && name.equals("value")) {
        put = DeclarationForm.readSound(kind, id, at);
        if (put == null) {
          return null;
        }
      } else {
        return null;
      }
    }
    return isDeletion && kind != null && id != null && DeclarationForm.isId(kind, id)
        ? new Change.Delete(kind, id)
        : put;
  }

  private static Kind kind(JsonParser at) throws IOException {
    for (Kind kind : KINDS) {
      if (isText(at, kind.text())) {
        return kind;
      }
    }
    return null;
  }

  /** Whether the text that a parser is at is another one; makes no string of it. */
  private static boolean isText(JsonParser at, String other) throws IOException {
    int length = other.length();
    if (at.getTextLength() != length) {
      return false;
    }
    char[] characters = at.getTextCharacters();
    int from = at.getTextOffset();
    for (int i = 0; i < length; i++) {
      if (characters[from + i] != other.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
