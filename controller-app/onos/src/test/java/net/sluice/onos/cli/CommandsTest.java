package net.sluice.onos.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.Outcome;
import net.sluice.core.PortSummary;
import net.sluice.core.SwitchStatus;
import net.sluice.core.TargetState;
import net.sluice.core.traffic.PortStatus;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.onos.Leading;
import net.sluice.onos.Services;
import net.sluice.onos.SluiceListener;
import net.sluice.onos.SluiceService;
import net.sluice.onos.SluiceSettings;
import net.sluice.onos.cluster.ClusterMember.Role;
import net.sluice.onos.cluster.ClusterMember.Standing;
import net.sluice.rest.settings.EdgeSettings;
import net.sluice.rest.testing.MemoryController;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.support.CommandException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.osgi.ServiceDirectory;
import org.onosproject.cli.AbstractChoicesCompleter;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.DeviceId;

/** What the commands print. */
class CommandsTest {
  private final MemoryController controller = new MemoryController(10);
  private Controller served = controller;
  private boolean leads = true;

  private final SluiceService service =
      new SluiceService() {
        @Override
        public Controller controller() {
          if (!leads) {
            throw new ControllerException("instance 10.0.0.2 of the cluster leads; ask it");
          }
          return served;
        }

        @Override
        public Leading leading() {
          throw new ControllerException("the shell needs no more than the controller");
        }

        @Override
        public EdgeSettings edge() {
          return SluiceSettings.EDGE_DEFAULT;
        }

        @Override
        public Standing standing() {
          return new Standing(
              leads ? Role.LEADER : Role.FOLLOWER,
              Optional.of(NodeId.nodeId("10.0.0.2")),
              Instant.EPOCH,
              Optional.empty(),
              Optional.empty());
        }

        @Override
        public List<PortStatus> ports(DeviceId device) {
          return List.of();
        }

        @Override
        public List<String> notes() {
          return List.of("device:b has Sluice's pipeline and is not managed");
        }

        @Override
        public Map<String, String> refusedConfiguration() {
          return Map.of("window", "window is 0; allowed: 1 to 64; 8 stays in force");
        }

        @Override
        public void addListener(SluiceListener listener) {}

        @Override
        public void removeListener(SluiceListener listener) {}
      };

  @BeforeEach
  void declare() {
    Services.setDirectory(
        new ServiceDirectory() {
          @Override
          public <T> T get(Class<T> type) {
            return type.cast(service);
          }
        });
    assertThat(
            controller.apply(new Change.Put(new Policy("gold", BuiltInFunction.GOLD))).isAccepted())
        .isTrue();
    Subscriber alice =
        new Subscriber(
            "alice",
            "gold",
            List.of(IpPrefix.parse("10.0.0.1/32")),
            Optional.empty(),
            new Attachment(0, 3));
    assertThat(controller.apply(new Change.Put(alice)).isAccepted()).isTrue();
  }

  private static String run(SluiceCommand command, Object... fields) throws Exception {
    for (int i = 0; i < fields.length; i += 2) {
      set(command, (String) fields[i], fields[i + 1]);
    }
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (PrintStream to = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(to);
      System.setErr(to);
      command.doExecute();
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  /** What a command that fails says, which a script is told with a status other than 0. */
  private static String refusal(SluiceCommand command, Object... fields) {
    Throwable thrown = catchThrowable(() -> run(command, fields));
    assertThat(thrown).isInstanceOf(CommandException.class);
    assertThat(((CommandException) thrown).getNiceHelp())
        .contains("Error executing command: " + thrown.getMessage());
    return thrown.getMessage();
  }

  private static void set(Object target, String name, Object value) throws Exception {
    Class<?> type = target.getClass();
    while (true) {
      try {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        field.set(target, value);
        return;
      } catch (NoSuchFieldException e) {
        type = type.getSuperclass();
      }
    }
  }

  @Test
  void statusSaysWhoLeadsAndHowFarItIs() throws Exception {
    assertThat(run(new StatusCommand()))
        .contains("role=LEADER, leader=10.0.0.2, since=1970-01-01T00:00:00Z")
        .contains("configuration refused: window is 0; allowed: 1 to 64; 8 stays in force")
        .contains("note: device:b has Sluice's pipeline and is not managed")
        .contains("target=switch, session=")
        .contains("resource=subscribers, used=1, size=10");
    assertThat(run(new StatusCommand(), "json", true))
        .startsWith("{")
        .contains("\"targets\"")
        .contains("\"notes\":[\"device:b has Sluice's pipeline and is not managed\"]");
    leads = false;
    assertThat(run(new StatusCommand()))
        .contains("role=FOLLOWER, leader=10.0.0.2")
        .doesNotContain("target=");
    assertThat(refusal(new StatusCommand(), "json", true))
        .contains("instance 10.0.0.2 of the cluster leads; ask it");
  }

  @Test
  void numbersAreTheSameInEveryLocale() throws Exception {
    Locale before = Locale.getDefault(Locale.Category.FORMAT);
    Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertThat(run(new StatusCommand())).contains("resource=subscribers, used=1, size=10");
      assertThat(run(new SubscribersCommand())).contains("1 of 1 subscribers");
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, before);
    }
  }

