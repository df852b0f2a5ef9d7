package net.sluice.onos.southbound.leader;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import net.sluice.core.ports.GnmiConnection;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonContent;
import net.sluice.onos.SwitchConfig;
import net.sluice.onos.SwitchTargets;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.onos.southbound.driver.ProgramLoads;
import net.sluice.onos.southbound.master.CallServer;
import net.sluice.onos.southbound.master.EpochLeases;
import net.sluice.onos.southbound.master.OnosReadiness;
import net.sluice.onos.southbound.master.Readiness;
import net.sluice.onos.southbound.packet.SwitchPackets;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.switches.SwitchDocument;
import net.sluice.rest.switches.SwitchDocument.Reached;
import net.sluice.rest.switches.SwitchForm;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.config.basics.BasicDeviceConfig;
import org.onosproject.net.config.basics.SubjectFactories;
import org.onosproject.net.device.DeviceAdminService;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.pi.service.PiPipeconfMappingStore;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.onosproject.p4runtime.api.P4RuntimeController;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.service.StorageException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;

/** Switches through ONOS's P4Runtime client, and their gNMI servers beside it. */
@Component(
    immediate = true,
    service = {SwitchTargets.class, ProgramLoads.class})
public class OnosSwitches implements SwitchTargets, ProgramLoads {
  /** Most devices that a sentence names. */
  private static final int MOST_NAMED = 10;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected P4RuntimeController controller;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected PiPipeconfService pipeconfService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected PiPipeconfMappingStore pipeconfBindings;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected MastershipService mastershipService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected NetworkConfigRegistry networkConfig;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected DeviceService deviceService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected DeviceAdminService deviceAdminService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected ClusterCommunicationService clusterCommunicationService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected ClusterService clusterService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected LeadershipService leadershipService;

  private final ConfigFactory<DeviceId, SwitchConfig> configFactory =
      new ConfigFactory<>(
          SubjectFactories.DEVICE_SUBJECT_FACTORY, SwitchConfig.class, SwitchConfig.KEY) {
        @Override
        public SwitchConfig createConfig() {
          return new SwitchConfig();
        }
      };
  private final Set<DeviceId> withdrawn = ConcurrentHashMap.newKeySet();
  private final EpochLeases leases = new EpochLeases();
  private CallServer server;
  private SwitchPackets packets;

  /** Drives, from now on, the switches that this instance is master of for whoever leads. */
  @Activate
  public void activate() {
    // Here, because here it is read: without it ONOS has no configuration of that kind, or makes it
    // of the class of the bundle before this one, whose factory ONOS keeps in a cluster.
    networkConfig.registerConfigFactory(configFactory);
    Scheduler scheduler = new ThreadScheduler("sluice-switches");
    server =
        new CallServer(
            clusterCommunicationService,
            this::readiness,
            leases,
            new SecureRandom().nextLong(),
            scheduler);
    packets =
        new SwitchPackets(
            clusterService.getLocalNode().id(),
            controller,
            pipeconfService,
            mastershipService,
            leadershipService,
            clusterCommunicationService,
            this::readiness,
            scheduler::execute);
  }

  /** Drives none any more. */
  @Deactivate
  public void deactivate() {
    packets.close();
    server.close();
    networkConfig.unregisterConfigFactory(configFactory);
  }

  private Readiness readiness(DeviceId device, PiPipeconfId pipeconf) {
    return new OnosReadiness(
        device, pipeconf, controller, pipeconfService, mastershipService, networkConfig);
  }

  @Override
  public CompletableFuture<Boolean> load(
      DeviceId device, String reason, Supplier<CompletableFuture<Boolean>> call) {
    return leases.load(device, reason, call);
  }

  @Override
  public SwitchConnection open(
      String name, DeviceId device, SwitchTargetProfile profile, long epoch) {
    PiPipeconfId pipeconf = Pipeconfs.of(profile);
    Scheduler scheduler = new ThreadScheduler("sluice-" + name);
    MasterRoute route =
        new MasterRoute(
            readiness(device, pipeconf),
            leases,
            mastershipService,
            clusterCommunicationService,
            epoch,
            scheduler);
    OnosSwitchTarget target =
        new OnosSwitchTarget(name, route, Pipeconfs.program(pipeconf), scheduler);
    return new SwitchConnection(target, target, Optional.of(packets.of(device, pipeconf)));
  }

  @Override
  public GnmiConnection.Access gnmi(
      DeviceId device, SwitchTargetProfile profile, Supplier<Optional<String>> obstacle) {
    return new OnosGnmi(device, profile, networkConfig, obstacle);
  }

