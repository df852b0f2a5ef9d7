package net.sluice.standalone;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import net.sluice.core.ControllerConfig.FpgaEndpoint;
import net.sluice.core.ControllerConfig.GnmiEndpoint;
import net.sluice.core.ControllerConfig.SwitchEndpoint;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.standalone.cli.OptionException;
import net.sluice.standalone.cli.OptionValues;

/**
 * A switch that runs elsewhere, and its FPGAs if it has any.
 *
 * @param profile what kind of switch it is
 * @param endpoint the switch's P4Runtime server
 * @param topology how it is cabled
 * @param fpgaDown registers of the down FPGA; there exactly if the topology has that sidecar
 * @param fpgaUp the same for up
 * @param gnmi the switch's gNMI server, if it is to be asked about ports
 * @param fpgaProfile what the FPGAs can represent
 * @param maxSubscriberRateBps R_max of the marker, bit/s
 */
record SwitchElsewhere(
    SwitchTargetProfile profile,
    SwitchEndpoint endpoint,
    Topology topology,
    Optional<FpgaEndpoint> fpgaDown,
    Optional<FpgaEndpoint> fpgaUp,
    Optional<GnmiEndpoint> gnmi,
    FpgaProfile fpgaProfile,
    long maxSubscriberRateBps) {
  private static final String MAPPED = "mmap:";
  private static final long MIN_CLOCK_HZ = 1_000_000;
  private static final long MAX_CLOCK_HZ = 1_000_000_000;

  /** The option values as given; null where an option was not. */
  record Raw(
      String address,
      String profile,
      String deviceId,
      String electionId,
      String topology,
      String fpgaDown,
      String fpgaUp,
      String gnmi,
      boolean setsPorts,
      String fpgaClock) {}

  /**
   * Checks the values and reads the topology.
   *
   * @throws OptionException if an option is not allowed
   * @throws StartFailure if the topology file is not
   */
  static SwitchElsewhere parse(Raw raw, long maxSubscriberRateBps) throws StartFailure {
    ConnectAddress address = ConnectAddress.parse("--switch", raw.address());
    SwitchTargetProfile profile;
    try {
      profile = TargetProfiles.loadSwitch(raw.profile());
    } catch (InvalidValueException e) {
      throw new OptionException("--profile", e.value(), e.allowed());
    }
    long deviceId =
        raw.deviceId() == null
            ? profile.management().deviceId()
            : OptionValues.wholeNumber("--device-id", raw.deviceId(), 0, Long.MAX_VALUE);
    long electionId =
        OptionValues.wholeNumber("--election-id", raw.electionId(), 1, Long.MAX_VALUE);
    long clockHz =
        OptionValues.wholeNumber("--fpga-clock", raw.fpgaClock(), MIN_CLOCK_HZ, MAX_CLOCK_HZ);
    Optional<FpgaEndpoint> down = fpga("--fpga-down", raw.fpgaDown());
    Optional<FpgaEndpoint> up = fpga("--fpga-up", raw.fpgaUp());
    if (raw.topology() == null) {
      throw new OptionException(
          "--topology", "", "a file that says how the switch of --switch is cabled");
    }
    Topology topology = TopologyFile.read(raw.topology());
    requireFit(topology, Direction.DOWN, "--fpga-down", raw.fpgaDown());
    requireFit(topology, Direction.UP, "--fpga-up", raw.fpgaUp());
    return new SwitchElsewhere(
        profile,
        new SwitchEndpoint(address.host(), address.port(), deviceId, electionId),
        topology,
        down,
        up,
        gnmi(raw),
        FpgaProfile.withClock(clockHz),
        maxSubscriberRateBps);
  }

  private static Optional<GnmiEndpoint> gnmi(Raw raw) {
    if (raw.gnmi() == null) {
      if (raw.setsPorts()) {
        throw new OptionException("--set-ports", "", "nothing without --gnmi, by which it is done");
      }
      return Optional.empty();
    }
    ConnectAddress address = ConnectAddress.parse("--gnmi", raw.gnmi());
    return Optional.of(new GnmiEndpoint(address.host(), address.port(), raw.setsPorts()));
  }

  private static Optional<FpgaEndpoint> fpga(String option, String text) {
    if (text == null) {
      return Optional.empty();
    }
    if (text.startsWith(MAPPED)) {
      return Optional.of(new FpgaEndpoint.Mapped(resource(option, text)));
    }
    ConnectAddress address = ConnectAddress.parse(option, text);
    return Optional.of(new FpgaEndpoint.Agent(address.host(), address.port()));
  }

  private static Path resource(String option, String text) {
    try {
      Path resource = Path.of(text.substring(MAPPED.length()));
      if (Files.isRegularFile(resource)
          && Files.isReadable(resource)
          && Files.isWritable(resource)) {
        return resource;
      }
    } catch (InvalidPathException e) {
      // Said below.
    }
    throw new OptionException(
        option,
        text,
        "HOST:PORT, or mmap:FILE with a file that can be read and written, such as"
            + " mmap:/sys/bus/pci/devices/0000:03:00.0/resource0");
  }

  private static void requireFit(
      Topology topology, Direction direction, String option, String given) {
    boolean wanted = topology.sidecar(direction).isPresent();
    if (wanted && given == null) {
      throw new OptionException(
          option,
          "",
          "HOST:PORT of the FPGA's register agent or mmap:FILE, because the topology has a sidecar"
              + " of direction "
              + direction.text());
    }
    if (!wanted && given != null) {
      throw new OptionException(
          option,
          given,
          "nothing, because the topology has no sidecar of direction " + direction.text());
    }
  }
}
