package net.sluice.standalone;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerConfig.FpgaEndpoint;
import net.sluice.core.ControllerConfig.GnmiEndpoint;
import net.sluice.core.ControllerConfig.SwitchEndpoint;
import net.sluice.core.ControllerException;
import net.sluice.core.StoredState;
import net.sluice.core.engine.NetworkSwitch;
import net.sluice.endpoints.EndpointNetwork;
import net.sluice.endpoints.Endpoints;
import net.sluice.endpoints.Endpoints.SwitchAt;
import net.sluice.intents.marker.RandomRates;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Trunks;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.profile.SwitchAdmission;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;

/** A controller of embedded targets, or of a remote switch, with its API on a TCP port. */
public final class StandaloneController implements AutoCloseable {
  /** What the embedded switch is. */
  public static final String PROFILE = "emulator";

  private static final long ELECTION_ID = 1;

  private final Controller controller;
  private final List<RemoteSwitch> switches;
  private final HttpServer http;
  private final Optional<HealthServer> health;

  private StandaloneController(
      Controller controller,
      List<RemoteSwitch> switches,
      HttpServer http,
      Optional<HealthServer> health) {
    this.controller = controller;
    this.switches = switches;
    this.http = http;
    this.health = health;
  }

  /**
   * Opens the store, connects to the targets and serves the API. The targets follow on their own;
   * see {@link Controller#awaitAllInstalled}.
   *
   * @param dataDirectory where declarations are kept; created if absent
   * @param httpAddress where the API listens; port 0 takes a free one
   * @throws StartFailure if the store cannot be opened or the API cannot listen
   */
  public static StandaloneController start(
      DefaultTopology topology,
      EmbeddedTargets targets,
      Path dataDirectory,
      InetSocketAddress httpAddress)
      throws StartFailure {
    return start(
        topology, targets, dataDirectory, HttpSettings.on(httpAddress), ReconcileSettings.DEFAULT);
  }

  /**
   * As {@link #start(DefaultTopology, EmbeddedTargets, Path, InetSocketAddress)}.
   *
   * @param reconciling when targets are compared with the declarations, and what that may delete
   */
  static StandaloneController start(
      DefaultTopology topology,
      EmbeddedTargets targets,
      Path dataDirectory,
      HttpSettings http,
      ReconcileSettings reconciling)
      throws StartFailure {
    SwitchTargetProfile profile = TargetProfiles.loadSwitch(PROFILE);
    return start(topology, profile, targets, dataDirectory, http, reconciling);
  }

  /**
   * As {@link #start(DefaultTopology, EmbeddedTargets, Path, InetSocketAddress)}, planning for
   * another kind of switch than the emulated one.
   *
   * @throws StartFailure also if that kind does not have the ports or the room
   */
  public static StandaloneController start(
      DefaultTopology topology,
      SwitchTargetProfile profile,
      EmbeddedTargets targets,
      Path dataDirectory,
      InetSocketAddress httpAddress)
      throws StartFailure {
    return start(
        topology,
        profile,
        targets,
        dataDirectory,
        HttpSettings.on(httpAddress),
        ReconcileSettings.DEFAULT);
  }

  private static StandaloneController start(
      DefaultTopology topology,
      SwitchTargetProfile profile,
      EmbeddedTargets targets,
      Path dataDirectory,
      HttpSettings http,
      ReconcileSettings reconciling)
      throws StartFailure {
    SwitchPipeline pipeline = V1ModelPipeline.load();
    String host = InetAddress.getLoopbackAddress().getHostAddress();
    ControllerConfig.Builder config =
        config(topology, profile, pipeline, dataDirectory)
            .switchEndpoint(
                new SwitchEndpoint(
                    targets.p4runtimeHost(),
                    targets.p4runtimePort(),
                    EmbeddedTargets.DEVICE_ID,
                    ELECTION_ID))
            .gnmi(new GnmiEndpoint(targets.gnmiHost(), targets.gnmiPort(), false))
            .fpgaDown(new FpgaEndpoint.Agent(host, targets.agentPort(Direction.DOWN)))
            .fpgaUp(new FpgaEndpoint.Agent(host, targets.agentPort(Direction.UP)));
    return start(
        dataDirectory,
        List.of(new SwitchAt(NetworkSwitch.ONLY, reconciling.addTo(config).build(), pipeline)),
        Optional.empty(),
        http);
  }

