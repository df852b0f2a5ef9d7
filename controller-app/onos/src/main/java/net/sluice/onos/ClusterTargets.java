package net.sluice.onos;

import io.grpc.netty.NettyChannelBuilder;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import net.sluice.core.Servers.FpgaEndpoint.Agent;
import net.sluice.core.ports.GnmiPorts;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.FpgaTarget;
import net.sluice.core.target.PortMonitor;
import net.sluice.core.target.Target;
import net.sluice.core.target.Targets;
import net.sluice.core.target.UnreachableTarget;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.fpga.GrpcRegisterBus;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.value.Direction;
import net.sluice.onos.SwitchTargets.SwitchConnection;
import net.sluice.onos.cluster.MasterTarget;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipAdminService;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.store.service.StorageException;

/**
 * The targets of the instance that leads. A switch is written through the instance that is its
 * master, whichever that is; where none is, the leader asks to be. The sessions with the switches'
 * gNMI servers and with FPGAs, which are no devices of ONOS, are those of whoever leads.
 */
final class ClusterTargets {
  private final NodeId self;
  private final BooleanSupplier leads;
  private final MastershipService mastership;
  private final MastershipAdminService mastershipAdmin;
  private final SwitchTargets switches;

  /**
   * The way to the targets.
   *
   * @param leads whether this instance leads, or is to lead; never waits
   */
  ClusterTargets(
      NodeId self,
      BooleanSupplier leads,
      MastershipService mastership,
      MastershipAdminService mastershipAdmin,
      SwitchTargets switches) {
    this.self = self;
    this.leads = leads;
    this.mastership = mastership;
    this.mastershipAdmin = mastershipAdmin;
    this.switches = switches;
  }

  /**
   * A switch with the ways to it and to its FPGAs, which are not connected yet.
   *
   * @param epoch number of this takeover, which keeps those before it from the FPGAs
   */
  NetworkSwitch member(SwitchSettings each, long epoch, Clock clock) {
    return new NetworkSwitch(each.name(), each.config(), targets(each, epoch, clock));
  }

  /** Closes a switch that no controller has taken. */
  static void close(NetworkSwitch member) {
    Targets targets = member.targets();
    targets.ports().ifPresent(PortMonitor::close);
    targets.fpgaUp().ifPresent(Target::close);
    targets.fpgaDown().ifPresent(Target::close);
    targets.switchTarget().close();
  }

  private Targets targets(SwitchSettings each, long epoch, Clock clock) {
    Optional<Target<FpgaSetting>> down = fpga(each, Direction.DOWN, epoch);
    Optional<Target<FpgaSetting>> up = fpga(each, Direction.UP, epoch);
    if (each.device().isEmpty()) {
      String reason =
          "no switch is configured; set "
              + OsgiProperties.DEVICE_ID
              + " of "
              + SluiceManager.class.getName()
              + " or in the network configuration";
      return new Targets(
          new UnreachableTarget<>(each.name(), reason), CounterSource.none(reason), down, up);
    }
    DeviceId device = each.device().get();
    SwitchConnection connection =
        switches.open(each.name(), device, each.document().profile(), epoch);
    return new Targets(
        new MasterTarget<>(connection.target(), () -> obstacle(device)),
        connection.counters(),
        down,
        up,
        Optional.of(ports(device, each, clock)),
        connection.packets());
  }

  private PortMonitor ports(DeviceId device, SwitchSettings each, Clock clock) {
    return new GnmiPorts(
        switches.gnmi(device, each.document().profile(), () -> obstacle(device)),
        each.config().topology(),
        each.document().setsPorts(),
        new ThreadScheduler("sluice-ports"),
        clock,
        each.config().retrying().backoff());
  }

  private Optional<String> obstacle(DeviceId device) {
    Optional<String> own = ownObstacle();
    if (own.isPresent()) {
      return own;
    }
    try {
      return obstacleAtMaster(device);
    } catch (StorageException e) {
      return Optional.of(
          "the cluster's storage does not answer, so that the master of " + device + " is unknown");
    }
  }

  private Optional<String> ownObstacle() {
    return leads.getAsBoolean() ? Optional.empty() : Optional.of("this instance does not lead");
  }

  private Optional<String> obstacleAtMaster(DeviceId device) {
    if (mastership.isLocalMaster(device)) {
      return Optional.empty();
    }
    Optional<String> absence = switches.absence(device);
    if (absence.isEmpty() && mastership.getMasterFor(device) == null) {
      // Not waited for: the session is begun again in a moment anyway.
      CompletableFuture<Void> unused = mastershipAdmin.setRole(self, device, MastershipRole.MASTER);
      return Optional.of("no instance is master of " + device + "; this instance asks to be");
    }
    return absence;
  }

  private Optional<Target<FpgaSetting>> fpga(SwitchSettings of, Direction direction, long epoch) {
    return of.fpga(direction).map(agent -> fpga(of, direction, agent, epoch));
  }

  private Target<FpgaSetting> fpga(
      SwitchSettings of, Direction direction, Agent agent, long epoch) {
    String name = NetworkSwitch.targetName(of.name(), TargetKey.fpga(direction));
    return new MasterTarget<>(
        new FpgaTarget(
            name,
            direction,
            of.document().fpgas(),
            () -> registerBus(agent, epoch),
            new ThreadScheduler("sluice-probe-" + name)),
        this::ownObstacle);
  }

  private static GrpcRegisterBus registerBus(Agent agent, long epoch) {
    return new GrpcRegisterBus(
        NettyChannelBuilder.forAddress(agent.host(), agent.port())
            .usePlaintext()
            // An agent that vanished without a word is noticed within 15 seconds.
            .keepAliveTime(10, TimeUnit.SECONDS)
            .keepAliveTimeout(5, TimeUnit.SECONDS)
            .build(),
        epoch);
  }
}
