package net.sluice.standalone;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.sluice.intents.marker.RandomRates;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.PortRole;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.Route;
import net.sluice.intents.profile.Topology.SwitchPort;

/**
 * The network that the standalone controller brings with it: one switch between a core port and an
 * access port, and one shaping FPGA for each direction. All BNG ports lead to the access port.
 *
 * @param bottleneckBps rate of the access port and of the core port, bit/s, 1 to {@link
 *     #MAX_BOTTLENECK_BPS}
 * @param maxSubscriberRateBps highest subscriber rate that the marker resolves (R_max of "Towards a
 *     Core-Stateless AQM"), bit/s, {@link #MIN_SUBSCRIBER_RATE_BPS} to {@link
 *     #MAX_SUBSCRIBER_RATE_BPS}
 * @param randomRates what the marker's random numbers take off
 */
public record DefaultTopology(
    long bottleneckBps, long maxSubscriberRateBps, RandomRates randomRates) {
  /** Towards the subscribers; value-based dropping is on. */
  public static final int ACCESS_PORT = 1;

  /** Towards the operator's core; value-based dropping is on. */
  public static final int CORE_PORT = 2;

  /** The FPGA that shapes what goes up. */
  public static final int SIDECAR_UP_PORT = 509;

  /** The FPGA that shapes what goes down. */
  public static final int SIDECAR_DOWN_PORT = 510;

  /** Rate of the lines between the switch and the FPGAs, bit/s. */
  public static final long SIDECAR_BPS = 100_000_000_000L;

  /** Clock of the emulated FPGAs, Hz. */
  public static final long FPGA_CLOCK_HZ = 156_250_000L;

  /** Highest rate of access and core port, bit/s. */
  public static final long MAX_BOTTLENECK_BPS = 100_000_000_000L;

  /** Lowest R_max, bit/s. */
  public static final long MIN_SUBSCRIBER_RATE_BPS = 1_000_000L;

  /** Highest R_max, bit/s. */
  public static final long MAX_SUBSCRIBER_RATE_BPS = 100_000_000_000L;

  // Locally administered addresses; the port number is their last part.
  static final long SWITCH_MAC = 0x02_00_00_00_00_00L;
  static final long NEIGHBOUR_MAC = 0x02_00_00_01_00_00L;

  public DefaultTopology {
    requireRange("bottleneckBps", bottleneckBps, 1, MAX_BOTTLENECK_BPS);
    requireRange(
        "maxSubscriberRateBps",
        maxSubscriberRateBps,
        MIN_SUBSCRIBER_RATE_BPS,
        MAX_SUBSCRIBER_RATE_BPS);
  }

  /** With a marker that uses all of its random bits. */
  public DefaultTopology(long bottleneckBps, long maxSubscriberRateBps) {
    this(bottleneckBps, maxSubscriberRateBps, RandomRates.BITS_16);
  }

  /** How the switch is cabled. */
  public Topology topology() {
    return new Topology(
        List.of(
            new SwitchPort(
                ACCESS_PORT,
                PortRole.ACCESS,
                Direction.UP,
                bottleneckBps,
                SWITCH_MAC | ACCESS_PORT,
                NEIGHBOUR_MAC | ACCESS_PORT,
                false,
                true),
            new SwitchPort(
                CORE_PORT,
                PortRole.CORE,
                Direction.DOWN,
                bottleneckBps,
                SWITCH_MAC | CORE_PORT,
                NEIGHBOUR_MAC | CORE_PORT,
                false,
                true),
            sidecar(SIDECAR_UP_PORT, Direction.UP),
            sidecar(SIDECAR_DOWN_PORT, Direction.DOWN)),
        IntStream.rangeClosed(0, Attachment.MAX_PORT)
            .boxed()
            .collect(Collectors.toMap(bngPort -> bngPort, bngPort -> ACCESS_PORT)),
        OptionalInt.of(SIDECAR_DOWN_PORT),
        OptionalInt.of(SIDECAR_UP_PORT),
        List.of(
            new Route(IpPrefix.parse("0.0.0.0/0"), CORE_PORT),
            new Route(IpPrefix.parse("::/0"), CORE_PORT)),
        // A line without a backlog; mirrored packets end before it.
        OptionalInt.of(SIDECAR_DOWN_PORT),
        List.of());
  }

  /** What the switch can hold, with its marker laid out for these rates. */
  public SwitchProfile switchProfile(SwitchProfile ofProgram) {
    return ofProgram.withMarker(maxSubscriberRateBps, randomRates);
  }

  /** What the FPGAs can hold. */
  public FpgaProfile fpgaProfile() {
    return FpgaProfile.withClock(FPGA_CLOCK_HZ);
  }

  private static SwitchPort sidecar(int number, Direction direction) {
    return new SwitchPort(
        number,
        PortRole.SIDECAR,
        direction,
        SIDECAR_BPS,
        SWITCH_MAC | number,
        NEIGHBOUR_MAC | number,
        false,
        false);
  }

  private static void requireRange(String field, long value, long low, long high) {
    if (value < low || value > high) {
      throw new InvalidValueException(field, value, low + " to " + high);
    }
  }
}
