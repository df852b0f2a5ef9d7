package net.sluice.emulator.server.p4runtime.value;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.emulator.server.p4runtime.status.RpcException;

/**
 * A type whose values controllers write as strings ({@code sdn_string}) and the program has as
 * numbers, and which string is which number:
 *
 * <ul>
 *   <li>strings that the P4 source pairs with a number ({@code @p4runtime_translation_mappings});
 *   <li>of ports, the name of the interface behind one, or the number of a port that has none;
 *   <li>any other string gets the lowest number, from 1 on, that no string has yet, and keeps it
 *       while the config is in force;
 *   <li>a number that no string has is {@code #N}.
 * </ul>
 *
 * <p>Strings are given numbers by one thread at a time; any thread may ask for either.
 */
public final class StringType {

  private static final String MAPPINGS = "@p4runtime_translation_mappings";
  private static final Pattern PAIR =
      Pattern.compile("\\{\\s*\"((?:[^\"\\\\]|\\\\.)*)\"\\s*,\\s*(\\d{1,40})\\s*\\}\\s*,?\\s*");
  private static final Pattern LIST =
      Pattern.compile("@p4runtime_translation_mappings\\s*\\(\\s*\\{(.*)\\}\\s*\\)\\s*");
  private static final Pattern DECIMAL = Pattern.compile("0|[1-9]\\d{0,39}");
  private static final Pattern PORT_WORD = Pattern.compile("(?i)ports?");
  private static final Pattern WORD_END = Pattern.compile("[^A-Za-z]+|(?<=[a-z])(?=[A-Z])");

  private final String name;
  private final boolean ports;
  private final Map<Integer, String> portNames;
  private final Map<ByteString, BigInteger> numbers = new ConcurrentHashMap<>();
  private final Map<BigInteger, ByteString> strings = new ConcurrentHashMap<>();
  private BigInteger lastGiven = BigInteger.ZERO;

  /**
   * A type.
   *
   * @param uri what it is called in its annotation
   * @param portNames interfaces by port
   */
  StringType(String name, String uri, Map<Integer, String> portNames) {
    this.name = name;
    this.ports = hasPortWord(name) || hasPortWord(uri);
    this.portNames = portNames;
  }

  private static boolean hasPortWord(String text) {
    for (String word : WORD_END.split(text)) {
      if (PORT_WORD.matcher(word).matches()) {
        return true;
      }
    }
    return false;
  }

  /** Whether its values are ports of the switch. */
  boolean isPort() {
    return ports;
  }

  /**
   * Takes the pairs of an annotation; others are of no interest.
   *
   * @throws RpcException INVALID_ARGUMENT if they cannot be read, or are not one to one
   */
  void annotate(String annotation) throws RpcException {
    if (!annotation.startsWith(MAPPINGS)) {
      return;
    }
    Matcher list = LIST.matcher(annotation);
    Matcher pair = PAIR.matcher(list.matches() ? list.group(1).strip() : "?");
    int at = 0;
    while (pair.find() && pair.start() == at) {
      at = pair.end();
      pair(
          ByteString.copyFromUtf8(pair.group(1).replaceAll("\\\\(.)", "$1")),
          new BigInteger(pair.group(2)));
    }
    if (!pair.hitEnd() || !list.matches() || at != list.group(1).strip().length()) {
      throw RpcException.invalid(
          "type '%s': cannot read %s; it must be %s({ {\"string\", number}, ... })",
          name, annotation, MAPPINGS);
    }
  }

  private void pair(ByteString string, BigInteger number) throws RpcException {
    BigInteger other = numbers.putIfAbsent(string, number);
    ByteString same = strings.putIfAbsent(number, string);
    if (other != null || same != null) {
      throw RpcException.invalid(
          "type '%s': its mappings pair %s twice",
          name, other != null ? "\"" + string.toStringUtf8() + "\"" : number);
    }
  }

  /** Goes on with the pairs of the same type in the config before, where they do not differ. */
  void adopt(StringType before) {
    before.numbers.forEach(
        (string, number) -> {
          if (!numbers.containsKey(string) && strings.putIfAbsent(number, string) == null) {
            numbers.put(string, number);
          }
        });
  }

