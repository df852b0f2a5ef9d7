package net.sluice.standalone;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.ControllerConfig.FpgaEndpoint;
import net.sluice.core.ControllerConfig.GnmiEndpoint;
import net.sluice.core.ControllerConfig.SwitchEndpoint;
import net.sluice.endpoints.Reach;
import net.sluice.intents.marker.RandomRates;
import net.sluice.intents.model.Direction;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;

/**
 * A switch outside of this process, and its FPGAs if it has any.
 *
 * @param name its name in the network
 * @param profile what kind of switch it is
 * @param pipeline the program it is to run
 * @param endpoint the switch's P4Runtime server
 * @param topology how it is cabled
 * @param fpgaDown registers of the down FPGA; there exactly if the topology has that sidecar
 * @param fpgaUp the same for up
 * @param gnmi the switch's gNMI server, if it is to be asked about ports
 * @param fpgaProfile what the FPGAs can represent
 * @param maxSubscriberRateBps R_max of the marker, bit/s
 * @param randomRates what the marker's random numbers take off
 * @param reach what its sessions may connect to
 */
public record RemoteSwitch(
    String name,
    SwitchTargetProfile profile,
    SwitchPipeline pipeline,
    SwitchEndpoint endpoint,
    Topology topology,
    Optional<FpgaEndpoint> fpgaDown,
    Optional<FpgaEndpoint> fpgaUp,
    Optional<GnmiEndpoint> gnmi,
    FpgaProfile fpgaProfile,
    long maxSubscriberRateBps,
    RandomRates randomRates,
    Reach reach) {
  /** A switch that whoever starts the controller names. */
  public RemoteSwitch(
      String name,
      SwitchTargetProfile profile,
      SwitchPipeline pipeline,
      SwitchEndpoint endpoint,
      Topology topology,
      Optional<FpgaEndpoint> fpgaDown,
      Optional<FpgaEndpoint> fpgaUp,
      Optional<GnmiEndpoint> gnmi,
      FpgaProfile fpgaProfile,
      long maxSubscriberRateBps,
      RandomRates randomRates) {
    this(
        name,
        profile,
        pipeline,
        endpoint,
        topology,
        fpgaDown,
        fpgaUp,
        gnmi,
        fpgaProfile,
        maxSubscriberRateBps,
        randomRates,
        new Reach.Anything());
  }

  /** The switch with another reach. */
  RemoteSwitch within(Reach other) {
    return new RemoteSwitch(
        name,
        profile,
        pipeline,
        endpoint,
        topology,
        fpgaDown,
        fpgaUp,
        gnmi,
        fpgaProfile,
        maxSubscriberRateBps,
        randomRates,
        other);
  }

  /** The FPGA of a direction. */
  Optional<FpgaEndpoint> fpga(Direction direction) {
    return direction == Direction.DOWN ? fpgaDown : fpgaUp;
  }

  /** All that it names to connect to. */
  List<ConnectAddress> addresses() {
    List<ConnectAddress> addresses = new ArrayList<>();
    addresses.add(new ConnectAddress(endpoint.host(), endpoint.port()));
    gnmi.ifPresent(at -> addresses.add(new ConnectAddress(at.host(), at.port())));
    for (Optional<FpgaEndpoint> fpga : List.of(fpgaDown, fpgaUp)) {
      if (fpga.orElse(null) instanceof FpgaEndpoint.Agent at) {
        addresses.add(new ConnectAddress(at.host(), at.port()));
      }
    }
    return addresses;
  }
}