  /**
   * As {@link #start(DefaultTopology, EmbeddedTargets, Path, InetSocketAddress)}, for a network of
   * switches. They need not be reachable yet.
   *
   * @throws StartFailure if that kind of switch does not have the ports or the room, the store
   *     cannot be opened or the API cannot listen
   */
  public static StandaloneController start(
      List<RemoteSwitch> switches, Path dataDirectory, InetSocketAddress httpAddress)
      throws StartFailure {
    List<SwitchAt> members = new ArrayList<>();
    for (RemoteSwitch each : switches) {
      members.add(at(each, dataDirectory, ReconcileSettings.DEFAULT));
    }
    return start(dataDirectory, members, Optional.empty(), HttpSettings.on(httpAddress));
  }

  /**
   * As {@link #start(DefaultTopology, EmbeddedTargets, Path, InetSocketAddress)}, for a remote
   * switch. It need not be reachable yet.
   *
   * @throws StartFailure if that kind of switch does not have the ports or the room, the store
   *     cannot be opened or the API cannot listen
   */
  static StandaloneController start(
      RemoteSwitch remote, Path dataDirectory, HttpSettings http, ReconcileSettings reconciling)
      throws StartFailure {
    return start(
        dataDirectory, List.of(at(remote, dataDirectory, reconciling)), Optional.empty(), http);
  }

  /**
   * As {@link #start(RemoteSwitch, Path, HttpSettings, ReconcileSettings)}, for several switches,
   * which can come and go over the API; those that were declared there come back.
   *
   * @param file those that are there at the start
   * @param form reads those that are declared
   */
  static StandaloneController start(
      NetworkFile.Contents file,
      NetworkFile.OneSwitch form,
      Path dataDirectory,
      HttpSettings http,
      ReconcileSettings reconciling)
      throws StartFailure {
    List<SwitchAt> switches = new ArrayList<>();
    for (RemoteSwitch remote : file.switches()) {
      switches.add(at(remote, dataDirectory, reconciling));
    }
    DeclaredSwitches declared =
        new DeclaredSwitches(form, remote -> at(remote, dataDirectory, reconciling), file);
    return start(dataDirectory, switches, Optional.of(declared), http);
  }

  private static SwitchAt at(RemoteSwitch remote, Path dataDirectory, ReconcileSettings reconciling)
      throws StartFailure {
    ControllerConfig.Builder config =
        config(remote, dataDirectory).switchEndpoint(remote.endpoint());
    remote.fpgaDown().ifPresent(config::fpgaDown);
    remote.fpgaUp().ifPresent(config::fpgaUp);
    remote.gnmi().ifPresent(config::gnmi);
    return new SwitchAt(
        remote.name(), reconciling.addTo(config).build(), remote.pipeline(), remote.reach());
  }

  /**
   * What {@link #start(DefaultTopology, EmbeddedTargets, Path, HttpSettings, ReconcileSettings)}
   * would find in the store; nothing is started or changed.
   *
   * @return empty if there is no store, and one would be made
   * @throws StartFailure if it would not start for that switch, or the store cannot be opened
   */
  static Optional<StoredState> check(DefaultTopology topology, Path dataDirectory)
      throws StartFailure {
    SwitchTargetProfile profile = TargetProfiles.loadSwitch(PROFILE);
    return check(
            Map.of(
                NetworkSwitch.ONLY,
                config(topology, profile, V1ModelPipeline.load(), dataDirectory).build()))
        .map(found -> found.get(NetworkSwitch.ONLY));
  }

  /**
   * The switches that {@link #start(NetworkFile.Contents, NetworkFile.OneSwitch, Path,
   * HttpSettings, ReconcileSettings)} would begin with: those of the file, and those that were put
   * over the API. Nothing is started or changed.
   *
   * @throws StartFailure if it would not start with them
   */
  static List<RemoteSwitch> members(
      NetworkFile.Contents file, NetworkFile.OneSwitch form, Path dataDirectory)
      throws StartFailure {
    List<SwitchAt> ofFile = new ArrayList<>();
    for (RemoteSwitch remote : file.switches()) {
      ofFile.add(at(remote, dataDirectory, ReconcileSettings.DEFAULT));
    }
    DeclaredSwitches declared =
        new DeclaredSwitches(
            form, remote -> at(remote, dataDirectory, ReconcileSettings.DEFAULT), file);
    try {
      List<SwitchAt> unused = declared.with(ofFile, Endpoints.storedSwitches(dataDirectory));
      Map<String, Topology> topologies = new LinkedHashMap<>();
      declared.first().forEach(each -> topologies.put(each.name(), each.topology()));
      Trunks.requireFitting(topologies);
    } catch (ControllerException e) {
      throw failure(e);
    } catch (InvalidValueException e) {
      throw notTogether(e);
    }
    return declared.first();
  }

  private static StartFailure notTogether(InvalidValueException reason) {
    return new StartFailure(
        "the switches cannot be driven together: " + reason.getMessage(), reason);
  }

