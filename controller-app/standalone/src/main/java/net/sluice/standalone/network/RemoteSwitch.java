package net.sluice.standalone.network;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.Servers;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.endpoints.Reach;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;

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
   */
  public record Model(
      SwitchTargetProfile profile,
      SwitchPipeline pipeline,
      Topology topology,
      FpgaProfile fpgas,
      Marker marker) {}

  /**
   * How the switch's marker is laid out.
   *
   * @param maxRateBps R_max, the highest subscriber rate that it resolves, bit/s, {@link
   *     #MIN_RATE_BPS} to {@link #MAX_RATE_BPS}
   * @param randomRates thresholds of its random numbers
   */
  public record Marker(long maxRateBps, RandomRates randomRates) {
    /** Lowest R_max, bit/s. */
    public static final long MIN_RATE_BPS = 1_000_000L;

    /** Highest R_max, bit/s. */
    public static final long MAX_RATE_BPS = 100_000_000_000L;

    /** The highest R_max, and all random bits. */
    public static final Marker DEFAULT = new Marker(MAX_RATE_BPS, RandomRates.BITS_16);

    public Marker {
      if (maxRateBps < MIN_RATE_BPS || maxRateBps > MAX_RATE_BPS) {
        throw new InvalidValueException(
            "maxSubscriberRateBps", maxRateBps, MIN_RATE_BPS + " to " + MAX_RATE_BPS);
      }
    }
  }

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
  List<ConnectAddress> addresses() {
    List<ConnectAddress> addresses = new ArrayList<>();
    addresses.add(ConnectAddress.of(servers.p4runtime()));
    servers.gnmi().map(ConnectAddress::of).ifPresent(addresses::add);
    for (Direction direction : Direction.values()) {
      if (fpga(direction).orElse(null) instanceof FpgaEndpoint.Agent at) {
        addresses.add(new ConnectAddress(at.host(), at.port()));
      }
    }
    return addresses;
  }
}
