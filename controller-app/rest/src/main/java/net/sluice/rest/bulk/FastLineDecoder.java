package net.sluice.rest.bulk;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.Change;

/**
 * Decodes the usual lines of a bulk request straight from bytes.
 *
 * <p>It takes only lines it is sure of: well-formed, with known fields given once, plain ASCII
 * without escapes, and with {@code op} and {@code kind} before {@code value}. For anything else it
 * answers null and says nothing: the full decoder then accepts the line or tells what is wrong with
 * it. What it does take, the full decoder would decode to an equal change.
 */
final class FastLineDecoder {
  private static final int MAX_DIGITS = 18;
  private static final Kind[] KINDS = Kind.values();
  private static final int ABSENT = Integer.MIN_VALUE;

  /** Leaves the fast path; carries nothing. */
  private static final class NotSure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotSure() {
      super(null, null, false, false);
    }
  }

  private static final NotSure NOT_SURE = new NotSure();

  private byte[] bytes;
  private int at;
  private int end;

  // The string last read, without its quotes.
  private int from;
  private int to;

  // Most lines name the same policy as the one before.
  private String lastPolicy = "";

  /** The change on the line in {@code line[lineFrom, lineTo)}, or null. */
  Change decode(byte[] line, int lineFrom, int lineTo) {
    bytes = line;
    at = lineFrom;
    end = lineTo;
    try {
      Change change = line();
      skipSpace();
      return at == end ? change : null;
    } catch (NotSure | InvalidValueException e) {
      return null;
    }
  }

  private Change line() {
    String id = null;
    int op = 0; // 1 put, 2 delete
    Kind kind = null;
    Declaration put = null;
    boolean more = open('{', '}');
    while (more) {
      name();
      if (is("op") && op == 0) {
        string();
        op = is("put") ? 1 : is("delete") ? 2 : fail();
      } else if (is("kind") && kind == null) {
        string();
        kind = kind();
      } else if (is("id") && id == null) {
        string();
        id = text();
      } else if (is("value") && op == 1 && kind != null && id != null && put == null) {
        put = declaration(kind, id);
      } else {
        fail();
      }
      more = next('}');
    }
    if (op == 1 && put != null) {
      return new Change.Put(put);
    }
    if (op != 2 || kind == null || id == null) {
      throw NOT_SURE;
    }
    Ids.require("id", id);
    return new Change.Delete(kind, id);
  }

  private Kind kind() {
    for (Kind kind : KINDS) {
      if (is(kind.text())) {
        return kind;
      }
    }
    throw NOT_SURE;
  }

  private Declaration declaration(Kind kind, String id) {
    return switch (kind) {
      case SUBSCRIBER -> subscriber(id);
      case RATE_LIMIT -> rateLimit(id);
      // A policy's points are decimal fractions, and there are few policies.
      case POLICY -> failed();
    };
  }

  private Subscriber subscriber(String id) {
    String policy = null;
    List<IpPrefix> prefixes = null;
    int sVlan = ABSENT;
    int cVlan = ABSENT;
    Attachment attachment = null;
    boolean more = open('{', '}');
    while (more) {
      name();
      if (is("policy") && policy == null) {
        string();
        policy = is(lastPolicy) ? lastPolicy : text();
        lastPolicy = policy;
      } else if (is("prefixes") && prefixes == null) {
        prefixes = prefixes();
      } else if (is("sVlan") && sVlan == ABSENT) {
        sVlan = integer();
      } else if (is("cVlan") && cVlan == ABSENT) {
        cVlan = integer();
      } else if (is("attachment") && attachment == null) {
        attachment = attachment();
      } else {
        fail();
      }
      more = next('}');
    }
    if (policy == null || attachment == null || (cVlan != ABSENT && sVlan == ABSENT)) {
      throw NOT_SURE;
    }
    Optional<VlanTags> vlans =
        sVlan == ABSENT
            ? Optional.empty()
            : Optional.of(cVlan == ABSENT ? VlanTags.single(sVlan) : VlanTags.pair(sVlan, cVlan));
    return new Subscriber(id, policy, prefixes == null ? List.of() : prefixes, vlans, attachment);
  }

  private List<IpPrefix> prefixes() {
    List<IpPrefix> prefixes = new ArrayList<>(2);
    boolean more = open('[', ']');
    while (more) {
      string();
      prefixes.add(IpPrefix.parse(text()));
      more = next(']');
    }
    return prefixes;
  }

  private Attachment attachment() {
    int port = ABSENT;
    int tree = ABSENT;
    boolean more = open('{', '}');
    while (more) {
      name();
      if (is("port") && port == ABSENT) {
        port = integer();
      } else if (is("tree") && tree == ABSENT) {
        tree = integer();
      } else {
        fail();
      }
      more = next('}');
    }
    // An absent number is out of range, so the model refuses it.
    return new Attachment(port, tree);
  }

  private RateLimit rateLimit(String id) {
    Scope scope = null;
    OptionalLong downBps = OptionalLong.empty();
    OptionalLong upBps = OptionalLong.empty();
    OptionalInt burstBytes = OptionalInt.empty();
    boolean more = open('{', '}');
    while (more) {
      name();
      if (is("scope") && scope == null) {
        scope = scope();
      } else if (is("downBps") && downBps.isEmpty()) {
        downBps = OptionalLong.of(whole());
      } else if (is("upBps") && upBps.isEmpty()) {
        upBps = OptionalLong.of(whole());
      } else if (is("burstBytes") && burstBytes.isEmpty()) {
        burstBytes = OptionalInt.of(integer());
      } else {
        fail();
      }
      more = next('}');
    }
    if (scope == null) {
      throw NOT_SURE;
    }
    return new RateLimit(id, scope, downBps, upBps, burstBytes);
  }

  private Scope scope() {
    String subscriber = null;
    int port = ABSENT;
    int tree = ABSENT;
    boolean more = open('{', '}');
    while (more) {
      name();
      if (is("subscriber") && subscriber == null) {
        string();
        subscriber = text();
      } else if (is("port") && port == ABSENT) {
        port = integer();
      } else if (is("tree") && tree == ABSENT) {
        tree = integer();
      } else {
        fail();
      }
      more = next('}');
    }
    if (subscriber != null) {
      return port == ABSENT && tree == ABSENT ? new Scope.OfSubscriber(subscriber) : failed();
    }
    return tree == ABSENT ? new Scope.OfPort(port) : new Scope.OfTree(port, tree);
  }

  // ---------------------------------------------------------------- tokens

  /** Reads {@code opening}; false if {@code closing} follows at once, which is then read too. */
  private boolean open(char opening, char closing) {
    expect(opening);
    skipSpace();
    if (at < end && bytes[at] == closing) {
      at++;
      return false;
    }
    return true;
  }

  /** After a member: true if a comma follows, false if {@code closing} does. */
  private boolean next(char closing) {
    skipSpace();
    if (at < end && bytes[at] == ',') {
      at++;
      return true;
    }
    expect(closing);
    return false;
  }

  private void name() {
    string();
    expect(':');
  }

  private void string() {
    expect('"');
    from = at;
    while (at < end && bytes[at] != '"') {
      byte b = bytes[at];
      // Negative bytes are not ASCII.
      if (b < 0x20 || b == '\\') {
        throw NOT_SURE;
      }
      at++;
    }
    to = at;
    expect('"');
  }

  private boolean is(String text) {
    if (to - from != text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (bytes[from + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private String text() {
    return new String(Arrays.copyOfRange(bytes, from, to), StandardCharsets.ISO_8859_1);
  }

  private int integer() {
    long number = whole();
    if (number != (int) number || number == ABSENT) {
      throw NOT_SURE;
    }
    return (int) number;
  }

  private long whole() {
    skipSpace();
    boolean negative = at < end && bytes[at] == '-';
    if (negative) {
      at++;
    }
    int first = at;
    long number = 0;
    while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
      number = number * 10 + (bytes[at] - '0');
      at++;
      if (at - first > MAX_DIGITS) {
        throw NOT_SURE;
      }
    }
    boolean leadingZero = at - first > 1 && bytes[first] == '0';
    if (at == first || leadingZero) {
      throw NOT_SURE;
    }
    return negative ? -number : number;
  }

  private void expect(char c) {
    skipSpace();
    if (at >= end || bytes[at] != c) {
      throw NOT_SURE;
    }
    at++;
  }

  private void skipSpace() {
    while (at < end && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r')) {
      at++;
    }
  }

  private static int fail() {
    throw NOT_SURE;
  }

  private static <T> T failed() {
    throw NOT_SURE;
  }
}
