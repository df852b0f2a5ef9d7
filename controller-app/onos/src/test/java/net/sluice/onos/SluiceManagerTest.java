package net.sluice.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerException;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.StoreBackup;
import net.sluice.core.SwitchStatus;
import net.sluice.core.ports.GnmiConnection;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.UnreachableTarget;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.validate.ReservedPrefixes;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.northbound.json.JsonContent;
import net.sluice.onos.cluster.ClusterMember.Role;
import net.sluice.onos.testing.TestCluster;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.rest.host.Restoring;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.switches.SwitchDocument;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.onosproject.cluster.ClusterServiceAdapter;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.core.CoreServiceAdapter;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.event.Event;
import org.onosproject.event.EventDeliveryServiceAdapter;
import org.onosproject.event.EventSink;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.InvalidFieldException;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigRegistryAdapter;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.store.service.StorageException;
import org.osgi.service.component.ComponentContext;

/** The component against ONOS's test adapters: configuration, events, the cluster. */
class SluiceManagerTest {
  private final TestCluster cluster = new TestCluster();
  private final TestCluster.Node node = cluster.node("127.0.0.1");
  private final BlockingQueue<SluiceEvent> events = new LinkedBlockingQueue<>();
  private final SluiceManager manager = new SluiceManager();
  private final List<String> sinks = new ArrayList<>();
  private volatile Map<DeviceId, JsonValue> declared = Map.of();
  private volatile List<DeviceId> withOurPipeline = List.of();
  private volatile Hold hold = new Hold();
  private NetworkConfigListener configListener;
  private volatile SluiceConfig netcfg;
  private volatile Runnable netcfgReads = () -> {};

  /** Keeps who asks the cluster's storage from an answer while it is closed. */
  private static final class Hold {
    private boolean closed;
    private int waiting;

    synchronized void close() {
      closed = true;
    }

    synchronized void open() {
      closed = false;
      notifyAll();
    }

    synchronized boolean holds() {
      return waiting > 0;
    }

    synchronized void await() {
      waiting++;
      try {
        while (closed) {
          wait();
        }
      } catch (InterruptedException e) {
        throw new StorageException.Interrupted();
      } finally {
        waiting--;
      }
    }
  }

  SluiceManagerTest() {
    manager.coreService = new CoreServiceAdapter();
    manager.configService = new ComponentConfigAdapter();
    manager.storageService = node.storage;
    manager.leadershipService = node.leadership;
    manager.mastershipService = new MastershipServiceAdapter();
    manager.deviceService = mock(DeviceService.class);
    manager.switchTargets = new Devices();
    manager.networkConfig =
        new NetworkConfigRegistryAdapter() {
          @Override
          public void registerConfigFactory(ConfigFactory factory) {
            sinks.add("+" + factory.subjectFactory().subjectClassKey() + "/" + factory.configKey());
          }

          @Override
          public void unregisterConfigFactory(ConfigFactory factory) {
            sinks.add("-" + factory.subjectFactory().subjectClassKey() + "/" + factory.configKey());
          }

          @Override
          public void addListener(NetworkConfigListener added) {
            configListener = added;
          }

          @Override
          @SuppressWarnings("unchecked")
          public <S, C extends Config<S>> C getConfig(S subject, Class<C> type) {
            netcfgReads.run();
            return type == SluiceConfig.class ? (C) netcfg : null;
          }
        };
    manager.clusterService =
        new ClusterServiceAdapter() {
          @Override
          public ControllerNode getLocalNode() {
            return new DefaultControllerNode(node.id, "127.0.0.1");
          }
        };
    manager.eventDispatcher =
        new EventDeliveryServiceAdapter() {
          private EventSink<SluiceEvent> sink;

          @Override
          @SuppressWarnings("unchecked")
          public <E extends Event> void addSink(Class<E> type, EventSink<E> added) {
            sinks.add("+" + type.getSimpleName());
            sink = (EventSink<SluiceEvent>) added;
          }

          @Override
          public <E extends Event> void removeSink(Class<E> type) {
            sinks.add("-" + type.getSimpleName());
          }

          @Override
          public void post(Event event) {
            sink.process((SluiceEvent) event);
          }
        };
    manager.addListener(events::add);
  }

