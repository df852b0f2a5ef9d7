package net.sluice.standalone.network;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.Servers;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.core.Servers.GnmiEndpoint;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.endpoints.Reach;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.rest.switches.HostPort;

/**
 * A switch that the controller drives over the network, and its FPGAs if it has any.
 *
 * @param name its name in the network
 * @param reach where its sessions may connect to
 */
public record RemoteSwitch(String name, Model model, Servers servers, Reach reach) {
  /**
   * Kind, program and cabling of a switch, without its addresses.
   *
   * @param pipeline its program
   * @param topology how it is cabled
   * @param fpgas what its FPGAs can represent
   * @param marker how its marker is laid out
   */
  public record Model(
      SwitchTargetProfile profile,
      SwitchPipeline pipeline,
      Topology topology,
      FpgaProfile fpgas,
      MarkerSettings marker) {}

  /** A switch that whoever starts the controller names: its sessions connect where it says. */
  public RemoteSwitch(String name, Model model, Servers servers) {
    this(name, model, servers, new Reach.Anything());
  }

  /** The switch with another reach. */
  RemoteSwitch within(Reach other) {
    return new RemoteSwitch(name, model, servers, other);
  }

  /** The FPGA of a direction. */
  public Optional<FpgaEndpoint> fpga(Direction direction) {
    return direction == Direction.DOWN ? servers.fpgaDown() : servers.fpgaUp();
  }

  /** All addresses that it names. */
  List<HostPort> addresses() {
    List<HostPort> addresses = new ArrayList<>();
    addresses.add(at(servers.p4runtime()));
    servers.gnmi().map(RemoteSwitch::at).ifPresent(addresses::add);
    for (Direction direction : Direction.values()) {
      if (fpga(direction).orElse(null) instanceof FpgaEndpoint.Agent at) {
        addresses.add(new HostPort(at.host(), at.port()));
      }
    }
    return addresses;
  }

  /** The address of a switch's P4Runtime server. */
  public static HostPort at(SwitchEndpoint server) {
    return new HostPort(server.host(), server.port());
  }

  /** The address of a gNMI server. */
  public static HostPort at(GnmiEndpoint server) {
    return new HostPort(server.host(), server.port());
  }
}
