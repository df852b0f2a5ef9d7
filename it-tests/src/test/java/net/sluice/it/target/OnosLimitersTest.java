package net.sluice.it.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannelBuilder;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.sluice.core.ControllerConfig;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.core.engine.SlaController;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.FpgaTarget;
import net.sluice.core.target.Target;
import net.sluice.core.target.Targets;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteResults;
import net.sluice.core.testing.ReadBack;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.embedded.DefaultTopology;
import net.sluice.embedded.SwitchWithFpgas;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.fpga.GrpcRegisterBus;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;
import net.sluice.intents.model.aggregate.Aggregates;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.TrafficClass;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.value.Direction;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.onos.southbound.leader.OnosSwitchTarget;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.TnaPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.profile.SwitchAdmission;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/**
 * Limits by FPGA, by the switch and by meters, classes and contracts at an emulated switch that is
 * driven through ONOS's objects.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OnosLimitersTest {
  private static final long ELECTION_ID = 7;
  private static final CompiledProgram PROGRAM = CompiledProgram.AGGREGATE;
  private static final Duration LONG = Duration.ofSeconds(Patience.SECONDS);
  private static final DefaultTopology PLAIN = new DefaultTopology(1_000_000_000);
  private static final DefaultTopology CABLING =
      new DefaultTopology(
          1_000_000_000,
          PLAIN.marker(),
          "emulator-aggregate",
          PLAIN.fpgaProfile().withClassShares(true));

  private SwitchWithFpgas device;
  private OnosStandIn onos;
  private OnosSwitchTarget target;
  private Target<FpgaSetting> down;
  private SlaController controller;

  @BeforeAll
  void open() throws Exception {
    device = SwitchWithFpgas.start(new Simulation(1), CABLING.topology(), 1);
    var servers = device.remote("switch", CABLING.marker()).servers();
    onos =
        new OnosStandIn(
            new SwitchServer() {
              @Override
              public int port() {
                return servers.p4runtime().port();
              }

              @Override
              public long deviceId() {
                return servers.p4runtime().deviceId();
              }

              @Override
              public void close() {
                device.close();
              }
            },
            V1ModelPipeline.withAggregates(),
            ELECTION_ID);
    target = onos.target(Pipeconfs.all(TnaPipeline.withoutDeviceConfig()).get(1));
    down = fpga(Direction.DOWN, servers.fpgaDown().orElseThrow());
    controller =
        new SlaController(
            config(),
            new InMemoryIntentStore(),
            new Targets(
                target,
                target,
                Optional.of(down),
                Optional.of(fpga(Direction.UP, servers.fpgaUp().orElseThrow()))),
            Clock.systemUTC(),
            ThreadScheduler::new);
    declareAll();
  }

  private static ControllerConfig config() {
    SwitchTargetProfile profile = TargetProfiles.loadSwitch(CABLING.profile());
    return ControllerConfig.builder(
            Path.of("unused"),
            CABLING.topology(),
            SwitchAdmission.admit(
                profile,
                profile.pipeline(),
                CABLING.topology(),
                CABLING.marker(),
                CABLING.fpgaProfile()),
            CABLING.fpgaProfile())
        .auditInterval(Optional.empty())
        .build();
  }

  private static Target<FpgaSetting> fpga(Direction direction, FpgaEndpoint at) {
    FpgaEndpoint.Agent agent = (FpgaEndpoint.Agent) at;
    return new FpgaTarget(
        "fpga-" + direction.text(),
        direction,
        CABLING.fpgaProfile(),
        () ->
            new GrpcRegisterBus(
                ManagedChannelBuilder.forAddress(agent.host(), agent.port()).usePlaintext().build(),
                1),
        new ThreadScheduler("fpga"));
  }

  @AfterAll
  void close() {
    controller.close();
    onos.close();
    device.close();
  }

  private void put(Declaration declaration) {
    assertThat(controller.apply(new Change.Put(declaration)).isAccepted())
        .as("%s", declaration)
        .isTrue();
  }

  private void line(int number, String policy, Optional<Enforcement> by, Aggregates contracts) {
    String id = "s" + number;
    put(
        new Subscriber(
            id,
            policy,
            List.of(IpPrefix.v4(0x0a000000 + number, 32)),
            Optional.empty(),
            new Attachment(0, number),
            OptionalParts.NONE.withAggregates(contracts)));
    by.ifPresent(
        enforcement ->
            put(
                new RateLimit(
                    id,
                    new Scope.OfSubscriber(id),
                    OptionalLong.of(20_000_000),
                    OptionalLong.of(20_000_000),
                    OptionalInt.empty(),
                    by)));
  }

  private void declareAll() throws InterruptedException {
    put(new Policy("gold", BuiltInFunction.GOLD));
    put(
        new Policy(
            "triple",
            BuiltInFunction.GOLD,
            Optional.empty(),
            new TrafficClasses(
                List.of(
                    new TrafficClass("voice", List.of(46), OptionalInt.of(1), OptionalInt.empty()),
                    new TrafficClass("rest", List.of(), OptionalInt.empty(), OptionalInt.of(1))))));
    line(1, "gold", Optional.of(Enforcement.POLICE), Aggregates.NONE);
    line(2, "gold", Optional.of(Enforcement.SHAPE), Aggregates.NONE);
    line(3, "triple", Optional.of(Enforcement.FPGA), Aggregates.NONE);
    line(
        4,
        "gold",
        Optional.empty(),
        Aggregates.of(List.of(Aggregate.up(1_000_000, 25_000, new AggregateMarker.TokenBucket()))));
    assertThat(controller.awaitAllInstalled(LONG)).isTrue();
  }

  private static ExpectedEntries<SwitchEntry> mirrored() {
    return new ExpectedEntries<>() {
      @Override
      public long count(Table table) {
        return table == Table.MIRROR ? 1 : 0;
      }

      @Override
      public Cursor<SwitchEntry> entries(Table table) {
        return max -> List.of();
      }
    };
  }

  private <E> List<E> read(Target<E> of, ExpectedEntries<E> known) throws Exception {
    ReadBack<E> read = new ReadBack<>();
    of.read(known, read);
    assertThat(read.end.poll(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo("complete");
    assertThat(read.malformed).isEmpty();
    return List.copyOf(read.entries);
  }

  private static List<SwitchEntry> of(Table table, List<SwitchEntry> entries) {
    return entries.stream().filter(entry -> entry.table() == table).toList();
  }

  /** Writes as another controller would. */
  private void write(List<Update> updates) throws Exception {
    Throwable failure =
        onos.write(
                WriteRequest.newBuilder()
                    .setDeviceId(1)
                    .setElectionId(Uint128.newBuilder().setLow(ELECTION_ID))
                    .addAllUpdates(updates)
                    .build())
            .get(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(failure).isNull();
  }

  @Test
  void eachIsInstalledAndRepairedAfterItWasLost() throws Exception {
    List<SwitchEntry> installed = read(target, mirrored());
    List<FpgaSetting> settings = read(down, ExpectedEntries.none());
    List<SwitchEntry> lost = new ArrayList<>();
    for (Table table :
        List.of(
            Table.SUBSCRIBER_METER,
            Table.SUBSCRIBER_LIMIT,
            Table.LOOP_PORT,
            Table.TRAFFIC_CLASS,
            Table.AGGREGATE,
            Table.MIRROR)) {
      assertThat(of(table, installed)).as("%s", table).isNotEmpty();
      lost.addAll(of(table, installed));
    }
    assertThat(of(Table.SUBSCRIBER_METER, installed))
        .allMatch(entry -> ((SubscriberMeterEntry) entry).meter().orElseThrow().rateBps() > 0);

    write(lost.stream().map(entry -> PROGRAM.entries().update(Op.DELETE, entry)).toList());
    WriteBatch<FpgaSetting> changed = new WriteBatch<>();
    settings.stream()
        .filter(
            setting ->
                setting instanceof FpgaSetting.RateWord
                    || setting instanceof FpgaSetting.ClassShares)
        .limit(100)
        .forEach(setting -> changed.add(Op.MODIFY, setting.withValue(setting.value() ^ 1)));
    assertThat(changed.size()).isPositive();
    down.write(changed, new Ignored());
    assertThat(read(target, mirrored())).doesNotContainAnyElementsOf(lost);

    controller.reconcile();
    assertThat(controller.awaitAllInstalled(LONG)).isTrue();
    assertThat(read(target, mirrored())).containsExactlyInAnyOrderElementsOf(installed);
    assertThat(read(down, ExpectedEntries.none())).containsExactlyInAnyOrderElementsOf(settings);
  }

  /** A meter alone is lost without its entry. */
  @Test
  void aMeterThatWasSetOtherwiseIsSetBack() throws Exception {
    SwitchEntry meter = of(Table.SUBSCRIBER_METER, read(target, mirrored())).get(0);
    Entity entry = PROGRAM.entries().update(Op.MODIFY, meter).getEntity();
    Entity.Builder other = Entity.newBuilder();
    other
        .getDirectMeterEntryBuilder()
        .setTableEntry(entry.getTableEntry().toBuilder().clearMeterConfig().clearAction())
        .getConfigBuilder()
        .setCir(1)
        .setCburst(2)
        .setPir(1)
        .setPburst(2);
    write(List.of(Update.newBuilder().setType(Update.Type.MODIFY).setEntity(other).build()));
    assertThat(read(target, mirrored())).doesNotContain(meter);
    controller.reconcile("switch");
    assertThat(controller.awaitAllInstalled(LONG)).isTrue();
    assertThat(read(target, mirrored())).contains(meter);
  }

  @Test
  void eachIsCounted() throws Exception {
    List<Update> counts = new ArrayList<>();
    for (Point point : Point.values()) {
      counts.add(count(PROGRAM.counters().read(point, 1, Direction.UP), 10 + point.ordinal()));
    }
    for (Entity cell : PROGRAM.counters().readAggregate(3)) {
      counts.add(count(cell, 30 + counts.size()));
    }
    write(counts);
    SubscriberCounters counted = target.readCounters(1).get(Patience.SECONDS, TimeUnit.SECONDS);
    SubscriberCounters.Shaped shaped = counted.up().shaped().orElseThrow();
    assertThat(
            Stream.of(
                    counted.up().in().orElseThrow(),
                    counted.up().out(),
                    counted.up().policed().orElseThrow(),
                    counted.up().overflowed().orElseThrow(),
                    counted.up().suspended().orElseThrow(),
                    shaped.dropped(),
                    shaped.marked(),
                    shaped.first())
                .map(Count::packets))
        .containsExactly(10L, 11L, 12L, 13L, 14L, 20L, 21L, 22L);
    assertThat(shaped.waits().values())
        .extracting(Count::packets)
        .containsExactly(15L, 16L, 17L, 18L, 19L);
    assertThat(
            target
                .readAggregates(Map.of(Direction.UP, 3))
                .get(Patience.SECONDS, TimeUnit.SECONDS)
                .get(Direction.UP))
        .isEqualTo(new SubscriberCounters.Marked(43, 4_300, 44, 4_400));
  }

  private static Update count(Entity cell, long packets) {
    Entity.Builder counted = cell.toBuilder();
    counted
        .getCounterEntryBuilder()
        .getDataBuilder()
        .setPacketCount(packets)
        .setByteCount(100 * packets);
    return Update.newBuilder().setType(Update.Type.MODIFY).setEntity(counted).build();
  }

  /** A write shows in the next read. */
  private static final class Ignored implements Target.WriteHandler {
    @Override
    public void done(WriteResults results) {}

    @Override
    public void lost(String reason) {}
  }
}
