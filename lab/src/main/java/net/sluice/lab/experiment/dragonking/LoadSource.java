package net.sluice.lab.experiment.dragonking;

import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.switching.InternetChecksum;

/**
 * Sends the packets of a {@link Load} into a switch: downstream those of the first limits, of as
 * many as there are subscribers, upstream the others.
 */
final class LoadSource implements EventHandler {
  /** Limits of a direction: all subscribers that the program has, less the one that is nobody. */
  static final int SUBSCRIBERS = (1 << 20) - 1;

  /** 10.0.0.0: the subscriber with index i has the i-th address after it. */
  private static final int NETWORK = 10 << 24;

  private static final int ETHERNET_BYTES = 14;
  private static final int IPV4_BYTES = 20;
  private static final int CHECKSUM_AT = ETHERNET_BYTES + 10;
  private static final int SOURCE_AT = ETHERNET_BYTES + 12;
  private static final int DESTINATION_AT = ETHERNET_BYTES + 16;
  private static final int UDP_CHECKSUM_AT = ETHERNET_BYTES + IPV4_BYTES + 6;

  private final Simulation simulation;
  private final Load load;
  private final LoadArrivals arrivals;
  private final Departures departures;
  private final FrameReceiver core;
  private final FrameReceiver access;
  private final long endNanos;
  private final byte[] down;
  private final byte[] up;

  LoadSource(
      Simulation simulation,
      Load load,
      LoadArrivals arrivals,
      Departures departures,
      FrameReceiver core,
      FrameReceiver access,
      long endNanos) {
    this.simulation = simulation;
    this.load = load;
    this.arrivals = arrivals;
    this.departures = departures;
    this.core = core;
    this.access = access;
    this.endNanos = endNanos;
    FrameBuilder frame = new FrameBuilder().frameBytes(load.packetBytes());
    down = frame.addresses("192.0.2.1", "10.0.0.0").build().frame(0, 0);
    up = frame.addresses("10.0.0.0", "192.0.2.1").build().frame(0, 0);
    // Without a UDP checksum only the address changes from packet to packet.
    for (byte[] bytes : new byte[][] {down, up}) {
      bytes[UDP_CHECKSUM_AT] = 0;
      bytes[UDP_CHECKSUM_AT + 1] = 0;
    }
    arrivals.next();
    simulation.schedule(arrivals.nanos(), this, 0);
  }

  /** The address of a limit's subscriber, as a number. */
  static int address(int limit) {
    return NETWORK + subscriber(limit);
  }

  /** The index of a limit's subscriber, from 1. */
  static int subscriber(int limit) {
    return 1 + limit % SUBSCRIBERS;
  }

  /** Whether a limit is of packets to the subscriber. */
  static boolean isDown(int limit) {
    return limit < SUBSCRIBERS;
  }

  @Override
  public void onEvent(long nowNanos, long argument) {
    int limit = arrivals.limit();
    boolean toSubscriber = isDown(limit);
    byte[] bytes = toSubscriber ? down : up;
    int address = address(limit);
    int at = toSubscriber ? DESTINATION_AT : SOURCE_AT;
    bytes[at] = (byte) (address >>> 24);
    bytes[at + 1] = (byte) (address >>> 16);
    bytes[at + 2] = (byte) (address >>> 8);
    bytes[at + 3] = (byte) address;
    bytes[CHECKSUM_AT] = 0;
    bytes[CHECKSUM_AT + 1] = 0;
    int checksum = InternetChecksum.finish(InternetChecksum.sum(bytes, ETHERNET_BYTES, IPV4_BYTES));
    bytes[CHECKSUM_AT] = (byte) (checksum >>> 8);
    bytes[CHECKSUM_AT + 1] = (byte) checksum;
    long tag = departures.arrived(load.limitOf(limit), nowNanos);
    (toSubscriber ? core : access).receive(bytes, 0, bytes.length, tag, nowNanos);
    arrivals.next();
    if (arrivals.nanos() < endNanos) {
      simulation.schedule(arrivals.nanos(), this, 0);
    }
  }
}
