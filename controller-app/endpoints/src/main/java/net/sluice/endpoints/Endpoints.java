package net.sluice.endpoints;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerException;
import net.sluice.core.Servers;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.core.Servers.GnmiEndpoint;
import net.sluice.core.StoredState;
import net.sluice.core.engine.SlaController;
import net.sluice.core.ports.GnmiConnection;
import net.sluice.core.ports.GnmiPorts;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreException;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.FpgaTarget;
import net.sluice.core.target.PortMonitor;
import net.sluice.core.target.Target;
import net.sluice.core.target.Targets;
import net.sluice.core.target.UnreachableTarget;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.fpga.LocalRegisterBus;
import net.sluice.fpga.MappedRegisters;
import net.sluice.fpga.RegisterBus;
import net.sluice.fpga.RegisterBusException;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.SwitchPipeline;

/** Opens a controller with a store on disk and targets reached over the network. */
public final class Endpoints {
  private Endpoints() {}

  /**
   * Opens a controller over the store in {@link ControllerConfig#storeDirectory} and the targets at
   * the configured endpoints, running {@code pipeline} on the switch.
   *
   * @throws InvalidValueException if an endpoint is missing, or one is there that the topology has
   *     no use for
   * @throws StoreException if the store cannot be opened
   * @throws ControllerException if what is stored does not fit the topology or the profiles
   */
  public static Controller open(ControllerConfig config, SwitchPipeline pipeline, Clock clock) {
    // Before the store is: a mistake leaves nothing behind.
    Servers unused = servers(config);
    return open(
        config.storeDirectory(),
        List.of(new SwitchAt(NetworkSwitch.ONLY, config, pipeline)),
        clock);
  }

  /**
   * A switch of a network.
   *
   * @param name its name; that of its target, and the beginning of those of its FPGAs
   * @param config its endpoints, topology and profiles; where the store is does not matter
   * @param pipeline what it runs
   * @param reach what its sessions may connect to
   */
  public record SwitchAt(
      String name, ControllerConfig config, SwitchPipeline pipeline, Reach reach) {
    /** A switch whose endpoints whoever starts the controller has named. */
    public SwitchAt(String name, ControllerConfig config, SwitchPipeline pipeline) {
      this(name, config, pipeline, new Reach.Anything());
    }
  }

  /**
   * Opens a controller of a network as {@link #open(ControllerConfig, SwitchPipeline, Clock)} does
   * of one switch.
   *
   * @param directory where the store is
   * @param switches at least one
   */
  public static Controller open(Path directory, List<SwitchAt> switches, Clock clock) {
    return open(directory, stored -> switches, clock, Measures.NONE, store -> {}).controller();
  }

  /** Says which switches there are, given those that the store has a document of. */
  public interface Members {
    /**
     * The switches, at least one.
     *
     * @param stored documents by name, as {@link EndpointNetwork#put} was given them
     * @throws ControllerException if a document cannot be used
     */
    List<SwitchAt> of(Map<String, byte[]> stored);
  }

  /**
   * As above, with switches that can come and go.
   *
   * @param measures is told how long commits and writes take
   * @param opened is given the store before anything of it is changed
   */
  public static EndpointNetwork open(
      Path directory,
      Members switches,
      Clock clock,
      Measures measures,
      Consumer<NetworkStore> opened) {
    Deque<Runnable> toClose = new ArrayDeque<>();
    try {
      RocksDbIntentStore store = new RocksDbIntentStore(directory, clock);
      toClose.push(store::close);
      store.tellCommits(measures);
      opened.accept(store);
      List<SwitchAt> all = switches.of(store.switches());
      List<NetworkSwitch> members = new ArrayList<>();
      for (SwitchAt each : all) {
        members.add(member(each, clock, measures, toClose));
      }
      SlaController controller = SlaController.open(members, store, clock);
      return new EndpointNetwork(controller, store, all, clock, measures);
    } catch (RuntimeException e) {
      closeAll(toClose, e);
      throw e;
    }
  }

  /** The switch with the way to it; what is opened can be closed by {@code opened}. */
  static NetworkSwitch member(
      SwitchAt each, Clock clock, Measures measures, Deque<Runnable> opened) {
    return new NetworkSwitch(each.name(), each.config(), targets(each, clock, measures, opened));
  }

  private static Servers servers(ControllerConfig config) {
    return config
        .servers()
        .orElseThrow(
            () -> new InvalidValueException("switch", "absent", "host and port of the switch"));
  }