  /**
   * The number that a string stands for, as bytes.
   *
   * @param widthBits width of the program's numbers
   * @param owner what the value is of, for the message
   * @throws RpcException INVALID_ARGUMENT if it stands for none, RESOURCE_EXHAUSTED if there is
   *     none left for it
   */
  public ByteString number(ByteString string, int widthBits, String owner) throws RpcException {
    BigInteger number = numbers.get(string);
    if (number == null) {
      number = newNumber(string, widthBits, owner);
    }
    if (number.bitLength() > widthBits) {
      throw new RpcException(
          Code.OUT_OF_RANGE,
          "%s: \"%s\" is number %s; at most %s bits are allowed"
              .formatted(owner, string.toStringUtf8(), number, widthBits));
    }
    return bytes(number);
  }

  private BigInteger newNumber(ByteString string, int widthBits, String owner) throws RpcException {
    if (string.isEmpty()) {
      throw new RpcException(
          Code.OUT_OF_RANGE, owner + ": the value is empty; at least one character is needed");
    }
    if (!string.isValidUtf8()) {
      throw RpcException.invalid(
          owner + ": value 0x" + ByteStrings.hex(string) + " is not UTF-8; it must be a string");
    }
    String text = string.toStringUtf8();
    if (ports) {
      return port(text, owner);
    }
    if (text.startsWith("#") && DECIMAL.matcher(text.substring(1)).matches()) {
      BigInteger unnamed = new BigInteger(text.substring(1));
      ByteString named = strings.get(unnamed);
      if (named != null) {
        throw RpcException.invalid(
            owner + ": \"" + text + "\" is called \"" + named.toStringUtf8() + "\" here");
      }
      return keep(string, unnamed, widthBits);
    }
    BigInteger numbersInAll = BigInteger.ONE.shiftLeft(widthBits);
    BigInteger free = lastGiven;
    for (int i = 0; i <= strings.size(); i++) {
      free = free.add(BigInteger.ONE).mod(numbersInAll);
      if (!strings.containsKey(free)) {
        lastGiven = free;
        return keep(string, free, widthBits);
      }
    }
    throw new RpcException(
        Code.RESOURCE_EXHAUSTED,
        ("%s: no number is left for \"%s\"; type '%s' has %s bits, and strings keep their"
                + " numbers until another config is set")
            .formatted(owner, text, name, widthBits));
  }

  private BigInteger keep(ByteString string, BigInteger number, int widthBits) {
    if (number.bitLength() <= widthBits) {
      strings.put(number, string);
      numbers.put(string, number);
    }
    return number;
  }

  private BigInteger port(String text, String owner) throws RpcException {
    for (Map.Entry<Integer, String> port : portNames.entrySet()) {
      if (port.getValue().equals(text)) {
        return BigInteger.valueOf(port.getKey());
      }
    }
    if (!DECIMAL.matcher(text).matches()) {
      throw RpcException.invalid(
          "%s: there is no port \"%s\"; it must be one of %s, or the number of a port"
              + " without a name",
          owner, text, portNames.values().stream().sorted().toList());
    }
    BigInteger number = new BigInteger(text);
    ByteString called = string(number);
    if (!called.toStringUtf8().equals(text)) {
      throw RpcException.invalid(
          owner + ": port " + text + " is called \"" + called.toStringUtf8() + "\"");
    }
    return number;
  }

  /** The string that a number, as bytes, stands for. */
  public ByteString string(ByteString number) {
    return string(new BigInteger(1, number.toByteArray()));
  }

  private ByteString string(BigInteger number) {
    ByteString string = strings.get(number);
    if (string != null) {
      return string;
    }
    if (!ports) {
      return ByteString.copyFromUtf8("#" + number);
    }
    String interfaceName =
        number.bitLength() < Integer.SIZE ? portNames.get(number.intValue()) : null;
    return ByteString.copyFrom(
        interfaceName == null ? number.toString() : interfaceName, StandardCharsets.UTF_8);
  }

  private static ByteString bytes(BigInteger value) {
    byte[] bytes = value.toByteArray();
    // BigInteger puts a zero byte before values whose highest bit is set.
    int from = bytes.length > 1 && bytes[0] == 0 ? 1 : 0;
    return ByteString.copyFrom(bytes, from, bytes.length - from);
  }
}
