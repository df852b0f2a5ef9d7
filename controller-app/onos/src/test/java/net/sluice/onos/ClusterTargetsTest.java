package net.sluice.onos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import net.sluice.core.Controller;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.PortSummary;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.engine.SlaController;
import net.sluice.core.ports.GnmiConnection;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.switches.SwitchDocument;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipAdminService;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.store.service.StorageException;

/** The targets of the instance that leads, with a configured device: whose it is, and who asks. */
class ClusterTargetsTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("device:leaf1");

  private static final NodeId SELF = NodeId.nodeId("10.0.0.1");
  private static final NodeId OTHER = NodeId.nodeId("10.0.0.2");

  private final MemoryTarget<SwitchEntry> memory =
      MemoryTarget.ofSwitch(new ThreadScheduler("test-switch"));
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile NodeId master;
  private volatile boolean leads = true;
  private volatile boolean storageAnswers = true;
  private volatile boolean grants;
  private volatile Optional<String> absence = Optional.empty();
  private Controller controller;

  private final MastershipServiceAdapter mastership =
      new MastershipServiceAdapter() {
        @Override
        public boolean isLocalMaster(DeviceId device) {
          if (!storageAnswers) {
            throw new StorageException.Timeout();
          }
          return SELF.equals(master);
        }

        @Override
        public NodeId getMasterFor(DeviceId device) {
          return master;
        }
      };

  private final MastershipAdminService admin =
      new MastershipAdminService() {
        @Override
        public CompletableFuture<Void> setRole(NodeId instance, DeviceId device, MastershipRole r) {
          asked.add(instance + " " + device + " " + r);
          grant(instance);
          return CompletableFuture.completedFuture(null);
        }

        @Override
        public void balanceRoles() {}
      };

  private final SwitchTargets switches =
      new SwitchTargets() {
        @Override
        public SwitchConnection open(
            String name, DeviceId device, SwitchTargetProfile profile, long epoch) {
          assertThat(name).isEqualTo("switch");
          assertThat(device).isEqualTo(DEVICE);
          return new SwitchConnection(memory, CounterSource.none("no counters"), Optional.empty());
        }

        @Override
        public GnmiConnection.Access gnmi(
            DeviceId device, SwitchTargetProfile profile, Supplier<Optional<String>> obstacle) {
          assertThat(profile.name()).isEqualTo("emulator");
          return () -> {
            Optional<String> reason = obstacle.get();
            throw new NotReadyException(reason.orElse("no gNMI in this test"));
          };
        }

        @Override
        public Optional<String> absence(DeviceId device) {
          return absence;
        }

        @Override
        public Map<DeviceId, JsonValue> declared() {
          return Map.of();
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
          return List.of();
        }
      };

  @AfterEach
  void close() {
    controller.close();
  }

  private void open() {
    SwitchSettings settings =
        SwitchSettings.ofApplication(
            SluiceSettings.of(Map.of("device", DEVICE.toString(), "profile", "emulator")));
    ClusterTargets targets = new ClusterTargets(SELF, () -> leads, mastership, admin, switches);
    controller =
        SlaController.open(
            List.of(targets.member(settings, 1, Clock.systemUTC())),
            NetworkStore.ofOne(new InMemoryIntentStore()),
            Clock.systemUTC());
    Change gold = new Change.Put(new Policy("gold", BuiltInFunction.GOLD));
    assertThat(controller.apply(gold).isAccepted()).isTrue();
  }

  private synchronized void grant(NodeId instance) {
    if (grants) {
      master = instance;
    }
  }

  /** What is asked for from now on is not granted, whoever is about to be told otherwise. */
  private synchronized void give(NodeId instance) {
    grants = false;
    master = instance;
  }

  private static void await(Callable<Boolean> condition) {
    Patience.await("the target", condition);
  }

  private TargetStatus gold() {
    return controller.find(Kind.POLICY, "gold").orElseThrow().targets().get(0);
  }

  private PortSummary ports() {
    return controller.switches().get(0).ports().orElseThrow();
  }

  @Test
  void aSwitchIsDrivenThroughWhoeverIsItsMaster() throws Exception {
    master = OTHER;
    open();
    assertThat(controller.awaitAllInstalled(Patience.TIME)).isTrue();
    assertThat(gold().state()).isEqualTo(TargetState.INSTALLED);
    await(() -> ports().detail().orElse("").startsWith("no gNMI in this test"));
    assertThat(asked).as("it stays with its master").isEmpty();
  }

  @Test
  void theLeaderAsksForMastershipWhereNobodyHasItAndSaysSoMeanwhile() throws Exception {
    Instant before = Instant.now();
    open();
    await(() -> gold().error().isPresent() && gold().next().isPresent());
    await(() -> ports().detail().orElse("").startsWith("no instance"));
    TargetStatus waiting = gold();
    assertThat(waiting.target()).isEqualTo("switch");
    assertThat(waiting.state()).isEqualTo(TargetState.PENDING);
    assertThat(waiting.error())
        .hasValue("no instance is master of device:leaf1; this instance asks to be");
    assertThat(waiting.since()).isAfterOrEqualTo(before.minusSeconds(1));
    assertThat(asked).isNotEmpty().containsOnly("10.0.0.1 device:leaf1 MASTER");
    assertThat(ports().session()).isEqualTo(SessionState.CONNECTING);
    assertThat(ports().detail().orElseThrow())
        .startsWith("no instance is master of device:leaf1; this instance asks to be; next");
    assertThat(memory.connects()).isZero();

    grants = true;
    assertThat(controller.awaitAllInstalled(Patience.TIME)).isTrue();
    assertThat(gold().state()).isEqualTo(TargetState.INSTALLED);
  }

  @Test
  void whoNoLongerLeadsWritesNothingMore() throws Exception {
    master = SELF;
    open();
    assertThat(controller.awaitAllInstalled(Patience.TIME)).isTrue();
    int before = memory.writes().size();
    assertThat(before).isPositive();
    leads = false;
    Change silver = new Change.Put(new Policy("silver", BuiltInFunction.SILVER));
    assertThat(controller.apply(silver).isAccepted()).isTrue();
    await(
        () ->
            controller
                .find(Kind.POLICY, "silver")
                .orElseThrow()
                .targets()
                .get(0)
                .error()
                .orElse("")
                .equals("this instance does not lead"));
    assertThat(memory.writes()).hasSize(before);
  }

  @Test
  void aDeviceThatOnosDoesNotHaveIsToldAsSuchAndNotAskedFor() throws Exception {
    absence = Optional.of("ONOS knows no device:leaf1");
    open();
    await(() -> gold().error().orElse("").equals("ONOS knows no device:leaf1"));
    assertThat(asked).isEmpty();
    grants = true;
    absence = Optional.empty();
    assertThat(controller.awaitAllInstalled(Patience.TIME)).isTrue();
    assertThat(asked).isNotEmpty();
  }

  @Test
  void aMasterThatTheSilentStorageDoesNotTellIsToldAsSuchAndAskedForAgain() throws Exception {
    master = SELF;
    storageAnswers = false;
    open();
    String silent =
        "the cluster's storage does not answer, so that the master of device:leaf1 is unknown";
    await(() -> gold().error().orElse("").equals(silent));
    await(() -> ports().detail().orElse("").startsWith(silent));
    storageAnswers = true;
    assertThat(controller.awaitAllInstalled(Patience.TIME)).isTrue();
  }

  @Test
  void whoDoesNotLeadAsksForNothing() {
    leads = false;
    open();
    await(() -> gold().error().orElse("").equals("this instance does not lead"));
    await(() -> ports().detail().orElse("").startsWith("this instance does not lead"));
    assertThat(asked).isEmpty();
  }
}
