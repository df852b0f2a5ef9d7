package net.sluice.standalone;

import java.io.IOException;
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
import net.sluice.cli.ListenAddress;
import net.sluice.cli.StartFailure;
import net.sluice.core.ChangeNeeds;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.core.ControllerException;
import net.sluice.core.StoredState;
import net.sluice.endpoints.EndpointNetwork;
import net.sluice.endpoints.Endpoints;
import net.sluice.endpoints.Endpoints.SwitchAt;
import net.sluice.endpoints.Measures;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Trunks;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.northbound.Northbound;
import net.sluice.pipeconf.profile.SwitchAdmission;
import net.sluice.rest.host.Capability.Absent;
import net.sluice.rest.host.Capability.Present;
import net.sluice.standalone.http.HealthServer;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.metrics.Measurements;
import net.sluice.standalone.network.DeclaredSwitches;
import net.sluice.standalone.network.NetworkFile;
import net.sluice.standalone.network.RemoteSwitch;

/** A controller of switches, with its API on a TCP port. */
public final class StandaloneController implements AutoCloseable {
  private final Controller controller;
  private final List<RemoteSwitch> switches;
  private final ApiServer api;
  private final Optional<HealthServer> health;

  private StandaloneController(
      Controller controller,
      List<RemoteSwitch> switches,
      ApiServer api,
      Optional<HealthServer> health) {
    this.controller = controller;
    this.switches = switches;
    this.api = api;
    this.health = health;
  }

  /**
   * Opens the store, connects to the switches and serves the API. The switches follow on their own,
   * and need not be reachable yet; see {@link Controller#awaitAllInstalled}.
   *
   * @param dataDirectory where declarations are kept; created if absent
   * @param reconciling when targets are compared with the declarations, and what that may delete
   * @throws StartFailure if that kind of switch does not have the ports or the room, the store
   *     cannot be opened or the API cannot listen
   */
  public static StandaloneController start(
      List<RemoteSwitch> switches, Path dataDirectory, HttpSettings http, Comparing reconciling)
      throws StartFailure {
    return start(
        dataDirectory, members(switches, dataDirectory, reconciling), Optional.empty(), http);
  }

  /**
   * As {@link #start(List, Path, HttpSettings, Comparing)}, without any options.
   *
   * @param httpAddress where the API listens; port 0 takes a free one
   */
  public static StandaloneController start(
      List<RemoteSwitch> switches, Path dataDirectory, InetSocketAddress httpAddress)
      throws StartFailure {
    return start(switches, dataDirectory, HttpSettings.on(httpAddress), Comparing.DEFAULT);
  }

  /**
   * As {@link #start(List, Path, HttpSettings, Comparing)}, for switches that can come and go over
   * the API; those that were declared there come back.
   *
   * @param file those that are there at the start
   * @param form reads those that are declared
   */
  public static StandaloneController start(
      NetworkFile.Contents file,
      NetworkFile.OneSwitch form,
      Path dataDirectory,
      HttpSettings http,
      Comparing reconciling)
      throws StartFailure {
    DeclaredSwitches declared =
        new DeclaredSwitches(form, remote -> at(remote, dataDirectory, reconciling), file);
    return start(
        dataDirectory,
        members(file.switches(), dataDirectory, reconciling),
        Optional.of(declared),
        http);
  }

  private static List<SwitchAt> members(
      List<RemoteSwitch> switches, Path dataDirectory, Comparing reconciling) throws StartFailure {
    List<SwitchAt> members = new ArrayList<>();
    for (RemoteSwitch each : switches) {
      members.add(at(each, dataDirectory, reconciling));
    }
    return members;
  }

  static SwitchAt at(RemoteSwitch remote, Path dataDirectory, Comparing reconciling)
      throws StartFailure {
    return new SwitchAt(
        remote.name(),
        config(remote.model(), dataDirectory)
            .servers(remote.servers())
            .comparing(reconciling)
            .build(),
        remote.model().pipeline(),
        remote.reach());
  }

