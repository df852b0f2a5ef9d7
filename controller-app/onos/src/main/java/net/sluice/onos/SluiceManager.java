package net.sluice.onos;

import static net.sluice.onos.OsgiProperties.*;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Dictionary;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import net.sluice.core.Controller;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerException;
import net.sluice.core.ControllerListener;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.core.traffic.PortStatus;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.answers.KeptAnswers;
import net.sluice.northbound.caller.CallerRoles;
import net.sluice.northbound.usage.UsageSettings;
import net.sluice.northbound.webhooks.Destinations;
import net.sluice.northbound.webhooks.WebhookSettings;
import net.sluice.northbound.webhooks.WebhookTiming;
import net.sluice.onos.cluster.ClusterMember;
import net.sluice.onos.store.ClusterNetworkStore;
import net.sluice.onos.store.KnownCommits;
import net.sluice.rest.guard.InForce;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.problem.Incidents;
import net.sluice.rest.settings.EdgeSettings;
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
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.store.service.StorageException;
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

/**
 * The application: keeps one {@link ClusterMember} with the configuration in force.
 *
 * <p>More than 500 lines, because ONOS reads all properties of a component off one class.
 */
@Component(
    immediate = true,
    service = SluiceService.class,
    property = {
      DEVICE_ID + "=" + DEVICE_ID_DEFAULT,
      PROFILE + "=" + PROFILE_DEFAULT,
      TOPOLOGY + "=" + TOPOLOGY_DEFAULT,
      MAX_SUBSCRIBER_RATE_BPS + "=" + MAX_SUBSCRIBER_RATE_BPS_DEFAULT,
      FPGA_CLOCK_HZ + ":Integer=" + FPGA_CLOCK_HZ_DEFAULT,
      FPGA_CLASSES + ":Boolean=" + FPGA_CLASSES_DEFAULT,
      FPGA_CUSTOMER_BURSTS + ":Boolean=" + FPGA_CUSTOMER_BURSTS_DEFAULT,
      FPGA_DOWN + "=" + FPGA_DOWN_DEFAULT,
      FPGA_UP + "=" + FPGA_UP_DEFAULT,
      SET_PORTS + ":Boolean=" + SET_PORTS_DEFAULT,
      BATCH_SIZE + ":Integer=" + BATCH_SIZE_DEFAULT,
      WINDOW + ":Integer=" + WINDOW_DEFAULT,
      AUDIT_INTERVAL + "=" + AUDIT_INTERVAL_DEFAULT,
      DELETION_LIMIT + ":Integer=" + DELETION_LIMIT_DEFAULT,
      STORE_TIMEOUT_MILLIS + ":Integer=" + STORE_TIMEOUT_MILLIS_DEFAULT,
      WEBHOOK_ALLOW + "=" + WEBHOOK_ALLOW_DEFAULT,
      REQUIRE_IF_MATCH + ":Boolean=" + REQUIRE_IF_MATCH_DEFAULT,
      ALLOWED_HOST + "=" + ALLOWED_HOST_DEFAULT,
      ALLOWED_ORIGIN + "=" + ALLOWED_ORIGIN_DEFAULT,
      CLOSED + "=" + CLOSED_DEFAULT,
      OTLP_TRACES + "=" + OTLP_TRACES_DEFAULT,
      TRACE_PERCENT + "=" + TRACE_PERCENT_DEFAULT,
      USAGE_INTERVAL + "=" + USAGE_INTERVAL_DEFAULT
    })
public class SluiceManager implements SluiceService {
  /** The application's name. */
  public static final String APP_NAME = "net.sluice";

  private static final Logger LOG = LoggerFactory.getLogger(SluiceManager.class);

  /** Where this instance keeps what it has measured while it led. */
  private static final String KARAF_DATA = "karaf.data";

  private static final String USAGE = "sluice-usage";

  /** From an attempt to read the configuration that the cluster's storage left unanswered. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /**
   * How often the configuration is read though nothing tells of a change: what happened while this
   * instance had no session with the cluster's storage is told by nobody.
   */
  private static final Duration NOW_AND_THEN = Duration.ofMinutes(1);

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
  private String device = DEVICE_ID_DEFAULT;

  /** Profile of the switch: what kind it is. */
  private String profile = PROFILE_DEFAULT;

  /** How the switch is cabled, as JSON. */
  private String topology = TOPOLOGY_DEFAULT;

  /** Highest subscriber rate that the marker resolves, in bit/s; nothing for the fastest port's. */
  private String maxSubscriberRateBps = MAX_SUBSCRIBER_RATE_BPS_DEFAULT;

