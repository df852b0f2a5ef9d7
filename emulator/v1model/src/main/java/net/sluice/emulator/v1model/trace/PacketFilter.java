package net.sluice.emulator.v1model.trace;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Pattern;
import net.sluice.emulator.trace.v1.BytePattern;
import net.sluice.emulator.trace.v1.FlowFilter;
import net.sluice.emulator.trace.v1.TraceFilter;

/** The conditions of a {@link TraceFilter} on a packet as received. */
final class PacketFilter {

  private static final int MAX_PORT = 510;
  private static final int MAX_OFFSET = 65_535;
  private static final Pattern IP =
      Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private final BitSet ports = new BitSet();
  private final List<Bytes> patterns = new ArrayList<>();
  private final FlowFilter flow;
  private final Bytes source;
  private final Bytes destination;
  private final FrameFlow frame = new FrameFlow();

  /** Bytes at an offset, with a mask. */
  private record Bytes(int offset, byte[] value, byte[] mask) {

    boolean matches(byte[] bytes, int at) {
      for (int i = 0; i < value.length; i++) {
        if (((bytes[at + i] ^ value[i]) & mask[i]) != 0) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * @throws IllegalArgumentException if the filter is inconsistent
   */
  PacketFilter(TraceFilter filter) {
    for (int port : filter.getIngressPortsList()) {
      number("ingress_ports", port, MAX_PORT);
      ports.set(port);
    }
    for (BytePattern pattern : filter.getPatternsList()) {
      patterns.add(pattern(pattern));
    }
    flow = filter.hasFlow() ? filter.getFlow() : null;
    source = flow == null ? null : prefix("flow.source", flow.getSource());
    destination = flow == null ? null : prefix("flow.destination", flow.getDestination());
    if (flow != null) {
      number("flow.protocol", flow.getProtocol(), 255);
      number("flow.source_port", flow.getSourcePort(), 65_535);
      number("flow.destination_port", flow.getDestinationPort(), 65_535);
    }
    if (source != null
        && destination != null
        && source.value().length != destination.value().length) {
      throw new IllegalArgumentException(
          "flow.destination '%s': must be of the same IP version as flow.source '%s'"
              .formatted(flow.getDestination(), flow.getSource()));
    }
  }

  private static void number(String field, int value, int max) {
    if (Integer.compareUnsigned(value, max) > 0) {
      throw new IllegalArgumentException(
          field + " " + Integer.toUnsignedString(value) + ": must be from 0 to " + max);
    }
  }

  private static Bytes pattern(BytePattern pattern) {
    number("patterns.offset", pattern.getOffset(), MAX_OFFSET);
    byte[] value = pattern.getValue().toByteArray();
    byte[] mask = pattern.getMask().toByteArray();
    if (value.length == 0) {
      throw new IllegalArgumentException("patterns.value: must have at least one byte");
    }
    if (mask.length == 0) {
      mask = new byte[value.length];
      java.util.Arrays.fill(mask, (byte) 0xff);
    }
    if (mask.length != value.length) {
      throw new IllegalArgumentException(
          "patterns.mask of %s bytes: must be as long as the value, %s, or empty"
              .formatted(mask.length, value.length));
    }
    return new Bytes(pattern.getOffset(), value, mask);
  }

  private static Bytes prefix(String field, String text) {
    if (text.isEmpty()) {
      return null;
    }
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    try {
      // Literals only: InetAddress would look a name up.
      if (!IP.matcher(address).matches()) {
        throw new UnknownHostException(address);
      }
      byte[] value = InetAddress.getByName(address).getAddress();
      int bits = slash < 0 ? 8 * value.length : Integer.parseInt(text.substring(slash + 1));
      if (bits < 0 || bits > 8 * value.length) {
        throw new NumberFormatException();
      }
      byte[] mask = new byte[value.length];
      for (int i = 0; i < mask.length; i++) {
        mask[i] = (byte) (0xff00 >> Math.max(0, Math.min(8, bits - 8 * i)));
      }
      return new Bytes(0, value, mask);
    } catch (UnknownHostException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s '%s': must be an IPv4 or IPv6 address or prefix, such as 10.0.0.0/8 or 2001:db8::/32"
              .formatted(field, text),
          e);
    }
  }

  /** Whether a packet passes. */
  boolean passes(byte[] bytes, int offset, int length, int port) {
    if (!ports.isEmpty() && !ports.get(port)) {
      return false;
    }
    for (Bytes pattern : patterns) {
      if (pattern.offset() + pattern.value().length > length
          || !pattern.matches(bytes, offset + pattern.offset())) {
        return false;
      }
    }
    if (flow == null) {
      return true;
    }
    frame.parse(bytes, offset, length);
    return frame.addressBytes > 0
        && matches(source, bytes, frame.source)
        && matches(destination, bytes, frame.destination)
        && (!flow.hasProtocol() || flow.getProtocol() == frame.protocol)
        && (!flow.hasSourcePort() || flow.getSourcePort() == frame.sourcePort)
        && (!flow.hasDestinationPort() || flow.getDestinationPort() == frame.destinationPort);
  }

  private boolean matches(Bytes prefix, byte[] bytes, int at) {
    return prefix == null
        || prefix.value().length == frame.addressBytes && prefix.matches(bytes, at);
  }
}