  @AfterEach
  void stop() {
    manager.deactivate();
    assertThat(sinks)
        .containsExactly("+SluiceEvent", "+apps/sluice", "-apps/sluice", "-SluiceEvent");
  }

  /** The devices of ONOS; no mock, because the component asks from threads of its own. */
  private final class Devices implements SwitchTargets {
    @Override
    public SwitchConnection open(
        String name, DeviceId device, SwitchTargetProfile profile, long epoch) {
      return new SwitchConnection(
          new UnreachableTarget<>(name, "not in this test"),
          CounterSource.none("no counters"),
          Optional.empty());
    }

    @Override
    public GnmiConnection.Access gnmi(
        DeviceId device, SwitchTargetProfile profile, Supplier<Optional<String>> obstacle) {
      return () -> {
        throw new NotReadyException("no gNMI in this test");
      };
    }

    @Override
    public Optional<String> absence(DeviceId device) {
      return Optional.of("not there");
    }

    @Override
    public Map<DeviceId, JsonValue> declared() {
      hold.await();
      return declared;
    }

    @Override
    public void declare(DeviceId device, JsonValue declared, SwitchDocument read) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void withdraw(DeviceId device) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void forgetWithdrawn() {}

    @Override
    public List<DeviceId> withOurPipeline() {
      return withOurPipeline;
    }
  }

  private static ComponentContext context(String... pairs) {
    Dictionary<String, Object> properties = new Hashtable<>();
    for (int i = 0; i < pairs.length; i += 2) {
      properties.put(pairs[i], pairs[i + 1]);
    }
    return (ComponentContext)
        Proxy.newProxyInstance(
            SluiceManagerTest.class.getClassLoader(),
            new Class<?>[] {ComponentContext.class},
            (proxy, method, arguments) -> properties);
  }

  private SluiceEvent next(SluiceEvent.Type type) throws InterruptedException {
    SluiceEvent event = events.poll(60, TimeUnit.SECONDS);
    while (event != null && event.type() != type) {
      event = events.poll(60, TimeUnit.SECONDS);
    }
    assertThat(event).as("an event of type %s", type).isNotNull();
    return event;
  }

  @Test
  void theLeaderServesAndTellsWhatHappens() throws Exception {
    manager.activate(context());
    ControllerEvent.SessionChanged session =
        (ControllerEvent.SessionChanged) next(SluiceEvent.Type.SESSION_CHANGED).subject();
    assertThat(session.state()).isEqualTo(SessionState.CONNECTING);
    assertThat(session.detail())
        .contains(
            "no switch is configured; set device of net.sluice.onos.SluiceManager or in the"
                + " network configuration");
    assertThat(manager.standing().role()).isEqualTo(Role.LEADER);
    Change change = new Change.Put(new Policy("gold", BuiltInFunction.GOLD));
    assertThat(manager.controller().apply(change).isAccepted()).isTrue();
    assertThat(next(SluiceEvent.Type.CHANGE_ACCEPTED).subject())
        .isEqualTo(new ControllerEvent.ChangeAccepted(change));
  }

  private static JsonContent who() {
    return json -> json.writeStringField("who", "ann");
  }

