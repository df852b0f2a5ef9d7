package net.sluice.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import net.sluice.core.ControllerEvent;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Policy;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.ReservedPrefixes;
import net.sluice.onos.cluster.ClusterMember.Role;
import net.sluice.onos.testing.TestCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.onosproject.cluster.ClusterServiceAdapter;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.core.CoreServiceAdapter;
import org.onosproject.event.Event;
import org.onosproject.event.EventDeliveryServiceAdapter;
import org.onosproject.event.EventSink;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.osgi.service.component.ComponentContext;

/** The component against ONOS's test adapters: configuration, events, the cluster. */
@Timeout(300)
class SluiceManagerTest {
  private final TestCluster cluster = new TestCluster();
  private final TestCluster.Node node = cluster.node("127.0.0.1");
  private final BlockingQueue<SluiceEvent> events = new LinkedBlockingQueue<>();
  private final SluiceManager manager = new SluiceManager();
  private final List<String> sinks = new ArrayList<>();

  SluiceManagerTest() {
    manager.coreService = new CoreServiceAdapter();
    manager.configService = new ComponentConfigAdapter();
    manager.storageService = node.storage;
    manager.leadershipService = node.leadership;
    manager.mastershipService = new MastershipServiceAdapter();
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
    assertThat(sinks).containsExactly("+SluiceEvent", "-SluiceEvent");
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
        .contains("no switch is configured; set deviceId of net.sluice.onos.SluiceManager");
    assertThat(manager.standing().role()).isEqualTo(Role.LEADER);
    Change change = new Change.Put(new Policy("gold", BuiltInFunction.GOLD));
    assertThat(manager.controller().apply(change).isAccepted()).isTrue();
    assertThat(next(SluiceEvent.Type.CHANGE_ACCEPTED).subject())
        .isEqualTo(new ControllerEvent.ChangeAccepted(change));
  }

  @Test
  void whatIsRefusedIsNamedAndTheOldValueStays() throws Exception {
    manager.activate(context("restPort", "8282", "window", "0", "fpgaDown", "fpga:9"));
    assertThat(manager.restPort()).isEqualTo(8282);
    assertThat(manager.refusedConfiguration())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "window",
                "window is 0; allowed: a whole number, 1 to 64; 8 stays in force",
                "fpgaDown",
                "fpgaDown is present; allowed: absent, because the topology has no sidecar for"
                    + " that direction;  stays in force"));
    next(SluiceEvent.Type.SESSION_CHANGED);
    manager.modified(context("restPort", "70000", "window", "4"));
    assertThat(manager.restPort()).isEqualTo(8282);
    assertThat(manager.refusedConfiguration())
        .containsExactly(
            Map.entry(
                "restPort",
                "restPort is 70000; allowed: a whole number, 1 to 65535; 8282 stays in force"));
    // The change of the window began everything anew, over what is stored.
    next(SluiceEvent.Type.SESSION_CHANGED);
    manager.modified(context("restPort", "8181", "window", "4"));
    assertThat(manager.refusedConfiguration()).isEmpty();
    assertThat(manager.restPort()).isEqualTo(8181);
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
    assertThat(settings.fpgaDown()).isPresent();
    assertThat(settings.config().topology().sidecarDown()).hasValue(3);
    assertThatThrownBy(() -> SluiceSettings.of(Map.of("topology", topology.replace('\'', '"'))))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(
            "fpgaDown is absent; allowed: host:port, because the topology has a sidecar for that"
                + " direction");
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
    assertThat(
            SluiceSettings.of(Map.of("topology", topology.replace('\'', '"'))).topology().routes())
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
          {"deviceId", "leaf one"},
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
          {"auditSeconds", "9"},
          {"storeTimeoutMillis", "99"},
          {"restPort", ""},
        }) {
      assertThatThrownBy(() -> SluiceSettings.of(Map.of(each[0], each[1])))
          .as(Arrays.toString(each))
          .isInstanceOf(InvalidValueException.class)
          .satisfies(e -> refusals.add(e.getMessage()));
    }
    assertThat(refusals)
        .allMatch(words -> words.contains("; allowed: "))
        .anyMatch(words -> words.startsWith("profile is tofino9; allowed: a switch: emulator"))
        .anyMatch(words -> words.startsWith("fpgaUp is host:99999; allowed: host:port with a port"))
        .anyMatch(words -> words.startsWith("topology is not acceptable at ports"));
    manager.activate(null);
  }

  @Test
  void theControllerIsToldHowOftenToCompare() {
    assertThat(SluiceSettings.of(Map.of()).config().auditInterval())
        .contains(Duration.ofMinutes(15));
    assertThat(SluiceSettings.of(Map.of("auditSeconds", "60")).config().auditInterval())
        .contains(Duration.ofSeconds(60));
    assertThat(SluiceSettings.of(Map.of("auditSeconds", "0")).config().auditInterval()).isEmpty();
    manager.activate(null);
  }
}