  @Test
  void statusSaysHowPortsAre() throws Exception {
    PortStatus busy =
        new PortStatus(
            1,
            Optional.of("eth1"),
            Optional.of(true),
            Optional.of(true),
            Optional.of(Instant.EPOCH),
            1_000_000_000,
            Optional.empty(),
            OptionalDouble.of(1000),
            OptionalDouble.of(125e6),
            Optional.empty());
    PortStatus unknown =
        new PortStatus(
            2,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            10_000_000_000L,
            Optional.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            Optional.of("cannot be set"));
    controller.portsAre(
        new PortSummary(
            SessionState.READY,
            Optional.of("the switch has no interface for port 2"),
            List.of(busy, unknown)));
    assertThat(run(new StatusCommand()))
        .contains(
            "target=ports, session=READY, detail=the switch has no interface for port 2\n",
            "port=1, name=eth1, state=UP, since=1970-01-01T00:00:00Z, rateBps=1000000000,"
                + " inBps=1000, outBps=125000000, utilisation=12.5%\n",
            "port=2, name=unknown, state=UNKNOWN, rateBps=10000000000, note=cannot be set\n");
    assertThat(run(new StatusCommand(), "json", true)).contains("\"portSession\":\"READY\"");
  }

  @Test
  void statusSaysOfEachSwitchHowFullItIs() throws Exception {
    Controller one = controller;
    served =
        (Controller)
            Proxy.newProxyInstance(
                Controller.class.getClassLoader(),
                new Class<?>[] {Controller.class},
                (proxy, method, arguments) ->
                    method.getName().equals("switches")
                        ? List.of(
                            new SwitchStatus(
                                "leaf1",
                                List.of("leaf1"),
                                Optional.empty(),
                                one.switches().get(0).tables(),
                                List.of(),
                                0,
                                0),
                            new SwitchStatus(
                                "agg",
                                List.of("agg"),
                                Optional.empty(),
                                List.of(),
                                List.of(),
                                0,
                                0))
                        : method.invoke(one, arguments));
    assertThat(run(new StatusCommand()))
        .contains("\nswitch=leaf1\nresource=subscribers, used=1, size=10")
        .endsWith("\nswitch=agg\n");
    served = controller;
    assertThat(run(new StatusCommand())).doesNotContain("\nswitch=");
  }

  @Test
  void subscribersAreListedOrShown() throws Exception {
    assertThat(run(new SubscribersCommand()))
        .contains("id=alice, policy=gold, prefixes=[10.0.0.1/32], port=0, tree=3, switch=")
        .contains("1 of 1 subscribers");
    assertThat(run(new SubscribersCommand(), "id", "alice", "json", true))
        .contains("\"id\":\"alice\"");
    controller.targetsAnswer(TargetState.FAILED, "RESOURCE_EXHAUSTED: table is full");
    assertThat(run(new SubscribersCommand()))
        .contains(
            "switch=FAILED (since 2026-01-02T03:04:05.600Z; RESOURCE_EXHAUSTED: table is full;"
                + " next attempt at 2026-01-02T03:04:35.600Z)");
    controller.targetsAnswer(TargetState.PENDING, null);
    assertThat(run(new SubscribersCommand()))
        .contains("switch=PENDING (since 2026-01-02T03:04:05.600Z; awaits being written: 2 writes");
    assertThat(refusal(new SubscribersCommand(), "id", "bob"))
        .isEqualTo("there is no subscriber bob");
    leads = false;
    assertThat(refusal(new SubscribersCommand()))
        .contains("instance 10.0.0.2 of the cluster leads; ask it");
  }