  /** Clock of the shaping FPGAs, in Hz. */
  private int fpgaClockHz = FPGA_CLOCK_HZ_DEFAULT;

  /** Whether classes of a subscriber have priorities and shares in the FPGAs. */
  private boolean fpgaClasses = FPGA_CLASSES_DEFAULT;

  /** Whether each customer of the FPGAs has a bucket size of its own. */
  private boolean fpgaCustomerBursts = FPGA_CUSTOMER_BURSTS_DEFAULT;

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

  /**
   * Time from the end of a comparison of a target with what is declared to the next one, 10s to
   * 24h; 0 to compare on request only. Default: 15m
   */
  private String auditInterval = AUDIT_INTERVAL_DEFAULT;

  /**
   * Percentage of what a target holds that a comparison may delete by itself, 0 to 100; it may
   * always delete 100 entries. Default: 5
   */
  private int deletionLimit = DELETION_LIMIT_DEFAULT;

  /** Longest wait for an answer of the cluster's store, in milliseconds. */
  private int storeTimeoutMillis = STORE_TIMEOUT_MILLIS_DEFAULT;

  /**
   * Where webhooks may lead: HOST, ADDRESS or ADDRESS/LENGTH, perhaps with :PORT or :PORT-PORT,
   * separated by commas. Default: the loopback interface
   */
  private String webhookAllow = WEBHOOK_ALLOW_DEFAULT;

  /**
   * Refuse changes without a condition: a request without If-Match or If-None-Match is answered
   * 428, and so is a line of a bulk request without ifMatch or ifNoneMatch
   */
  private boolean requireIfMatch = REQUIRE_IF_MATCH_DEFAULT;

  /**
   * Names and addresses by which the API may be called, without port, separated by commas; those of
   * the loopback interface always may. Default: any, but no others if it listens on the loopback
   * interface
   */
  private String allowedHost = ALLOWED_HOST_DEFAULT;

  /**
   * Origins of web pages that may call the API, such as https://portal.example, separated by
   * commas. Default: none
   */
  private String allowedOrigin = ALLOWED_ORIGIN_DEFAULT;

  /**
   * Actions that no client may take: adopt, reconcile or switches (PUT, PATCH and DELETE of them),
   * separated by commas. Such a request is answered 403. Default: nothing
   */
  private String closed = CLOSED_DEFAULT;

  /**
   * Where traces of requests are sent by OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces.
   * Default: requests are not traced
   */
  private String otlpTraces = OTLP_TRACES_DEFAULT;

  /**
   * Percentage of requests that are traced if their callers do not say it (traceparent), 0 to 100.
   * Default: 100
   */
  private String tracePercent = TRACE_PERCENT_DEFAULT;

  /**
   * How often the counters of all subscribers are read for what is told and kept of their usage, in
   * whole minutes from 1m to 1h; 0 for never. Default: 1m
   */
  private String usageInterval = USAGE_INTERVAL_DEFAULT;

  private final ListenerRegistry<SluiceEvent, SluiceListener> listeners = new ListenerRegistry<>();
  private final Clock clock = Clock.systemUTC();
  private final KnownCommits known = new KnownCommits();
  private final Map<String, String> inForce = new LinkedHashMap<>(SluiceSettings.DEFAULTS);
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
  private final DeviceListener deviceListener = this::heard;
  private final AtomicBoolean lookIsDue = new AtomicBoolean();
  private ApplicationId applicationId;
  private Map<String, String> properties = Map.of();
  private Scheduler later;
  private volatile SluiceSettings settings;
  private volatile EdgeSettings edge = SluiceSettings.EDGE_DEFAULT;
  private volatile Map<String, String> refused = Map.of();
  private volatile Devices devices = new Devices(Map.of(), List.of());

  /** The values that this instance takes part with. */
  private volatile SluiceSettings application;

  private volatile ClusterMember member;
  private boolean isActive;
  private volatile boolean isSilent;

  /** The network that this instance led last; null before. */
  private volatile LeaderNetwork network;

  /**
   * The devices of ONOS when they were last looked at: whoever asks for the notes does not wait for
   * the cluster's storage.
   *
   * @param declared as {@link SwitchTargets#declared} has them
   * @param withOurPipeline as {@link SwitchTargets#withOurPipeline} has them
   */
  private record Devices(Map<DeviceId, JsonValue> declared, List<DeviceId> withOurPipeline) {}

