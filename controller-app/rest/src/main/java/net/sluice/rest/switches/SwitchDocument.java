package net.sluice.rest.switches;

import java.nio.file.Path;
import java.util.Optional;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.rest.host.Capability;

/**
 * A switch as it is declared, without its id: in the network file, over the API, in ONOS's
 * configuration and in the store. {@link SwitchForm} reads and writes it.
 *
 * @param profile the kind of switch, which names its program
 * @param reached how it is reached
 * @param gnmi its gNMI server
 * @param setsPorts whether its ports are set to the topology's rates over gNMI
 * @param fpgas what its FPGAs can represent
 * @param fpgaDown registers of the FPGA that shapes what goes down, without TLS; there exactly if
 *     the topology has that sidecar
 * @param fpgaUp the same for up
 * @param marker how its marker is laid out
 * @param topology how it is cabled
 */
public record SwitchDocument(
    SwitchTargetProfile profile,
    Reached reached,
    Gnmi gnmi,
    boolean setsPorts,
    FpgaProfile fpgas,
    Optional<FpgaEndpoint> fpgaDown,
    Optional<FpgaEndpoint> fpgaUp,
    MarkerSettings marker,
    Topology topology) {

  /** The way to a switch. */
  public sealed interface Reached {
    /**
     * A P4Runtime server.
     *
     * @param p4runtime where it listens
     * @param deviceId P4Runtime device id, 0 or more
     * @param deviceConfig name of what the switch loads, if that is not of this build
     */
    record Server(HostPort p4runtime, long deviceId, Optional<String> deviceConfig)
        implements Reached {}

    /**
     * A device of ONOS.
     *
     * @param id its id there, such as {@code device:leaf1}
     * @param server the P4Runtime server that ONOS connects to; empty if ONOS knows it already
     */
    record Device(String id, Optional<Server> server) implements Reached {}
  }

  /** A switch's gNMI server. */
  public sealed interface Gnmi {
    /** A server at an address. */
    record At(HostPort address) implements Gnmi {}

    /** There is none. */
    record None() implements Gnmi {}

    /** Where the profile has it, beside the P4Runtime server; only of a device of ONOS. */
    record OfProfile() implements Gnmi {}
  }

  /**
   * Values of fields that a document leaves out.
   *
   * @param profile name of a profile
   * @param fpgas FPGAs of a clock
   */
  public record Defaults(
      String profile, boolean setsPorts, FpgaProfile fpgas, MarkerSettings marker) {
    /** The same with other FPGAs. */
    public Defaults withFpgas(FpgaProfile other) {
      return new Defaults(profile, setsPorts, other, marker);
    }
  }

  /** The FPGA's registers of a direction. */
  public Optional<FpgaEndpoint> fpga(Direction direction) {
    return direction == Direction.DOWN ? fpgaDown : fpgaUp;
  }

  /** The same switch with another cabling. */
  public SwitchDocument withTopology(Topology other) {
    return new SwitchDocument(
        profile, reached, gnmi, setsPorts, fpgas, fpgaDown, fpgaUp, marker, other);
  }

  /** The part of reading a document that is the host's. */
  public interface Host {
    /** Values of fields that a document leaves out. */
    Defaults defaults();

    /** The addresses that are allowed, if this one is not. */
    Optional<String> refuses(String field, HostPort address);

    /** The device of ONOS that the switch is unless its document says another one. */
    Capability<String> device();

    /** The names of what switches load. */
    Capability<Configs> deviceConfigs();

    /** FPGAs whose registers are a file of the machine. */
    Capability<Mapped> mappedRegisters();
  }

  /** Says what switches may load. */
  public interface Configs {
    /** The device configurations that such a switch can have, if this one, or none, is not. */
    Optional<String> refuses(SwitchTargetProfile profile, Optional<String> deviceConfig);
  }

  /** Says which files may be mapped. */
  public interface Mapped {
    /** The registers that are allowed, if those that this file maps are not. */
    Optional<String> refuses(String field, Path registers);
  }
}