  @Test
  void aPlanChangesNothing() throws Exception {
    String limit = "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":50000000}";
    assertThat(plan("put", "rate-limit", "l", limit))
        .contains("target=switch, writes=")
        .contains("field=downBps, requested=5.0E7, granted=");
    assertThat(plan("delete", "subscriber", "alice", null)).contains("target=switch, writes=");
    assertThat(planRefusal("delete", "policy", "gold", null))
        .contains("Policy gold is in use by 1");
    assertThat(planRefusal("drop", "policy", "gold", null))
        .contains("operation is drop; allowed: put, delete");
    assertThat(planRefusal("put", "vlan", "x", "{}"))
        .contains("kind is vlan; allowed: policy, subscriber, rate-limit, tariff");
    assertThat(planRefusal("put", "policy", "x", null))
        .contains("declaration is absent; allowed: the JSON to put");
    assertThat(planRefusal("put", "policy", "x", "{\"throughputValue\":{\"builtIn\":\"bronze\"}}"))
        .contains("bronze");
    assertThat(controller.find(Kind.RATE_LIMIT, "l")).isEmpty();
    assertThat(controller.find(Kind.SUBSCRIBER, "alice")).isPresent();
  }

  @Test
  void aPlanNamesEverySwitchThatItWritesTo() throws Exception {
    Outcome.Accepted deletion =
        (Outcome.Accepted) controller.dryRun(new Change.Delete(Kind.SUBSCRIBER, "alice"));
    Controller network = mock(Controller.class);
    when(network.dryRun(any()))
        .thenReturn(
            deletion.withPlans(
                List.of(
                    new Outcome.SwitchPlan("leaf1", deletion.plan()),
                    new Outcome.SwitchPlan("leaf2", deletion.plan().withoutWrites()))));
    served = network;
    assertThat(plan("delete", "subscriber", "alice", null))
        .startsWith("target=leaf1, writes=1\ntarget=leaf2, writes=0\n")
        .doesNotContain("target=switch");
  }

  private static String plan(String operation, String kind, String id, String json)
      throws Exception {
    return run(
        new PlanCommand(), "operation", operation, "kind", kind, "id", id, "declaration", json);
  }

  private static String planRefusal(String operation, String kind, String id, String json) {
    return refusal(
        new PlanCommand(), "operation", operation, "kind", kind, "id", id, "declaration", json);
  }

  @Test
  void everyCommandHasItsNameInOurScope() {
    assertThat(
            Stream.of(
                    StatusCommand.class,
                    SubscribersCommand.class,
                    PlanCommand.class,
                    ReconcileCommand.class)
                .map(CommandsTest::name))
        .containsExactly("sluice:status", "sluice:subscribers", "sluice:plan", "sluice:reconcile");
  }

  private static String name(Class<?> type) {
    Command command = type.getAnnotation(Command.class);
    return command.scope() + ":" + command.name();
  }

  @Test
  void reconcilingWaitsIfAsked() throws Exception {
    assertThat(run(new ReconcileCommand())).contains("reconciling; sluice:status tells");
  }

  @Test
  void argumentsComplete() {
    assertThat(completed(new SubscriberIdCompleter(), "")).containsExactly("alice ");
    assertThat(completed(new OperationCompleter(), "")).containsExactly("delete ", "put ");
    assertThat(completed(new KindCompleter(), "s")).containsExactly("subscriber ");
    assertThat(completed(new DeclarationIdCompleter(), "", "put", "policy"))
        .containsExactly("gold ");
    assertThat(completed(new DeclarationIdCompleter(), "", "put", "subscriber"))
        .containsExactly("alice ");
    assertThat(completed(new DeclarationIdCompleter(), "b", "put", "subscriber")).isEmpty();
    leads = false;
    assertThat(completed(new SubscriberIdCompleter(), "")).isEmpty();
  }

  private static List<String> completed(
      AbstractChoicesCompleter completer, String word, String... before) {
    List<String> words = new ArrayList<>(List.of(before));
    words.add(word);
    List<String> found = new ArrayList<>();
    int unused =
        completer.complete(
            null,
            new CommandLine() {
              @Override
              public int getCursorArgumentIndex() {
                return words.size() - 1;
              }

              @Override
              public String getCursorArgument() {
                return word;
              }

              @Override
              public int getArgumentPosition() {
                return word.length();
              }

              @Override
              public String[] getArguments() {
                return words.toArray(new String[0]);
              }

              @Override
              public int getBufferPosition() {
                return String.join(" ", words).length();
              }

              @Override
              public String getBuffer() {
                return String.join(" ", words);
              }
            },
            found);
    return found;
  }
}