  /** Takes part in the cluster. */
  @Activate
  public void activate(ComponentContext context) {
    applicationId = coreService.registerApplication(APP_NAME);
    configService.registerProperties(getClass());
    eventDispatcher.addSink(SluiceEvent.class, listeners);
    later = new ThreadScheduler("sluice-configuration");
    networkConfig.registerConfigFactory(configFactory);
    synchronized (this) {
      properties = context == null ? Map.of() : values(context.getProperties());
      take();
      if (settings == null) {
        settings = SluiceSettings.of(inForce);
      }
      isActive = true;
      join();
    }
    networkConfig.addListener(configListener);
    deviceService.addListener(deviceListener);
    later.execute(this::lookNowAndThen);
    LOG.info("started");
  }

  /** Leaves the cluster to the other instances. */
  @Deactivate
  public void deactivate() {
    deviceService.removeListener(deviceListener);
    networkConfig.removeListener(configListener);
    later.close();
    synchronized (this) {
      isActive = false;
      member.close();
    }
    networkConfig.unregisterConfigFactory(configFactory);
    eventDispatcher.removeSink(SluiceEvent.class);
    configService.unregisterProperties(getClass(), false);
    LOG.info("stopped");
  }

  /** Takes over those of the properties that are acceptable. */
  @Modified
  public synchronized void modified(ComponentContext context) {
    properties = values(context.getProperties());
    lookIfAnswered();
  }

  private void heard(NetworkConfigEvent event) {
    // Of devices whatever is said may be about how they are driven.
    if (event.configClass() == SluiceConfig.class || event.subject() instanceof DeviceId) {
      later();
    }
  }

  private void heard(DeviceEvent event) {
    // Counters of ports are told of every few seconds.
    if (event.port() == null) {
      later();
    }
  }

  /** Beginning anew takes longer than ONOS lets a listener take. */
  private void later() {
    if (lookIsDue.compareAndSet(false, true)) {
      later.execute(this::lookIfAnswered);
    }
  }

  private void lookNowAndThen() {
    lookIfAnswered();
    later.schedule(NOW_AND_THEN, this::lookNowAndThen);
  }

  private void lookIfAnswered() {
    lookIsDue.set(false);
    try {
      look();
      isSilent = false;
    } catch (ControllerException | StorageException e) {
      if (!isSilent) {
        LOG.warn("the configuration cannot be followed yet: {}", reason(e));
      }
      isSilent = true;
      later.schedule(AGAIN, this::later);
    }
  }

  private static String reason(RuntimeException failure) {
    return failure instanceof StorageException
        ? "the cluster's storage does not answer"
        : failure.getMessage();
  }

  /** Reads the configuration, and follows what has changed. */
  private synchronized void look() {
    if (!isActive) {
      return;
    }
    SluiceSettings before = settings;
    take();
    if (!settings.equals(before)) {
      LOG.info(
          "the configuration has changed: the controller is begun anew for {}, profile {}",
          SwitchSettings.ofApplication(settings).deviceText(),
          settings.own().profile().name());
      member.close();
      join();
    } else if (network != null) {
      follow(network);
    }
    switchTargets.forgetWithdrawn();
    devices = new Devices(switchTargets.declared(), switchTargets.withOurPipeline());
    tellNotes();
  }

  private void follow(LeaderNetwork leading) {
    try {
      leading.follow();
    } catch (ControllerException | StorageException e) {
      // Whoever has lost its store is told so, and begins anew by itself.
      throw e;
    } catch (RuntimeException e) {
      LOG.error("the switches cannot be those of the configuration: all is begun anew", e);
      member.close();
      join();
    }
  }

  private void join() {
    SluiceSettings now = settings;
    application = now;
    NodeId self = clusterService.getLocalNode().id();
    member =
        new ClusterMember(
            self,
            leadershipService,
            lost ->
                ClusterNetworkStore.open(
                    storageService, self.toString(), now.storeTimeout(), clock, known, lost),
            store -> open(now, (ClusterNetworkStore) store),
            // Who is told of something can ask about it at once.
            leading -> leading.listen(new Posting()),
            new ThreadScheduler("sluice-cluster"),
            clock);
    member.start();
  }

