package net.sluice.core.neighbour;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import net.sluice.intents.compile.NextHopEntries;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.profile.Topology;

/**
 * The MAC addresses of next hops that are given by their IP addresses, as they have answered. They
 * are neither declared nor stored: a controller that starts takes them over from the switch and
 * asks again. Also the ports whose senders get ICMP errors from the controller, if it can send
 * packets. Thread-safe.
 */
public final class NextHops {
  private final NextHopEntries entries;
  private volatile boolean tellsErrors;

  /** Empty of a next hop that does not answer. */
  private final Map<Integer, OptionalLong> macs = new ConcurrentSkipListMap<>();

  /** Of which nothing is known yet. */
  public NextHops(Topology topology) {
    entries = new NextHopEntries(topology);
  }

  /** Packets pass between the switch and the controller, which answers for those with errors. */
  void tellErrors() {
    tellsErrors = true;
  }

  /** The address of the next hop of a port; empty if it is not known, or does not answer. */
  OptionalLong mac(int port) {
    return macs.getOrDefault(port, OptionalLong.empty());
  }

  /** The next hop of a port has that address, or does not answer. */
  void set(int port, OptionalLong mac) {
    macs.put(port, mac);
  }

  /** The entries that the switch should hold. */
  public Stream<SwitchEntry> entries() {
    return Stream.concat(
        macs.entrySet().stream()
            .filter(each -> each.getValue().isPresent())
            .map(each -> NextHopEntries.of(each.getKey(), each.getValue().getAsLong())),
        tellsErrors ? entries.reports().stream() : Stream.empty());
  }

  /**
   * The entry that the switch should hold with the key of one of these that it holds; empty for
   * none.
   */
  public Optional<SwitchEntry> expected(SwitchEntry held) {
    if (tellsErrors && entries.reports().contains(held)) {
      return Optional.of(held);
    }
    // What the switch holds is believed until it is known better.
    return entries
        .held(held)
        .flatMap(
            hop -> {
              OptionalLong mac =
                  macs.computeIfAbsent(hop.port(), unknown -> OptionalLong.of(hop.mac()));
              return mac.isPresent()
                  ? Optional.of(NextHopEntries.of(hop.port(), mac.getAsLong()))
                  : Optional.empty();
            });
  }
}