  private byte[] backUp() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StoreBackup backup = manager.controller().backUp()) {
      backup.writeTo(out);
    }
    return out.toByteArray();
  }

  private boolean isDeclared(String policy) {
    try {
      return manager.controller().find(Kind.POLICY, policy).isPresent();
    } catch (ControllerException e) {
      return false;
    }
  }

  private void declare(String policy) {
    Change change = new Change.Put(new Policy(policy, BuiltInFunction.GOLD));
    assertThat(manager.controller().apply(change).isAccepted()).isTrue();
  }

  @Test
  void aBackupTakesThePlaceOfWhatIsDeclaredAndTheAuditLogSaysWhoWantedIt() throws Exception {
    manager.activate(context());
    next(SluiceEvent.Type.SESSION_CHANGED);
    declare("gold");
    byte[] backup = backUp();
    declare("silver");
    Restoring restoring = manager.leading().restoring();
    assertThatThrownBy(() -> restoring.restore(new ByteArrayInputStream(backup), false, who()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("There are declarations; with replace=true those of the backup take");
    assertThatThrownBy(() -> restoring.restore(new ByteArrayInputStream(new byte[9]), true, who()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("the backup is no backup of a store.");
    assertThat(isDeclared("silver")).isTrue();
    Controller before = manager.controller();
    Restoring.Restored restored = restoring.restore(new ByteArrayInputStream(backup), true, who());
    assertThat(restored.revisions()).containsOnlyKeys(NetworkSwitch.ONLY);
    assertThat(restored.notes()).isEmpty();
    assertThatThrownBy(() -> before.apply(new Change.Put(new Policy("x", BuiltInFunction.GOLD))))
        .isInstanceOf(ControllerException.class);
    await(() -> isDeclared("gold"));
    assertThat(isDeclared("silver")).isFalse();
    ByteArrayOutputStream audit = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonContent.generator(audit)) {
      manager.leading().northbound().audit().write(json, 0, 100);
    }
    assertThat(audit.toString(StandardCharsets.UTF_8))
        .contains("\"who\":\"ann\"}")
        .contains("\"outcome\":\"made\",\"status\":200")
        .doesNotContain("interrupted");
    assertThat(cluster.content("sluice-log")).isEmpty();
    assertThat(cluster.content("sluice-intents")).isEmpty();
  }

  @Test
  void whatIsRefusedIsNamedAndTheOldValueStays() throws Exception {
    manager.activate(context("auditInterval", "8282s", "window", "0", "fpgaDown", "fpga:9"));
    assertThat(auditSeconds()).isEqualTo(8282);
    assertThat(manager.refusedConfiguration())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "window",
                "window is 0; allowed: 1 to 64; 8 stays in force",
                "fpgaDown",
                "fpgaDown is fpga:9; allowed: absent, because the topology has no sidecar of"
                    + " direction down;  stays in force"));
    next(SluiceEvent.Type.SESSION_CHANGED);
    manager.modified(context("auditInterval", "9s", "window", "4"));
    assertThat(auditSeconds()).isEqualTo(8282);
    assertThat(manager.refusedConfiguration())
        .containsExactly(
            Map.entry(
                "auditInterval",
                "auditInterval is 9s; allowed: a time from 10s to 24h, written like 90s, 15m or 2h; or"
                    + " 0 for none; 8282s stays in force"));
    // The change of the window began everything anew, over what is stored.
    next(SluiceEvent.Type.SESSION_CHANGED);
    manager.modified(context("auditInterval", "8181s", "window", "4"));
    assertThat(manager.refusedConfiguration()).isEmpty();
    assertThat(auditSeconds()).isEqualTo(8181);
  }

  @Test
  void settingsOfRequestsCountAtOnceAndBeginNothingAnew() throws Exception {
    manager.activate(context("webhookAllow", "oss.example:443"));
    next(SluiceEvent.Type.SESSION_CHANGED);
    Leading before = manager.leading();
    assertThat(manager.edge().webhooks().allowsDeclared("oss.example", 443)).isTrue();
    manager.modified(context("webhookAllow", "192.0.2.7", "requireIfMatch", "true"));
    assertThat(manager.edge().needsConditions()).isTrue();
    assertThat(manager.edge().webhooks().allowsDeclared("192.0.2.7", 80)).isTrue();
    manager.modified(context("webhookAllow", "http://oss", "requireIfMatch", "true"));
    assertThat(manager.edge().webhooks().allowsDeclared("192.0.2.7", 80)).isTrue();
    assertThat(manager.refusedConfiguration().get("webhookAllow"))
        .startsWith("webhookAllow is http://oss; allowed: HOST, ADDRESS or ADDRESS/LENGTH");
    assertThat(manager.leading()).isSameAs(before);
  }

  private static Optional<Duration> audit(SluiceSettings settings) {
    return settings.config(settings.own()).comparing().auditInterval();
  }

  private static ControllerConfig configured(Map<String, String> values) {
    SluiceSettings settings = SluiceSettings.of(values);
    return settings.config(settings.own());
  }

  private long auditSeconds() {
    return audit(manager.settings()).orElseThrow().toSeconds();
  }

  private static SluiceConfig netcfg(String json) throws Exception {
    SluiceConfig config = new SluiceConfig();
    ObjectMapper mapper = new ObjectMapper();
    config.init(
        new DefaultApplicationId(1, SluiceManager.APP_NAME),
        SluiceConfig.KEY,
        mapper.readTree(json.replace('\'', '"')),
        mapper,
        null);
    return config;
  }

  /** Tells what ONOS tells when the network configuration is changed, and waits for its effect. */
  private void configure(SluiceConfig config, long auditSeconds) {
    netcfg = config;
    configListener.event(
        new NetworkConfigEvent(
            NetworkConfigEvent.Type.CONFIG_UPDATED, "net.sluice", SluiceConfig.class));
    await(() -> auditSeconds() == auditSeconds);
  }

  private static void await(Callable<Boolean> condition) {
    Patience.await("the manager", condition);
  }

  @Test
  void theNetworkConfigurationPrecedesTheProperties() throws Exception {
    netcfg = netcfg("{'auditInterval':'8383s','window':4}");
    manager.activate(context("auditInterval", "8282s", "batchSize", "60"));
    assertThat(auditSeconds()).isEqualTo(8383);
    next(SluiceEvent.Type.SESSION_CHANGED);
    configure(netcfg("{'auditInterval':'8484s','fpgaUp':'fpga:9'}"), 8484);
    // It is acceptable by itself, but not without a sidecar in the topology.
    await(() -> manager.refusedConfiguration().keySet().equals(Set.of("fpgaUp")));
    configure(null, 8282);
    await(() -> manager.refusedConfiguration().isEmpty());
  }

  @Test
  void theNetworkConfigurationIsCheckedFieldByField() throws Exception {
    String topology =
        "{'ports':[{'number':1,'role':'access','rateBps':1000000000,"
            + "'destinationMac':'02:00:00:01:00:01'},"
            + "{'number':2,'role':'core','rateBps':1000000000,"
            + "'destinationMac':'02:00:00:01:00:02'}],"
            + "'bngPorts':{'0':1},'routes':[{'prefix':'0.0.0.0/0','port':2}]}";
    SluiceConfig sound =
        netcfg("{'device':'device:leaf1','setPorts':true,'topology':" + topology + "}");
    assertThat(sound.isValid()).isTrue();
    assertThat(SluiceSettings.of(sound.values()).own().topology().ports()).hasSize(2);
    for (String[] each :
        new String[][] {
          {"{'windo':4}", "windo"},
          {"{'window':0}", "window is 0; allowed: 1 to 64"},
          {"{'setPorts':'yes'}", "setPorts is \"yes\"; allowed: true or false"},
          {
            "{'topology':{'ports':[]}}",
            "topology.ports is []; allowed: an array of at least one port"
          },
          {"{'device':null}", "it is null"},
        }) {
      SluiceConfig unsound = netcfg(each[0]);
      assertThatThrownBy(unsound::isValid)
          .as(each[0])
          .isInstanceOf(InvalidFieldException.class)
          .hasMessageContaining(each[1]);
    }
    manager.activate(null);
  }

  @Test
  void aDeviceThatHasThePipelineAndNoControllerIsNamed() throws Exception {
    DeviceId leaf1 = DeviceId.deviceId("device:leaf1");
    DeviceId leaf2 = DeviceId.deviceId("device:leaf2");
    withOurPipeline = List.of(leaf1, leaf2);
    manager.activate(context());
    String hint =
        " has Sluice's pipeline and is not driven: its network configuration has no topology for"
            + " Sluice, and it is not device";
    await(() -> manager.notes().equals(List.of("device:leaf1" + hint, "device:leaf2" + hint)));
    next(SluiceEvent.Type.SESSION_CHANGED);
  }

  /** Who asks for the status is told at once, with what is known. */
  @Test
  void noCallOfAStatusWaitsForTheStorage() throws Exception {
    DeviceId leaf1 = DeviceId.deviceId("device:leaf1");
    withOurPipeline = List.of(leaf1);
    manager.activate(context("window", "0"));
    await(() -> !manager.notes().isEmpty());
    next(SluiceEvent.Type.SESSION_CHANGED);
    List<String> notes = manager.notes();
    hold.close();
    try {
      configListener.event(
          new NetworkConfigEvent(NetworkConfigEvent.Type.CONFIG_UPDATED, leaf1, Config.class));
      await(hold::holds);
      assertThat(manager.notes()).isEqualTo(notes);
      assertThat(manager.refusedConfiguration()).containsOnlyKeys("window");
      assertThat(manager.standing().role()).isEqualTo(Role.LEADER);
      assertThat(manager.controller().summary().targets()).hasSize(1);
      assertThat(manager.ports(leaf1)).isEmpty();
    } finally {
      hold.open();
    }
  }

  @Test
  void whatTheSilentStorageLeftUnansweredIsReadAgain() throws Exception {
    manager.activate(context());
    next(SluiceEvent.Type.SESSION_CHANGED);
    AtomicInteger asked = new AtomicInteger();
    netcfgReads =
        () -> {
          if (asked.incrementAndGet() == 1) {
            throw new StorageException.Timeout();
          }
        };
    configure(netcfg("{'auditInterval':'8484s'}"), 8484);
    assertThat(asked).hasValueGreaterThan(1);
  }

  @Test
  void devicesOfTheNetworkConfigurationAreDrivenFromWhenItNamesThem() throws Exception {
    DeviceId leaf1 = DeviceId.deviceId("device:leaf1");
    DeviceId leaf2 = DeviceId.deviceId("device:leaf2");
    String topology =
        ("{'ports':[{'number':1,'role':'access','rateBps':1000000000,"
                + "'destinationMac':'02:00:00:01:00:01'},"
                + "{'number':2,'role':'core','rateBps':1000000000,"
                + "'destinationMac':'02:00:00:01:00:02'}],"
                + "'bngPorts':{'0':1},'routes':[{'prefix':'0.0.0.0/0','port':2}]}")
            .replace('\'', '"');
    manager.activate(context());
    next(SluiceEvent.Type.SESSION_CHANGED);
    Controller before = manager.controller();
    declared =
        Map.of(
            leaf1,
            SluiceSettings.tree(Map.of("topology", topology)),
            leaf2,
            SluiceSettings.tree(Map.of("topology", topology, "fpgaUp", "fpga:9")));
    configListener.event(
        new NetworkConfigEvent(NetworkConfigEvent.Type.CONFIG_ADDED, leaf1, SluiceConfig.class));
    await(() -> names().equals(List.of("leaf1")));
    assertThat(manager.controller()).as("nothing is begun anew").isSameAs(before);
    List<String> notes =
        List.of(
            "device:leaf2 is not driven as configured: fpgaUp is fpga:9; allowed: absent, because"
                + " the topology has no sidecar of direction up.");
    await(() -> manager.notes().equals(notes));
    assertThat(manager.ports(leaf1)).hasSize(2);
    assertThat(manager.ports(leaf2)).isEmpty();

    // Also when the application is configured otherwise, which begins all anew.
    manager.modified(context("window", "4"));
    await(() -> manager.standing().role() == Role.LEADER);
    assertThat(manager.controller()).isNotSameAs(before);
    assertThat(names()).containsExactly("leaf1");
  }

  private List<String> names() {
    return manager.controller().switches().stream().map(SwitchStatus::name).toList();
  }

  @Test
  void theLogNamesSuchADeviceOnce() {
    PrintStream err = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      manager.activate(context());
      ArgumentCaptor<DeviceListener> devices = ArgumentCaptor.forClass(DeviceListener.class);
      verify(manager.deviceService).addListener(devices.capture());
      for (String last : List.of("device:a", "device:b", "device:c")) {
        List<DeviceId> all =
            Stream.of("device:a", "device:b", "device:c")
                .filter(name -> name.compareTo(last) <= 0)
                .map(DeviceId::deviceId)
                .toList();
        withOurPipeline = all;
        devices
            .getValue()
            .event(new DeviceEvent(DeviceEvent.Type.DEVICE_ADDED, mock(Device.class)));
        String told = last + " has Sluice's pipeline";
        await(() -> log.toString(StandardCharsets.UTF_8).contains(told));
      }
      assertThat(log.toString(StandardCharsets.UTF_8).lines())
          .filteredOn(line -> line.contains("device:a has Sluice's pipeline"))
          .hasSize(1)
          .allMatch(line -> line.contains("WARN"));
    } finally {
      System.setErr(err);
    }
  }

  /** As under serve, with the same profile. */
  @Test
  void whatASwitchCanDoIsItsProfiles() {
    String topology =
        "{'ports':[{'number':1,'role':'access','rateBps':1000000000,"
            + "'destinationMac':'02:00:00:01:00:01'},"
            + "{'number':2,'role':'core','rateBps':1000000000,"
            + "'destinationMac':'02:00:00:01:00:02'}],'bngPorts':{'0':1},'mirrorPort':3,"
            + "'loopPorts':[61,62,63,64],'routes':[{'prefix':'0.0.0.0/0','port':2}]}";
    Map<String, String> values =
        Map.of(
            "profile", "emulator-aggregate",
            "topology", topology.replace('\'', '"'),
            "fpgaCustomerBursts", "true",
            "fpgaClasses", "true");
    ControllerConfig config = configured(values);
    SwitchProfile program = V1ModelPipeline.withAggregates().profile();
    assertThat(config.switchProfile().meters()).isEqualTo(program.meters());
    assertThat(config.switchProfile().shaping().subscribers())
        .isEqualTo(program.shaping().subscribers());
    assertThat(config.switchProfile().aggregates()).isEqualTo(program.aggregates());
    assertThat(config.topology().mirrorPort()).hasValue(3);
    assertThat(config.topology().loopPorts()).hasSize(4);
    assertThat(config.fpgaProfile())
        .isEqualTo(
            FpgaProfile.withClock(156_250_000).withCustomerBursts(true).withClassShares(true));
    manager.activate(null);
  }

  @Test
  void codelOfAllQueuesOfAnFpgaIsRefusedWithWhatTookItsPlace() {
    assertThatThrownBy(
            () ->
                SluiceSettings.of(
                    Map.of("fpgaCodel", "{\"targetMicros\":5000,\"intervalMicros\":100000}")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(
            "fpgaCodel is given; allowed: absent: aqm of a limit, or limitAqm of its policy, says"
                + " how its delay is kept low");
    manager.activate(null);
  }

  @Test
  void valuesThatOnlyFitTogetherAreTakenTogether() {
    String topology =
        "{'ports':[{'number':1,'role':'access','rateBps':1000000000,"
            + "'destinationMac':'02:00:00:01:00:01'},"
            + "{'number':2,'role':'core','rateBps':1000000000,"
            + "'destinationMac':'02:00:00:01:00:02'},"
            + "{'number':3,'role':'sidecar','direction':'down','rateBps':1000000000}],"
            + "'bngPorts':{'0':1},'routes':[{'prefix':'0.0.0.0/0','port':2}]}";
    SluiceSettings settings =
        SluiceSettings.of(
            Map.of("topology", topology.replace('\'', '"'), "fpgaDown", "[::1]:9555"));
    assertThat(settings.own().fpgaDown()).isPresent();
    assertThat(settings.own().topology().sidecarDown()).hasValue(3);
    assertThatThrownBy(() -> SluiceSettings.of(Map.of("topology", topology.replace('\'', '"'))))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(
            "fpgaDown is absent; allowed: where the FPGA's registers are, because the topology has a"
                + " sidecar of direction down");
    manager.activate(null);
  }

  /**
   * Through ONOS no prefix of one bit can be said, and nothing that is accepted is refused later.
   */
  @Test
  void prefixesOfOneBitAreSaidInHalvesOrRefusedAtOnce() {
    String topology =
        "{'ports':[{'number':1,'role':'access','rateBps':1000000000,"
            + "'destinationMac':'02:00:00:01:00:01'},"
            + "{'number':2,'role':'core','rateBps':1000000000,"
            + "'destinationMac':'02:00:00:01:00:02'}],'bngPorts':{'0':1},'routes':["
            + "{'prefix':'0.0.0.0/0','port':2},{'prefix':'128.0.0.0/1','port':1},"
            + "{'prefix':'192.0.0.0/2','port':2},{'prefix':'::/1','port':1}]}";
    assertThat(configured(Map.of("topology", topology.replace('\'', '"'))).topology().routes())
        .extracting(route -> route.prefix() + " " + route.port())
        .containsExactly("0.0.0.0/0 2", "128.0.0.0/2 1", "192.0.0.0/2 2", "::/2 1", "4000::/2 1");
    // Each of these has addresses that are no subscriber's.
    for (String prefix : List.of("0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1", "0.0.0.0/0")) {
      assertThat(ReservedPrefixes.reason(IpPrefix.parse(prefix))).as(prefix).isPresent();
    }
    manager.activate(null);
  }

  @Test
  void everyPropertyIsCheckedByItself() {
    List<String> refusals = new ArrayList<>();
    for (String[] each :
        new String[][] {
          {"device", "leaf one"},
          {"profile", "tofino9"},
          {"profile", "alveo-u200"},
          {"topology", "{}"},
          {"topology", "no json"},
          {"maxSubscriberRateBps", "999999"},
          {"fpgaClockHz", "fast"},
          {"fpgaUp", "host"},
          {"fpgaUp", "host:99999"},
          {"setPorts", "yes"},
          {"batchSize", "0"},
          {"window", "65"},
          {"auditInterval", "9s"},
          {"storeTimeoutMillis", "99"},
        }) {
      assertThatThrownBy(() -> SluiceSettings.of(Map.of(each[0], each[1])))
          .as(Arrays.toString(each))
          .isInstanceOf(InvalidValueException.class)
          .satisfies(e -> refusals.add(e.getMessage()));
    }
    assertThat(refusals)
        .allMatch(words -> words.contains("; allowed: "))
        .anyMatch(words -> words.startsWith("profile is tofino9; allowed: a switch: emulator"))
        .anyMatch(words -> words.startsWith("fpgaUp is host:99999; allowed: HOST:PORT with a port"))
        .anyMatch(words -> words.startsWith("topology.ports is absent; allowed: an array"));
    manager.activate(null);
  }

  @Test
  void theControllerIsToldHowOftenToCompare() {
    assertThat(audit(SluiceSettings.of(Map.of()))).contains(Duration.ofMinutes(15));
    assertThat(audit(SluiceSettings.of(Map.of("auditInterval", "60s"))))
        .contains(Duration.ofSeconds(60));
    assertThat(audit(SluiceSettings.of(Map.of("auditInterval", "0")))).isEmpty();
    manager.activate(null);
  }
}