  private Leading open(SluiceSettings now, ClusterNetworkStore store) {
    Northbound.record(store);
    LeaderNetwork opened =
        new LeaderNetwork(
            store,
            now,
            () -> WantedSwitches.of(now, switchTargets.declared()),
            new ClusterTargets(
                clusterService.getLocalNode().id(),
                () -> member.leads(),
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
    later();
    Controller controller = opened.controller();
    try {
      Northbound northbound =
          new Northbound(
              controller,
              store,
              northbound(),
              (json, asked) -> InForce.writeOf(json, asked, controller),
              clock);
      return new Leading(
          controller,
          northbound,
          new Operations(
              store.documents("operations"),
              new Incidents("o" + Long.toString(clock.millis(), Character.MAX_RADIX)),
              clock),
          new ClusterRestoring(store, now),
          new DeclaredDevices(now, switchTargets, opened));
    } catch (RuntimeException e) {
      controller.close();
      throw e;
    }
  }

  /** Posts what a controller tells, from what came due before it was opened on. */
  private final class Posting implements ControllerListener {
    @Override
    public void on(ControllerEvent event) {
      eventDispatcher.post(new SluiceEvent(event, clock.millis()));
    }

    @Override
    public boolean keepsRecord() {
      return true;
    }
  }

  /** The cluster's storage has all of it in memory. */
  private Northbound.Settings northbound() {
    return new Northbound.Settings(
        16 << 20,
        384,
        16 << 20,
        new KeptAnswers.Bounds(256 << 10, 8 << 20, 16 << 20),
        new WebhookSettings(new AllowedWebhooks(), SluiceManager::tls, WebhookTiming.REAL),
        // ONOS has no say about users but the one who has logged in.
        CallerRoles.LASTING,
        new UsageSettings(
            Optional.ofNullable(System.getProperty(KARAF_DATA)).map(data -> Path.of(data, USAGE)),
            edge.usageEvery()));
  }

  /** The destinations that the settings in force allow. */
  private final class AllowedWebhooks implements Destinations {
    @Override
    public boolean allowsDeclared(String host, int port) {
      return edge.webhooks().allowsDeclared(host, port);
    }

    @Override
    public boolean allows(String host, InetSocketAddress at) {
      return edge.webhooks().allows(host, at);
    }

    @Override
    public String allowed() {
      return edge.webhooks().allowed();
    }
  }

  private static SSLContext tls() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Java has no TLS", e);
    }
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
    Map<String, String> wanted = new LinkedHashMap<>(SluiceSettings.DEFAULTS);
    wanted.putAll(properties);
    SluiceConfig config = networkConfig.getConfig(applicationId, SluiceConfig.class);
    if (config != null) {
      wanted.putAll(config.values());
    }
    if (tried(wanted).isEmpty()) {
      refused = Map.of();
      return;
    }
    Map<String, String> reasons = new TreeMap<>();
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
                String words = reason + "; " + inForce.get(name) + " stays in force";
                reasons.put(name, words);
                if (!words.equals(refused.get(name))) {
                  LOG.error("a property is refused: {}", words);
                }
              });
    }
    refused = Collections.unmodifiableMap(reasons);
  }

  private Map<String, String> inForceBut(String name, String value) {
    Map<String, String> values = new LinkedHashMap<>(inForce);
    values.put(name, value);
    return values;
  }

  /** Takes values over; why not, if they are not acceptable. */
  private Optional<String> tried(Map<String, String> values) {
    try {
      EdgeSettings newEdge = SluiceSettings.edge(values);
      settings = SluiceSettings.of(values);
      edge = newEdge;
      inForce.putAll(values);
      return Optional.empty();
    } catch (InvalidValueException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public Map<String, String> refusedConfiguration() {
    return refused;
  }

  @Override
  public List<String> notes() {
    Devices known = devices;
    WantedSwitches wanted = WantedSwitches.of(application, known.declared());
    List<String> notes = new ArrayList<>(wanted.refused().values());
    LeaderNetwork leading = network;
    if (leading != null) {
      notes.addAll(leading.refused());
    }
    known.withOurPipeline().stream()
        .filter(device -> !wanted.has(device))
        .filter(device -> leading == null || leading.drives(device).isEmpty())
        .map(
            device ->
                device
                    + " has Sluice's pipeline and is not driven: its network configuration has no "
                    + TOPOLOGY
                    + " for Sluice, and it is not "
                    + DEVICE_ID)
        .forEach(notes::add);
    return notes;
  }

  /** Has the log tell each note once, for as long as it stands. */
  private void tellNotes() {
    List<String> now = notes();
    noted.retainAll(now);
    now.stream().filter(noted::add).forEach(note -> LOG.warn("{}", note));
  }

  /** The settings in force. */
  SluiceSettings settings() {
    return settings;
  }

  // ---------------------------------------------------------------- service

  @Override
  public Controller controller() {
    return leading().controller();
  }

  @Override
  public Leading leading() {
    return (Leading) member.require();
  }

  @Override
  public EdgeSettings edge() {
    return edge;
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
