package net.sluice.onos;

import static net.sluice.onos.OsgiProperties.*;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import net.sluice.core.Controller;
import net.sluice.core.ControllerEvent;
import net.sluice.core.PortStatus;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.onos.cluster.ClusterMember;
import net.sluice.onos.store.ClusterNetworkStore;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.event.EventDeliveryService;
import org.onosproject.event.ListenerRegistry;
import org.onosproject.mastership.MastershipAdminService;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.config.basics.SubjectFactories;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.store.service.StorageService;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The application: keeps one {@link ClusterMember} with the configuration in force. */
@Component(
    immediate = true,
    service = SluiceService.class,
    property = {
      DEVICE_ID + "=" + DEVICE_ID_DEFAULT,
      PROFILE + "=" + PROFILE_DEFAULT,
      TOPOLOGY + "=" + TOPOLOGY_DEFAULT,
      MAX_SUBSCRIBER_RATE_BPS + ":Long=" + MAX_SUBSCRIBER_RATE_BPS_DEFAULT,
      FPGA_CLOCK_HZ + ":Integer=" + FPGA_CLOCK_HZ_DEFAULT,
      FPGA_DOWN + "=" + FPGA_DOWN_DEFAULT,
      FPGA_UP + "=" + FPGA_UP_DEFAULT,
      SET_PORTS + ":Boolean=" + SET_PORTS_DEFAULT,
      BATCH_SIZE + ":Integer=" + BATCH_SIZE_DEFAULT,
      WINDOW + ":Integer=" + WINDOW_DEFAULT,
      AUDIT_SECONDS + ":Integer=" + AUDIT_SECONDS_DEFAULT,
      STORE_TIMEOUT_MILLIS + ":Integer=" + STORE_TIMEOUT_MILLIS_DEFAULT
    })
public class SluiceManager implements SluiceService {
  /** The application's name. */
  public static final String APP_NAME = "net.sluice";

  private static final Logger LOG = LoggerFactory.getLogger(SluiceManager.class);

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected CoreService coreService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected ComponentConfigService configService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected StorageService storageService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected ClusterService clusterService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected LeadershipService leadershipService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected MastershipService mastershipService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected MastershipAdminService mastershipAdminService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected EventDeliveryService eventDispatcher;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected SwitchTargets switchTargets;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected NetworkConfigRegistry networkConfig;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected DeviceService deviceService;

  /** The switch, as device:NAME; nothing while there is none. */
  private String deviceId = DEVICE_ID_DEFAULT;

  /** Profile of the switch: what kind it is. */
  private String profile = PROFILE_DEFAULT;

  /** How the switch is cabled, as JSON. */
  private String topology = TOPOLOGY_DEFAULT;

  /** Highest subscriber rate that the marker resolves, in bit/s. */
  private long maxSubscriberRateBps = MAX_SUBSCRIBER_RATE_BPS_DEFAULT;

  /** Clock of the shaping FPGAs, in Hz. */
  private int fpgaClockHz = FPGA_CLOCK_HZ_DEFAULT;

  /** Register agent of the FPGA that shapes what goes down, as host:port; nothing for none. */
  private String fpgaDown = FPGA_DOWN_DEFAULT;

  /** Register agent of the FPGA that shapes what goes up, as host:port; nothing for none. */
  private String fpgaUp = FPGA_UP_DEFAULT;

  /** Whether the switch's ports are set to the topology's rates over gNMI. */
  private boolean setPorts = SET_PORTS_DEFAULT;

  /** Most entity writes of one request. */
  private int batchSize = BATCH_SIZE_DEFAULT;

  /** Most requests in flight per target. */
  private int window = WINDOW_DEFAULT;

  /** Seconds between comparisons of a target with the declarations, 10 at least; 0 for none. */
  private int auditSeconds = AUDIT_SECONDS_DEFAULT;

  /** Longest wait for an answer of the cluster's store, in milliseconds. */
  private int storeTimeoutMillis = STORE_TIMEOUT_MILLIS_DEFAULT;