  /** As the other, for remote switches, by name. */
  static Optional<Map<String, StoredState>> check(List<RemoteSwitch> remotes, Path dataDirectory)
      throws StartFailure {
    Map<String, ControllerConfig> switches = new LinkedHashMap<>();
    for (RemoteSwitch remote : remotes) {
      switches.put(remote.name(), config(remote, dataDirectory).build());
    }
    return check(switches);
  }

  private static Optional<Map<String, StoredState>> check(Map<String, ControllerConfig> switches)
      throws StartFailure {
    try {
      return Endpoints.check(switches);
    } catch (ControllerException e) {
      throw failure(e);
    }
  }

  /** A configuration without endpoints. */
  private static ControllerConfig.Builder config(
      DefaultTopology topology,
      SwitchTargetProfile profile,
      SwitchPipeline pipeline,
      Path dataDirectory)
      throws StartFailure {
    return config(
        profile,
        pipeline,
        topology.topology(),
        topology.maxSubscriberRateBps(),
        topology.randomRates(),
        topology.fpgaProfile(),
        dataDirectory);
  }

  private static ControllerConfig.Builder config(RemoteSwitch remote, Path dataDirectory)
      throws StartFailure {
    return config(
        remote.profile(),
        remote.pipeline(),
        remote.topology(),
        remote.maxSubscriberRateBps(),
        remote.randomRates(),
        remote.fpgaProfile(),
        dataDirectory);
  }

  private static ControllerConfig.Builder config(
      SwitchTargetProfile profile,
      SwitchPipeline pipeline,
      Topology topology,
      long maxSubscriberRateBps,
      RandomRates randomRates,
      FpgaProfile fpga,
      Path dataDirectory)
      throws StartFailure {
    try {
      SwitchProfile granted =
          SwitchAdmission.admit(
              profile, pipeline, topology, maxSubscriberRateBps, randomRates, fpga);
      return ControllerConfig.builder(dataDirectory, topology, granted, fpga);
    } catch (InvalidValueException e) {
      throw new StartFailure("the switch cannot run this: " + e.getMessage(), e);
    }
  }

  private static StandaloneController start(
      Path dataDirectory,
      List<SwitchAt> switches,
      Optional<DeclaredSwitches> declared,
      HttpSettings settings)
      throws StartFailure {
    Clock clock = Clock.systemUTC();
    String prefix = Long.toString(clock.millis(), Character.MAX_RADIX);
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    try {
      // Loading takes a while, in which whoever watches the process is to know that it lives.
      Optional<HealthServer> health = Optional.empty();
      if (settings.health().isPresent()) {
        health = Optional.of(new HealthServer(settings.health().get(), prefix));
        opened.push(health.get());
      }
      EndpointNetwork network =
          open(
              dataDirectory,
              stored -> declared.map(d -> d.with(switches, stored)).orElse(switches),
              clock);
      Controller controller = network.controller();
      opened.push(controller);
      declared.ifPresent(d -> d.use(network));
      HttpServer http =
          declared.isPresent()
              ? HttpServer.start(controller, declared.get(), settings, prefix)
              : HttpServer.start(controller, settings, prefix);
      health.ifPresent(watched -> watched.serves(controller));
      return new StandaloneController(
          controller, declared.map(DeclaredSwitches::first).orElse(List.of()), http, health);
    } catch (StartFailure | RuntimeException e) {
      for (AutoCloseable each : opened) {
        closeAfter(e, each);
      }
      throw e;
    }
  }

  private static void closeAfter(Exception failure, AutoCloseable opened) {
    try {
      opened.close();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }

  private static EndpointNetwork open(Path dataDirectory, Endpoints.Members switches, Clock clock)
      throws StartFailure {
    try {
      return Endpoints.open(dataDirectory, switches, clock);
    } catch (ControllerException e) {
      throw failure(e);
    } catch (InvalidValueException e) {
      throw notTogether(e);
    }
  }

  private static StartFailure failure(ControllerException cause) {
    String reason = ListenAddress.reason(cause);
    String message = cause.getMessage();
    return new StartFailure(message.contains(reason) ? message : message + ": " + reason, cause);
  }

  /** The controller itself. */
  public Controller controller() {
    return controller;
  }

  /** The switches that it began with, if they can come and go; else none. */
  List<RemoteSwitch> switches() {
    return switches;
  }

  /** Where the API is, without a slash at the end. */
  public URI api() {
    return http.base();
  }

  /** Where its health is told, without a slash at the end; empty for nowhere. */
  Optional<URI> health() {
    return health.map(HealthServer::base);
  }

  /** Stops the API, then the controller; the targets stay. */
  @Override
  public void close() {
    http.close();
    controller.close();
    health.ifPresent(HealthServer::close);
  }
}
