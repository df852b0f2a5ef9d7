package net.sluice.rest.bulk;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Optional;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.value.Ids;
import net.sluice.rest.form.DeclarationForm;
import net.sluice.rest.json.JsonTree;

/**
 * Reads lines as they stream by: the sound ones without a condition whose {@code value} comes last.
 * It says nothing of any other. One parser reads the lines of a block, because making one takes as
 * long as reading a line does. Not thread-safe.
 */
final class SoundLines {
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
    String op = null;
    String kindText = null;
    String id = null;
    Change.Put put = null;
    for (String name = at.nextFieldName(); name != null; name = at.nextFieldName()) {
      boolean isText = at.nextToken() == JsonToken.VALUE_STRING;
      if (isText && op == null && name.equals("op")) {
        op = at.getText();
      } else if (isText && kindText == null && name.equals("kind")) {
        kindText = at.getText();
      } else if (isText && id == null && name.equals("id")) {
        id = at.getText();
      } else if (put == null && "put".equals(op) && id != null && name.equals("value")) {
        put = put(kindText, id, at);
        if (put == null) {
          return null;
        }
      } else {
        return null;
      }
    }
    boolean isDeletion = "delete".equals(op) && kindText != null && id != null;
    return isDeletion && Ids.isValid(id) ? deletion(kindText, id) : put;
  }

  private static Change deletion(String kindText, String id) {
    return Kind.of(kindText).map(kind -> new Change.Delete(kind, id)).orElse(null);
  }

  private static Change.Put put(String kindText, String id, JsonParser at) throws IOException {
    Optional<Kind> kind = Optional.ofNullable(kindText).flatMap(Kind::of);
    return kind.isEmpty() ? null : DeclarationForm.readSound(kind.get(), id, at);
  }
}