  private static Targets targets(
      SwitchAt each, Clock clock, Measures measures, Deque<Runnable> opened) {
    if (each.reach() instanceof Reach.Nothing nothing) {
      return outOfReach(each, nothing.reason());
    }
    Servers servers = servers(each.config());
    P4RuntimeTarget switchTarget =
        new P4RuntimeTarget(each.name(), servers.p4runtime(), each.pipeline(), each.reach());
    opened.push(switchTarget::close);
    Optional<Target<FpgaSetting>> down =
        servers.fpgaDown().map(e -> fpga(e, Direction.DOWN, each, switchTarget::electionId));
    down.ifPresent(target -> opened.push(target::close));
    Optional<Target<FpgaSetting>> up =
        servers.fpgaUp().map(e -> fpga(e, Direction.UP, each, switchTarget::electionId));
    up.ifPresent(target -> opened.push(target::close));
    Optional<PortMonitor> ports = servers.gnmi().map(gnmi -> ports(gnmi, each, clock));
    ports.ifPresent(monitor -> opened.push(monitor::close));
    return new Targets(
        new MeasuredTarget<>(switchTarget, measures),
        switchTarget,
        down.map(target -> new MeasuredTarget<>(target, measures)),
        up.map(target -> new MeasuredTarget<>(target, measures)),
        ports,
        Optional.of(switchTarget));
  }

  /** Targets that are never connected, and say why. */
  private static Targets outOfReach(SwitchAt of, String reason) {
    return new Targets(
        new UnreachableTarget<>(of.name(), reason),
        CounterSource.none(reason),
        servers(of.config()).fpgaDown().map(at -> outOfReach(of, Direction.DOWN, reason)),
        servers(of.config()).fpgaUp().map(at -> outOfReach(of, Direction.UP, reason)));
  }

  private static Target<FpgaSetting> outOfReach(SwitchAt of, Direction direction, String reason) {
    return new UnreachableTarget<>(
        NetworkSwitch.targetName(of.name(), TargetKey.fpga(direction)), reason);
  }

  /**
   * The state that {@link #open} would find in the store for each switch, and what it would make of
   * it; empty if there is no store and it would make one. Reads it, also beside a process that uses
   * it; changes nothing there, and reaches no target.
   *
   * @param switches the configurations by name of the switch, in the order of the network; at least
   *     one, all of one store
   * @throws StoreException if the store cannot be opened, or none be made there
   */
  public static Optional<Map<String, StoredState>> check(Map<String, ControllerConfig> switches) {
    Path directory = switches.values().iterator().next().storeDirectory();
    new StoreDirectory(directory).requireWritable();
    if (!new StoreDirectory(directory).hasStore()) {
      return Optional.empty();
    }
    try (RocksDbIntentStore store = RocksDbIntentStore.readOnly(directory)) {
      return Optional.of(SlaController.check(switches, store, Clock.systemUTC()));
    }
  }

  /**
   * Switches that were put over the API and are kept in {@code directory}, as documents by name;
   * none if there is no store. Nothing is changed.
   *
   * @throws StoreException if the store cannot be read
   */
  public static Map<String, byte[]> storedSwitches(Path directory) {
    if (!new StoreDirectory(directory).hasStore()) {
      return Map.of();
    }
    try (RocksDbIntentStore store = RocksDbIntentStore.readOnly(directory)) {
      return store.switches();
    }
  }

  /**
   * The process that uses the store in {@code directory}, so that {@link #open} would refuse to:
   * {@code another process, pid 4711}. Empty if nobody does, or the operating system does not tell.
   */
  public static Optional<String> storeHolder(Path directory) {
    return StoreLock.holder(directory);
  }

  private static PortMonitor ports(GnmiEndpoint endpoint, SwitchAt of, Clock clock) {
    ControllerConfig config = of.config();
    return new GnmiPorts(
        () ->
            new GnmiConnection(
                endpoint.host(),
                endpoint.port(),
                Channels.to(endpoint.host(), endpoint.port(), of.reach(), endpoint.tls())
                    // A switch that vanished without a word is noticed within 15 seconds.
                    .keepAliveTime(10, TimeUnit.SECONDS)
                    .keepAliveTimeout(5, TimeUnit.SECONDS)
                    .build()),
        config.topology(),
        endpoint.setsPorts(),
        new ThreadScheduler("sluice-ports"),
        clock,
        config.retrying().backoff());
  }

  /** {@code epoch}: the election id with which this controller is primary at the switch. */
  private static Target<FpgaSetting> fpga(
      FpgaEndpoint endpoint, Direction direction, SwitchAt of, LongSupplier epoch) {
    String name = NetworkSwitch.targetName(of.name(), TargetKey.fpga(direction));
    return new FpgaTarget(
        name,
        direction,
        of.config().fpgaProfile(),
        () -> registerBus(endpoint, of.reach(), epoch.getAsLong()),
        new ThreadScheduler("sluice-probe-" + name));
  }

  private static RegisterBus registerBus(FpgaEndpoint endpoint, Reach reach, long epoch) {
    if (endpoint instanceof FpgaEndpoint.Agent agent) {
      return RegisterAgents.bus(agent, reach, epoch);
    }
    Path resource = ((FpgaEndpoint.Mapped) endpoint).resource();
    try {
      // An access takes a microsecond or two: not worth a thread.
      return new LocalRegisterBus(MappedRegisters.map(resource), Runnable::run);
    } catch (IOException e) {
      throw new RegisterBusException("the registers cannot be mapped: " + e, e);
    }
  }

  static void closeAll(Deque<Runnable> opened, Exception cause) {
    for (Runnable close : opened) {
      try {
        close.run();
      } catch (RuntimeException e) {
        cause.addSuppressed(e);
      }
    }
  }
}