  private final ListenerRegistry<SluiceEvent, SluiceListener> listeners = new ListenerRegistry<>();
  private final Clock clock = Clock.systemUTC();
  private final Map<String, String> inForce = new LinkedHashMap<>(SluiceSettings.DEFAULTS);
  private final Map<String, String> refused = new TreeMap<>();
  private final Set<String> noted = new HashSet<>();
  private final ConfigFactory<ApplicationId, SluiceConfig> configFactory =
      new ConfigFactory<>(
          SubjectFactories.APP_SUBJECT_FACTORY, SluiceConfig.class, SluiceConfig.KEY) {
        @Override
        public SluiceConfig createConfig() {
          return new SluiceConfig();
        }
      };
  private final NetworkConfigListener configListener = this::heard;
  private final DeviceListener deviceListener = event -> later(this::tellNotes);
  private ApplicationId applicationId;
  private Map<String, String> properties = Map.of();
  private Scheduler later;
  private volatile SluiceSettings settings;

  /** The values that this instance takes part with. */
  private volatile Map<String, String> application = SluiceSettings.DEFAULTS;

  private volatile ClusterMember member;

  /** What this instance led with last; null before. */
  private volatile LeaderNetwork network;

  /** Takes part in the cluster. */
  @Activate
  public void activate(ComponentContext context) {
    applicationId = coreService.registerApplication(APP_NAME);
    configService.registerProperties(getClass());
    eventDispatcher.addSink(SluiceEvent.class, listeners);
    later = new ThreadScheduler("sluice-configuration");
    networkConfig.addListener(configListener);
    networkConfig.registerConfigFactory(configFactory);
    synchronized (this) {
      properties = context == null ? Map.of() : values(context.getProperties());
      take();
      if (settings == null) {
        settings = SluiceSettings.of(inForce);
      }
      join();
    }
    deviceService.addListener(deviceListener);
    later(this::tellNotes);
    LOG.info("started");
  }

  /** Leaves the cluster to the other instances. */
  @Deactivate
  public void deactivate() {
    deviceService.removeListener(deviceListener);
    networkConfig.removeListener(configListener);
    networkConfig.unregisterConfigFactory(configFactory);
    later.close();
    synchronized (this) {
      member.close();
    }
    eventDispatcher.removeSink(SluiceEvent.class);
    configService.unregisterProperties(getClass(), false);
    LOG.info("stopped");
  }

  /** Takes over those of the properties that are acceptable. */
  @Modified
  public synchronized void modified(ComponentContext context) {
    properties = values(context.getProperties());
    reconfigure();
  }

  private void heard(NetworkConfigEvent event) {
    // Of devices whatever is said may be about how they are driven.
    if (event.configClass() == SluiceConfig.class || event.subject() instanceof DeviceId) {
      later(this::reconfigure);
    }
  }

  /** Beginning anew takes longer than ONOS lets a listener take. */
  private void later(Runnable task) {
    later.execute(task);
  }

  private synchronized void reconfigure() {
    SluiceSettings before = settings;
    take();
    if (!settings.equals(before)) {
      LOG.info(
          "the configuration has changed: the controller is begun anew for {}, profile {}",
          settings.deviceId().map(DeviceId::toString).orElse("no device"),
          settings.profile());
      member.close();
      join();
    } else if (network != null) {
      follow(network);
    }
    tellNotes();
  }

  private void follow(LeaderNetwork leading) {
    try {
      leading.follow();
    } catch (RuntimeException e) {
      LOG.error("the switches cannot be those of the configuration: all is begun anew", e);
      member.close();
      join();
    }
  }

  private void join() {
    SluiceSettings now = settings;
    Map<String, String> values = Map.copyOf(inForce);
    application = values;
    NodeId self = clusterService.getLocalNode().id();
    member =
        new ClusterMember(
            self,
            leadershipService,
            lost ->
                ClusterNetworkStore.open(
                    storageService, self.toString(), now.storeTimeout(), clock, lost),
            store -> open(values, (ClusterNetworkStore) store),
            // Who is told of something can ask about it at once.
            leading -> leading.listen(this::post),
            new ThreadScheduler("sluice-cluster"),
            clock);
    member.start();
  }

