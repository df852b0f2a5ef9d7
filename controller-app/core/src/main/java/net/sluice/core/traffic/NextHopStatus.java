package net.sluice.core.traffic;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A next hop that is given by its IP address.
 *
 * @param switchName the switch; empty if there is only one
 * @param port the switch port that it is behind
 * @param address its IP address
 * @param state whether it answers
 * @param since when that state began
 * @param mac its MAC address, if packets go there
 * @param unanswered requests since it answered last
 * @param nextRequest when it is asked again
 * @param droppedPackets packets that were to go there and were dropped meanwhile, since the program
 *     was loaded; empty if the switch was not asked
 * @param droppedBytes their bytes
 */
public record NextHopStatus(
    Optional<String> switchName,
    int port,
    String address,
    State state,
    Instant since,
    OptionalLong mac,
    int unanswered,
    Instant nextRequest,
    OptionalLong droppedPackets,
    OptionalLong droppedBytes) {
  /** Whether a next hop answers. */
  public enum State {
    /** It has not been asked for often enough to tell; packets go where it was known to be. */
    RESOLVING,
    /** It answers. */
    RESOLVED,
    /** It does not answer: what would go there is dropped. It is asked on and on. */
    UNANSWERED;

    /** The state in answers and events. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The same of a switch that is one of several. */
  public NextHopStatus at(String name) {
    return new NextHopStatus(
        Optional.of(name),
        port,
        address,
        state,
        since,
        mac,
        unanswered,
        nextRequest,
        droppedPackets,
        droppedBytes);
  }

  /** The same with what was dropped. */
  public NextHopStatus withDropped(long packets, long bytes) {
    return new NextHopStatus(
        switchName,
        port,
        address,
        state,
        since,
        mac,
        unanswered,
        nextRequest,
        OptionalLong.of(packets),
        OptionalLong.of(bytes));
  }

  /** A MAC address as text. */
  public static String macText(long mac) {
    return String.format(Locale.ROOT, "%012x", mac).replaceAll("(..)(?!$)", "$1:");
  }
}