  /**
   * The switches that {@link #start(NetworkFile.Contents, NetworkFile.OneSwitch, Path,
   * HttpSettings, Comparing)} would begin with: those of the file, and those that were put over the
   * API. Nothing is started or changed.
   *
   * @throws StartFailure if it would not start with them
   */
  static List<RemoteSwitch> members(
      NetworkFile.Contents file, NetworkFile.OneSwitch form, Path dataDirectory)
      throws StartFailure {
    List<SwitchAt> ofFile = members(file.switches(), dataDirectory, Comparing.DEFAULT);
    DeclaredSwitches declared =
        new DeclaredSwitches(form, remote -> at(remote, dataDirectory, Comparing.DEFAULT), file);
    try {
      List<SwitchAt> unused = declared.with(ofFile, Endpoints.storedSwitches(dataDirectory));
      Map<String, Topology> topologies = new LinkedHashMap<>();
      declared.first().forEach(each -> topologies.put(each.name(), each.model().topology()));
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

  /**
   * The contents of the store, of each switch by its name. Nothing is started or changed.
   *
   * @param models of the switches that would be started with
   * @return empty if there is no store, and one would be made
   * @throws StartFailure if the controller would not start with them, or the store cannot be opened
   */
  static Optional<Map<String, StoredState>> check(
      Map<String, RemoteSwitch.Model> models, Path dataDirectory) throws StartFailure {
    EarlierData.refuse(dataDirectory);
    Map<String, ControllerConfig> switches = new LinkedHashMap<>();
    for (Map.Entry<String, RemoteSwitch.Model> each : models.entrySet()) {
      switches.put(each.getKey(), config(each.getValue(), dataDirectory).build());
    }
    try {
      return Endpoints.check(switches);
    } catch (ControllerException e) {
      throw failure(e);
    }
  }

  /** A configuration without endpoints. */
  private static ControllerConfig.Builder config(RemoteSwitch.Model model, Path dataDirectory)
      throws StartFailure {
    try {
      SwitchProfile granted =
          SwitchAdmission.admit(
              model.profile(), model.pipeline(), model.topology(), model.marker(), model.fpgas());
      return ControllerConfig.builder(dataDirectory, model.topology(), granted, model.fpgas());
    } catch (InvalidValueException e) {
      throw new StartFailure("the switch cannot run this: " + e.getMessage(), e);
    }
  }

  private static final String FIXED = "a start with --network, whose switches can change";

  private static StandaloneController start(
      Path dataDirectory,
      List<SwitchAt> switches,
      Optional<DeclaredSwitches> declared,
      HttpSettings settings)
      throws StartFailure {
    EarlierData.refuse(dataDirectory);
    Clock clock = Clock.systemUTC();
    String prefix = Long.toString(clock.millis(), Character.MAX_RADIX);
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    Measurements measurements = new Measurements();
    opened.push(measurements);
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
              clock,
              measurements);
      Controller controller = network.controller();
      opened.push(controller);
      measurements.follow(controller);
      declared.ifPresent(d -> d.use(network));
      ApiServer api =
          ApiServer.start(
              controller,
              network.store(),
              () -> network.members().stream().flatMap(UnencryptedTargets::notes).toList(),
              declared.isPresent() ? new Present<>(declared.get()) : new Absent<>(FIXED),
              measurements,
              settings,
              prefix);
      opened.push(api);
      addFreeSpace(controller.needs(), dataDirectory, settings);
      health.ifPresent(watched -> watched.serves(controller));
      return new StandaloneController(
          controller, declared.map(DeclaredSwitches::first).orElse(List.of()), api, health);
    } catch (StartFailure | RuntimeException e) {
      for (AutoCloseable each : opened) {
        closeAfter(e, each);
      }
      throw e;
    }
  }

  private static void addFreeSpace(ChangeNeeds needs, Path data, HttpSettings settings)
      throws StartFailure {
    if (settings.minFreeBytes() == 0) {
      return;
    }
    try {
      needs.add(FreeSpace.at("free-space", data, settings.minFreeBytes()));
    } catch (IOException e) {
      throw new StartFailure("the free space cannot be told: " + e.getMessage(), e);
    }
  }

  static void closeAfter(Exception failure, AutoCloseable opened) {
    try {
      opened.close();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }

  private static EndpointNetwork open(
      Path dataDirectory, Endpoints.Members switches, Clock clock, Measures measures)
      throws StartFailure {
    try {
      return Endpoints.open(dataDirectory, switches, clock, measures, Northbound::record);
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
  public List<RemoteSwitch> switches() {
    return switches;
  }

  /** Where the API is, without a slash at the end. */
  public URI api() {
    return api.base();
  }

  /** Where its health is told, without a slash at the end; empty for nowhere. */
  Optional<URI> health() {
    return health.map(HealthServer::base);
  }

  /** Answers what is under way, takes no more, then ends the controller; the targets stay. */
  @Override
  public void close() {
    health.ifPresent(HealthServer::stopping);
    api.close();
    controller.close();
    health.ifPresent(HealthServer::close);
  }
}