  private Controller open(Map<String, String> values, ClusterNetworkStore store) {
    LeaderNetwork opened =
        new LeaderNetwork(
            store,
            values,
            () -> WantedSwitches.of(values, switchTargets.declared()),
            new ClusterTargets(
                clusterService.getLocalNode().id(),
                leadershipService,
                mastershipService,
                mastershipAdminService,
                switchTargets),
            clock);
    // First, so that nothing that is configured from now on is missed.
    network = opened;
    try {
      opened.follow();
    } catch (RuntimeException e) {
      opened.controller().close();
      throw e;
    }
    later(this::tellNotes);
    return opened.controller();
  }

  private void post(ControllerEvent event) {
    eventDispatcher.post(new SluiceEvent(event, clock.millis()));
  }

  // ---------------------------------------------------------------- configuration

  private static Map<String, String> values(Dictionary<String, Object> properties) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String name : SluiceSettings.DEFAULTS.keySet()) {
      Object value = properties.get(name);
      if (value != null) {
        values.put(name, value.toString());
      }
    }
    return values;
  }

  /**
   * Takes over new values: all of them if they are acceptable together, otherwise each that is
   * acceptable beside those in force. What is refused keeps its old value. The network
   * configuration precedes the component's properties.
   */
  private void take() {
    refused.clear();
    Map<String, String> wanted = new LinkedHashMap<>(SluiceSettings.DEFAULTS);
    wanted.putAll(properties);
    SluiceConfig config = networkConfig.getConfig(applicationId, SluiceConfig.class);
    if (config != null) {
      wanted.putAll(config.values());
    }
    if (tried(wanted).isEmpty()) {
      return;
    }
    List<String> left = new ArrayList<>(wanted.keySet());
    // One may be acceptable only after another has been taken.
    boolean progress = true;
    while (progress) {
      progress = left.removeIf(name -> tried(inForceBut(name, wanted.get(name))).isEmpty());
    }
    for (String name : left) {
      tried(inForceBut(name, wanted.get(name)))
          .ifPresent(
              reason -> {
                refused.put(name, reason + "; " + inForce.get(name) + " stays in force");
                LOG.error("a property is refused: {}", refused.get(name));
              });
    }
  }

  private Map<String, String> inForceBut(String name, String value) {
    Map<String, String> values = new LinkedHashMap<>(inForce);
    values.put(name, value);
    return values;
  }

  /** Takes values over; why not, if they are not acceptable. */
  private Optional<String> tried(Map<String, String> values) {
    try {
      settings = SluiceSettings.of(values);
      inForce.putAll(values);
      return Optional.empty();
    } catch (InvalidValueException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public synchronized Map<String, String> refusedConfiguration() {
    return Map.copyOf(refused);
  }

  @Override
  public List<String> notes() {
    WantedSwitches wanted = WantedSwitches.of(application, switchTargets.declared());
    List<String> notes = new ArrayList<>(wanted.refused().values());
    LeaderNetwork leading = network;
    if (leading != null) {
      notes.addAll(leading.refused());
    }
    switchTargets.withOurPipeline().stream()
        .filter(device -> !wanted.has(device))
        .filter(device -> leading == null || leading.drives(device).isEmpty())
        .map(
            device ->
                device
                    + " has Sluice's pipeline and is not driven: its network configuration has no "
                    + SwitchSettings.TOPOLOGY_FIELD
                    + " for Sluice, and it is not "
                    + OsgiProperties.DEVICE_ID)
        .forEach(notes::add);
    return notes;
  }

  /** Has the log tell each note once, for as long as it stands. */
  private synchronized void tellNotes() {
    List<String> now = notes();
    noted.retainAll(now);
    now.stream().filter(noted::add).forEach(note -> LOG.warn("{}", note));
  }

  /** What is in force. */
  SluiceSettings settings() {
    return settings;
  }

  // ---------------------------------------------------------------- service

  @Override
  public Controller controller() {
    return member.requireController();
  }

  @Override
  public ClusterMember.Standing standing() {
    return member.standing();
  }

  @Override
  public List<PortStatus> ports(DeviceId device) {
    LeaderNetwork leading = network;
    return leading == null || member.controller().isEmpty() ? List.of() : leading.ports(device);
  }

  @Override
  public void addListener(SluiceListener listener) {
    listeners.addListener(listener);
  }

  @Override
  public void removeListener(SluiceListener listener) {
    listeners.removeListener(listener);
  }
}
