package net.sluice.embedded;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.Route;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.standalone.network.RemoteSwitch;

/**
 * The emulated network of {@code serve}: one switch between a core port and an access port, and one
 * shaping FPGA for each direction. All BNG ports lead to the access port.
 *
 * @param bottleneckBps rate of the access port and of the core port, bit/s, 1 to {@link
 *     #MAX_BOTTLENECK_BPS}
 * @param profile that of the emulated switch, one of {@link #PROFILES}
 * @param fpgaProfile that of the FPGAs, of {@link #FPGA_CLOCK_HZ}
 */
public record DefaultTopology(
    long bottleneckBps, MarkerSettings marker, String profile, FpgaProfile fpgaProfile) {
  /** Profile of the emulated switch, unless another one is named. */
  static final String PROFILE = "emulator";

  /** Those that an emulated switch can have. */
  static final List<String> PROFILES = List.of(PROFILE, "emulator-aggregate");

  /** Towards the subscribers; value-based dropping is on. */
  public static final int ACCESS_PORT = 1;

  /** Towards the operator's core; value-based dropping is on. */
  public static final int CORE_PORT = 2;

  /** The FPGA that shapes what goes up. */
  public static final int SIDECAR_UP_PORT = 509;

  /** The FPGA that shapes what goes down. */
  public static final int SIDECAR_DOWN_PORT = 510;

  /** Packets that the switch shapes wait in these. */
  public static final List<Integer> LOOP_PORTS = List.of(505, 506, 507, 508);

  /** Rate of the lines between the switch and the FPGAs, bit/s. */
  public static final long SIDECAR_BPS = 100_000_000_000L;

  /** Clock of the emulated FPGAs, Hz. */
  public static final long FPGA_CLOCK_HZ = 156_250_000L;

  /** Highest rate of access and core port, bit/s. */
  public static final long MAX_BOTTLENECK_BPS = 100_000_000_000L;

  // Locally administered addresses; the port number is their last part.
  static final long SWITCH_MAC = 0x02_00_00_00_00_00L;
  static final long NEIGHBOUR_MAC = 0x02_00_00_01_00_00L;

  public DefaultTopology {
    if (bottleneckBps < 1 || bottleneckBps > MAX_BOTTLENECK_BPS) {
      throw new InvalidValueException("bottleneckBps", bottleneckBps, "1 to " + MAX_BOTTLENECK_BPS);
    }
    if (!PROFILES.contains(profile)) {
      throw new InvalidValueException("profile", profile, String.join(", ", PROFILES));
    }
  }

  /** FPGAs whose queues' delay is left as it is and whose customers have no classes. */
  public DefaultTopology(long bottleneckBps, MarkerSettings marker, String profile) {
    this(bottleneckBps, marker, profile, fpgas());
  }

  /** A switch that marks no aggregates. */
  public DefaultTopology(long bottleneckBps, MarkerSettings marker) {
    this(bottleneckBps, marker, PROFILE);
  }

  /** With the default marker. */
  public DefaultTopology(long bottleneckBps) {
    this(bottleneckBps, MarkerSettings.DEFAULT);
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
        LOOP_PORTS,
        List.of());
  }

  /** The profile of a program for the switch, with its marker laid out as here. */
  public SwitchProfile switchProfile(SwitchProfile ofProgram) {
    return ofProgram.withMarker(marker.maxRateBps(topology()), marker.randomRates());
  }

  /** The emulated switch as a controller drives it. */
  public RemoteSwitch.Model model() {
    return model(profile, topology(), fpgaProfile(), marker);
  }

  /** An emulated switch with another topology. */
  static RemoteSwitch.Model model(Topology topology, MarkerSettings marker) {
    return model(PROFILE, topology, fpgas(), marker);
  }

  private static RemoteSwitch.Model model(
      String profileName, Topology topology, FpgaProfile fpgas, MarkerSettings marker) {
    SwitchTargetProfile profile = TargetProfiles.loadSwitch(profileName);
    return new RemoteSwitch.Model(
        profile, V1ModelPipeline.of(profile.program()), topology, fpgas, marker);
  }

  private static FpgaProfile fpgas() {
    return FpgaProfile.withClock(FPGA_CLOCK_HZ).withCustomerBursts(true);
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
}