  @Override
  public Optional<String> absence(DeviceId device) {
    if (deviceService.getDevice(device) != null) {
      return deviceService.isAvailable(device)
          ? Optional.empty()
          : Optional.of(
              "the switch is disconnected: "
                  + device
                  + " is offline for ONOS, which cannot reach it or has not loaded its pipeline");
    }
    BasicDeviceConfig config = networkConfig.getConfig(device, BasicDeviceConfig.class);
    if (config != null) {
      return Optional.of(
          "ONOS has not connected to "
              + device
              + " yet, which its network configuration has at "
              + config.managementAddress());
    }
    String known =
        StreamSupport.stream(deviceService.getDevices().spliterator(), false)
            .map(each -> each.id().toString())
            .sorted()
            .limit(MOST_NAMED)
            .collect(Collectors.joining(", "));
    return Optional.of(
        "ONOS knows no "
            + device
            + ", neither as a device nor in its network configuration; "
            + (known.isEmpty() ? "it has no devices" : "its devices: " + known));
  }

  @Override
  public Map<DeviceId, JsonValue> declared() {
    Map<DeviceId, JsonValue> declared = new TreeMap<>(Comparator.comparing(DeviceId::toString));
    for (DeviceId device : configured()) {
      SwitchConfig config = networkConfig.getConfig(device, SwitchConfig.class);
      if (config != null && config.isDriven()) {
        declared.put(device, document(config));
      }
    }
    return declared;
  }

  private static JsonValue document(SwitchConfig config) {
    try {
      return config.document();
    } catch (Refusal e) {
      throw new IllegalStateException("ONOS has taken what is not valid", e);
    }
  }

  @Override
  public void declare(DeviceId device, JsonValue declared, SwitchDocument read) {
    BasicDeviceConfig known = networkConfig.getConfig(device, BasicDeviceConfig.class);
    Optional<Reached.Server> server = ((Reached.Device) read.reached()).server();
    if (server.isPresent() || known != null) {
      ObjectNode basic =
          known == null ? MAPPER.createObjectNode() : (ObjectNode) known.node().deepCopy();
      server.ifPresent(
          at ->
              basic.put(
                  "managementAddress", "grpc://" + at.p4runtime() + "?device_id=" + at.deviceId()));
      basic.put("driver", read.profile().management().onosDriver());
      basic.put("pipeconf", read.profile().management().onosPipeconf());
      if (known == null || !basic.equals(known.node())) {
        networkConfig.applyConfig(device, BasicDeviceConfig.class, basic);
      }
      bindAnew(device, new PiPipeconfId(read.profile().management().onosPipeconf()));
    }
    networkConfig.applyConfig(device, SwitchConfig.class, node(declared));
  }

  /** ONOS binds a device that has no pipeconf, and never binds it to another one by itself. */
  private void bindAnew(DeviceId device, PiPipeconfId pipeconf) {
    if (pipeconfService.ofDevice(device).filter(bound -> !bound.equals(pipeconf)).isPresent()) {
      pipeconfBindings.createOrUpdateBinding(device, pipeconf);
    }
  }

  private static JsonNode node(JsonValue value) {
    try {
      return MAPPER.readTree(JsonContent.bytes(value::write));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void withdraw(DeviceId device) {
    SwitchConfig config = networkConfig.getConfig(device, SwitchConfig.class);
    networkConfig.removeConfig(device, SwitchConfig.class);
    if (config != null && config.node().has(SwitchForm.P4RUNTIME)) {
      // First: for a device that is bound and not configured ONOS finds no driver. It could not end
      // its connection then, and would answer every request for all devices with 404.
      pipeconfBindings.removeBinding(device);
      networkConfig.removeConfig(device, BasicDeviceConfig.class);
      withdrawn.add(device);
    }
  }

  @Override
  public void forgetWithdrawn() {
    withdrawn.removeIf(
        device -> {
          if (networkConfig.getConfig(device, BasicDeviceConfig.class) != null) {
            return true;
          }
          boolean isOver = !deviceService.isAvailable(device);
          if (isOver && deviceService.getDevice(device) != null) {
            deviceAdminService.removeDevice(device);
          }
          return isOver;
        });
  }

  /** While ONOS goes through a map's keys, Atomix's own exceptions come through. */
  private Set<DeviceId> configured() {
    try {
      return networkConfig.getSubjects(DeviceId.class, SwitchConfig.class);
    } catch (StorageException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new StorageException(e);
    }
  }

  @Override
  public List<DeviceId> withOurPipeline() {
    return StreamSupport.stream(deviceService.getDevices().spliterator(), false)
        .map(Device::id)
        .filter(id -> pipeconfService.ofDevice(id).map(Pipeconfs::isOurs).orElse(false))
        .sorted(Comparator.comparing(DeviceId::toString))
        .toList();
  }
}
