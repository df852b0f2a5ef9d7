package net.sluice.onos.southbound.leader;

import static net.sluice.onos.testing.TestSwitch.PIPELINE;
import static net.sluice.pipeconf.testing.SampleEntries.ALICE;
import static net.sluice.pipeconf.testing.SampleEntries.BOB;
import static net.sluice.pipeconf.testing.SampleEntries.v4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.testing.ReadBack;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SubscriberCounters.Shaped;
import net.sluice.core.traffic.SubscriberCounters.Traffic;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import net.sluice.intents.plan.entry.queue.MirrorEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.value.Direction;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.onos.testing.TestSwitch;
import net.sluice.onos.testing.WireClient;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.WaitRange;
import net.sluice.pipeconf.testing.SampleEntries;
import net.sluice.pipeconf.testing.TnaDeviceConfig;
import org.junit.jupiter.api.Test;
import org.onosproject.net.pi.model.PiPipeconf;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** The target through ONOS's client, against a switch in memory and in virtual time. */
class OnosSwitchTargetTest {
  private final TestSwitch rig = new TestSwitch();

  // ---------------------------------------------------------------- sessions

  @Test
  void aSessionStandsOnceTheSwitchRunsTheProgram() {
    assertThat(rig.connect().session).containsExactly("up");
    rig.time.pass(Duration.ofMinutes(10));
    assertThat(rig.session).as("probes find nothing").containsExactly("up");
  }

  @Test
  void withoutReadinessThereIsNoSessionAndTheReasonIsTold() {
    rig.notReady = new NotReadyException("ONOS is not connected to device:switch1");
    assertThat(rig.connect().session)
        .containsExactly("down: ONOS is not connected to device:switch1");
    assertThat(rig.write(Op.INSERT, v4(1, ALICE))).containsExactly("lost: not connected");
    assertThat(rig.read().end).containsExactly("failed: not connected");
  }

  @Test
  void aSwitchWithAnotherProgramOrNoneIsNotWritten() {
    rig.client.programSet = CompletableFuture.completedFuture(false);
    assertThat(rig.connect().session)
        .containsExactly(
            "down: the switch runs another program than pipeconf net.sluice.v1model, which ONOS has"
                + " not loaded yet or the switch refuses");
    rig.session.clear();
    rig.client.anyProgramSet = false;
    assertThat(rig.connect().session)
        .containsExactly(
            "down: the switch runs no program or does not answer: ONOS has not loaded pipeconf"
                + " net.sluice.v1model yet, or the switch refuses it");
  }

  @Test
  void aSwitchThatDoesNotAnswerIsGivenUp() {
    rig.client.programSet = new CompletableFuture<>();
    rig.connect();
    assertThat(rig.session).isEmpty();
    rig.time.pass(Duration.ofSeconds(20));
    assertThat(rig.session)
        .containsExactly("down: the switch has not told for 20 s whether it runs its program");
  }

  @Test
  void whateverEndsASessionIsToldOnce() {
    rig.connect();
    rig.lost.accept("device:switch1 refuses writes: this controller's election id is too old");
    assertThat(rig.session)
        .containsExactly(
            "up", "down: device:switch1 refuses writes: this controller's election id is too old");
    assertThat(rig.lost).as("nobody listens any more").isNull();
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.session).hasSize(2);
  }

  @Test
  void probesFindWhatNoEventTold() {
    rig.connect();
    rig.client.programSet = CompletableFuture.completedFuture(false);
    rig.time.pass(Duration.ofSeconds(5));
    assertThat(rig.session.get(1)).startsWith("down: the switch runs another program");

    rig.session.clear();
    rig.client.programSet = CompletableFuture.completedFuture(true);
    rig.connect();
    rig.notReady = new NotReadyException("ONOS instance 10.0.0.2 is master");
    rig.time.pass(Duration.ofSeconds(5));
    assertThat(rig.session).containsExactly("up", "down: ONOS instance 10.0.0.2 is master");

    rig.session.clear();
    rig.notReady = null;
    rig.connect();
    rig.client = new WireClient(TestSwitch.DEVICE, PIPELINE.p4Info(), rig.memory, 1);
    rig.time.pass(Duration.ofSeconds(5));
    assertThat(rig.session).containsExactly("up", "down: ONOS has connected to the switch anew");
  }

  @Test
  void whoDisconnectsIsToldNothingMore() {
    rig.connect();
    rig.target.disconnect();
    rig.client.programSet = CompletableFuture.completedFuture(false);
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.session).containsExactly("up");
    assertThat(rig.lost).isNull();
  }

  // ---------------------------------------------------------------- writing

  private static Throwable denied() {
    return Status.PERMISSION_DENIED.withDescription("not primary").asRuntimeException();
  }

  /** ONOS takes a new election id in the middle of it and stays primary. */
  @Test
  void whatIsDeniedWhileThisInstanceIsPrimaryIsSentAgain() {
    rig.connect();
    int[] denials = {3};
    rig.memory.failWrites(() -> denials[0]-- > 0 ? denied() : null);
    TestSwitch.Answer answer = rig.send(Op.INSERT, v4(1, ALICE), v4(2, BOB));
    rig.time.pass(Duration.ofMillis(500));
    assertThat(answer.lines).as("still denied").isEmpty();
    rig.time.pass(Duration.ofMillis(500));
    assertThat(answer.lines).containsExactly("OK", "OK");
    assertThat(answer.calls).isEqualTo(1);
    assertThat(rig.session).containsExactly("up");
  }

  @Test
  void whatIsDeniedBecauseAnotherIsPrimaryIsLostWithTheReason() {
    rig.connect();
    rig.memory.failWrites(OnosSwitchTargetTest::denied);
    TestSwitch.Answer answer = rig.send(Op.INSERT, v4(1, ALICE));
    rig.notReady = new NotReadyException("ONOS instance 10.0.0.2 is master");
    rig.time.pass(Duration.ofMillis(300));
    assertThat(answer.lines).containsExactly("lost: ONOS instance 10.0.0.2 is master");

    rig.notReady = null;
    answer = rig.send(Op.INSERT, v4(1, ALICE));
    rig.time.pass(Duration.ofSeconds(6));
    assertThat(answer.lines).containsExactly("lost: PERMISSION_DENIED: not primary");

    answer = rig.send(Op.INSERT, v4(1, ALICE));
    rig.time.pass(Duration.ofMillis(50));
    rig.target.disconnect();
    rig.time.pass(Duration.ofSeconds(6));
    assertThat(answer.lines).containsExactly("lost: the session has ended");
  }

  /** Entries of every table, with meters, and the clone session. */
  @Test
  void whatIsWrittenIsReadBack() {
    for (PiPipeconf pipeconf : Pipeconfs.all(TnaDeviceConfig.pipeline())) {
      CompiledProgram program = Pipeconfs.program(pipeconf.id());
      TestSwitch of = new TestSwitch(pipeconf, p4Info(program)).connect();
      List<SwitchEntry> entries = new ArrayList<>(SampleEntries.of(program));
      entries.add(new MirrorEntry(7));
      SwitchEntry[] all = entries.toArray(SwitchEntry[]::new);
      assertThat(of.write(Op.INSERT, all)).containsOnly("OK");
      ReadBack<SwitchEntry> read = of.read(mirrored());
      assertThat(read.end).containsExactly("complete");
      assertThat(read.malformed).isEmpty();
      assertThat(read.entries).containsExactlyInAnyOrderElementsOf(entries);
      assertThat(of.write(Op.MODIFY, all)).containsOnly("OK");
      assertThat(of.read(mirrored()).entries).hasSameElementsAs(entries);

      assertThat(of.write(Op.DELETE, all)).containsOnly("OK");
      assertThat(of.read(mirrored()).entries).isEmpty();
      assertThat(of.memory.meters()).isEmpty();
    }
  }

  private static P4Info p4Info(CompiledProgram program) {
    return switch (program) {
      case V1MODEL -> PIPELINE.p4Info();
      case AGGREGATE -> V1ModelPipeline.withAggregates().p4Info();
      case TNA -> TnaDeviceConfig.pipeline().p4Info();
    };
  }

  /** A clone session that should be there, and nothing else that is known. */
  private static ExpectedEntries<SwitchEntry> mirrored() {
    return new ExpectedEntries<>() {
      @Override
      public long count(Table table) {
        return table == Table.MIRROR ? 1 : 0;
      }

      @Override
      public Cursor<SwitchEntry> entries(Table table) {
        throw new AssertionError("no table is large");
      }
    };
  }

  private static SwitchEntry policed(long rateBps) {
    return new SubscriberMeterEntry(
        5, Direction.DOWN, new Attachment(0, 1), Optional.of(new MeterSetting(rateBps, 3_000)));
  }

  /** A switch may carry a batch out in any order. */
  @Test
  void aMeterIsWrittenWhenItsEntryIsThere() {
    rig.connect();
    rig.memory.writesTake(Duration.ofMillis(100));
    TestSwitch.Answer answer = rig.send(Op.INSERT, policed(8_000_000), v4(1, ALICE));
    rig.time.pass(Duration.ofMillis(150));
    assertThat(rig.memory.table(PIPELINE.entries().tableIds(Table.SUBSCRIBER_METER).get(0)))
        .hasSize(1);
    assertThat(rig.memory.meters()).isEmpty();
    assertThat(answer.lines).isEmpty();
    rig.time.pass(Duration.ofMillis(100));
    assertThat(rig.memory.meters().values())
        .containsExactly(
            MeterConfig.newBuilder()
                .setCir(1_000_000)
                .setCburst(3_000)
                .setPir(1_000_000)
                .setPburst(3_000)
                .build());
    assertThat(answer.lines).containsExactly("OK", "OK");
  }

  @Test
  void aMeterThatIsNotWrittenFailsItsEntryAlone() {
    rig.connect();
    int[] writes = {0};
    rig.memory.failWrites(
        () ->
            writes[0]++ == 1
                ? Status.RESOURCE_EXHAUSTED.withDescription("no meter left").asRuntimeException()
                : null);
    assertThat(rig.write(Op.INSERT, policed(8_000_000), v4(1, ALICE)))
        .containsExactly("REFUSED RESOURCE_EXHAUSTED: no meter left", "OK");
    assertThat(rig.write(Op.MODIFY, policed(8_000_000))).containsExactly("OK");
    assertThat(rig.read().entries).containsExactlyInAnyOrder(policed(8_000_000), v4(1, ALICE));
  }

  @Test
  void aMeterThatWasLostIsReadAsItIs() {
    rig.connect();
    rig.write(Op.INSERT, policed(8_000_000));
    rig.memory.meters().clear();
    SwitchEntry unlimited =
        new SubscriberMeterEntry(5, Direction.DOWN, new Attachment(0, 1), Optional.empty());
    assertThat(rig.read().entries).containsExactly(unlimited);
  }

  @Test
  void anEntryThatMatchesEverythingIsTwoHalves() {
    rig.connect();
    RouteEntry route = new RouteEntry(IpPrefix.parse("0.0.0.0/0"), 1);
    rig.write(Op.INSERT, route);
    assertThat(rig.memory.table(PIPELINE.entries().tableIds(Table.IPV4_ROUTE).get(0)).values())
        .extracting(entry -> entry.getMatch(0).getLpm().getPrefixLen())
        .containsExactly(1, 1);
    assertThat(rig.write(Op.INSERT, route))
        .containsExactly("ALREADY_EXISTS ALREADY_EXISTS: the entry is there");
    RouteEntry other = new RouteEntry(IpPrefix.parse("0.0.0.0/0"), 2);
    assertThat(rig.write(Op.MODIFY, other)).containsExactly("OK");
    assertThat(rig.read().entries).containsExactly(other);
    rig.write(Op.DELETE, other);
    assertThat(rig.write(Op.MODIFY, other))
        .containsExactly("NOT_FOUND NOT_FOUND: there is no such entry");
  }

  @Test
  void aHalfByItselfIsRemoved() {
    rig.connect();
    rig.write(Op.INSERT, new RouteEntry(IpPrefix.parse("0.0.0.0/0"), 1));
    var table = rig.memory.table(PIPELINE.entries().tableIds(Table.IPV4_ROUTE).get(0));
    table.remove(table.keySet().iterator().next());
    ReadBack<SwitchEntry> read = rig.read();
    assertThat(read.entries).isEmpty();
    assertThat(read.malformed)
        .containsExactly("half of an entry that matches everything, by itself");
    TestSwitch.Answer removed = new TestSwitch.Answer(1);
    read.removals.get(0).run(removed);
    rig.time.pass(TestSwitch.ANSWER);
    assertThat(removed.lines).containsExactly("OK");
    assertThat(table).isEmpty();
  }

  @Test
  void aDefaultRouteOfAnotherControllerIsTakenAsItIs() {
    rig.connect();
    RouteEntry route = new RouteEntry(IpPrefix.parse("::/0"), 9);
    rig.memory.place(PIPELINE.entries().encode(route));
    assertThat(rig.read().entries).containsExactly(route);
  }

  @Test
  void everyUpdateHasItsOwnAnswer() {
    rig.connect();
    rig.memory.resize(PIPELINE.entries().tableIds(Table.IPV4_PREFIX).get(0), 2);
    rig.write(Op.INSERT, v4(1, ALICE));
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    batch.add(Op.INSERT, v4(1, BOB));
    batch.add(Op.MODIFY, v4(2, BOB));
    batch.add(Op.INSERT, new PolicyValueEntry(1, 2000, 1));
    batch.add(Op.INSERT, new SubscriberPrefixEntry(IpPrefix.parse("128.0.0.0/1"), BOB));
    batch.add(Op.INSERT, v4(3, BOB));
    batch.add(Op.INSERT, v4(4, BOB));
    batch.add(Op.MODIFY, v4(1, BOB));
    assertThat(rig.write(batch))
        .containsExactly(
            "ALREADY_EXISTS ALREADY_EXISTS: the entry is there",
            "NOT_FOUND NOT_FOUND: there is no such entry",
            "REFUSED rateBin is 2000; allowed: 0 to 1023",
            "REFUSED "
                + table(Table.IPV4_PREFIX)
                + " is a prefix of 1 bit; allowed: prefixes of 0 or of 2 and more bits: through"
                + " ONOS two of 1 bit stand for one of 0",
            "OK",
            "REFUSED RESOURCE_EXHAUSTED: the table holds 2 entries",
            "OK");
    assertThat(rig.read().entries).containsExactlyInAnyOrder(v4(1, BOB), v4(3, BOB));
  }

  private static String table(Table table) {
    int id = PIPELINE.entries().tableIds(table).get(0);
    return PIPELINE.p4Info().getTablesList().stream()
        .filter(each -> each.getPreamble().getId() == id)
        .findFirst()
        .orElseThrow()
        .getPreamble()
        .getName();
  }

  @Test
  void aBatchOfNothingThatFitsIsNotSent() {
    rig.connect();
    rig.memory.failWrites(() -> new AssertionError("nothing is to be sent"));
    assertThat(rig.write(Op.INSERT, new PolicyValueEntry(1, 2000, 1)))
        .containsExactly("REFUSED rateBin is 2000; allowed: 0 to 1023");
  }

  @Test
  void aCallThatFailsIsLostOrRefusedAsAWhole() {
    rig.connect();
    String lost = failed(Status.UNAVAILABLE.withDescription("io exception"));
    assertThat(lost).isEqualTo("lost: UNAVAILABLE: io exception");
    assertThat(failed(Status.DEADLINE_EXCEEDED)).isEqualTo("lost: DEADLINE_EXCEEDED");
    assertThat(failed(Status.PERMISSION_DENIED.withDescription("not primary")))
        .isEqualTo("lost: PERMISSION_DENIED: not primary");
    Status closed =
        Status.UNKNOWN.withDescription("channel closed").withCause(new ClosedChannelException());
    assertThat(failed(closed)).isEqualTo("lost: the other end closed the connection");
    assertThat(failed(Status.UNKNOWN.withDescription("out of luck")))
        .isEqualTo("REFUSED UNKNOWN: out of luck");
    assertThat(failed(Status.INVALID_ARGUMENT.withDescription("no such device")))
        .isEqualTo("REFUSED INVALID_ARGUMENT: no such device");
    assertThat(rig.read().entries).isEmpty();
  }

  private String failed(Status status) {
    rig.memory.failWrites(status::asRuntimeException);
    TestSwitch.Answer answer = rig.send(Op.INSERT, v4(1, ALICE));
    rig.time.pass(Duration.ofSeconds(10));
    return answer.lines.get(0);
  }

  @Test
  void answersThatDoNotFitTheBatchAreNoAnswers() {
    rig.connect();
    Metadata trailers = new Metadata();
    trailers.put(
        Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER),
        com.google.rpc.Status.newBuilder().setCode(2).build().toByteArray());
    rig.memory.failWrites(() -> Status.UNKNOWN.asRuntimeException(trailers));
    assertThat(rig.write(Op.INSERT, v4(1, ALICE), v4(2, ALICE)))
        .as("UNAVAILABLE has the session begun anew and the switch read")
        .containsExactly("UNAVAILABLE PENDING", "UNAVAILABLE PENDING");
  }

  @Test
  void countersAreReadAndClearedWithTheLastEntryOfASubscriber() {
    rig.connect();
    SubscriberData data = new SubscriberData(5, 1, 1, 0, false, false);
    for (Point point : Point.values()) {
      for (Direction direction : Direction.values()) {
        CounterEntry cell = PIPELINE.counters().read(point, 5, direction).getCounterEntry();
        long bytes = 100 * point.ordinal() + 10 * direction.ordinal() + 1;
        rig.memory.count(cell.getCounterId(), cell.getIndex().getIndex(), bytes / 10, bytes);
      }
    }
    assertThat(counters(5)).isEqualTo(new SubscriberCounters(traffic(1), traffic(11)));
    rig.write(Op.INSERT, v4(5, data));
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    batch.add(Op.DELETE, v4(5, data), true);
    for (Direction direction : Direction.values()) {
      SwitchEntry limit = new SubscriberLimitEntry(5, direction, new Attachment(0, 1), 249);
      rig.write(Op.INSERT, limit);
      batch.add(Op.DELETE, limit, false);
    }
    assertThat(rig.write(batch)).containsOnly("OK");
    assertThat(counters(5))
        .isEqualTo(new SubscriberCounters(new Traffic(0, 0, 0, 0), new Traffic(0, 0, 0, 0)));
  }

  /** Traffic of 100 bytes more at each point than at the one before. */
  private static Traffic traffic(long first) {
    Map<WaitRange, Count> waits = new EnumMap<>(WaitRange.class);
    for (WaitRange range : WaitRange.values()) {
      waits.put(range, count(first + 500 + 100L * range.ordinal()));
    }
    return new Traffic(
        Optional.of(count(first)),
        count(first + 100),
        Optional.of(count(first + 200)),
        Optional.of(count(first + 300)),
        Optional.of(count(first + 400)),
        Optional.of(
            new Shaped(count(first + 1_200), count(first + 1_100), count(first + 1_000), waits)));
  }

  /** A packet for every ten bytes. */
  private static Count count(long bytes) {
    return new Count(bytes / 10, bytes);
  }

  private SubscriberCounters counters(int index) {
    CompletableFuture<SubscriberCounters> read = rig.target.readCounters(index);
    rig.time.pass(TestSwitch.ANSWER);
    return read.join();
  }

  @Test
  void countersCannotBeReadWithoutASession() {
    CompletableFuture<SubscriberCounters> read = rig.target.readCounters(1);
    assertThat(read).isCompletedExceptionally();
    assertThat(catchThrowable(read::join))
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("the switch is not connected");
  }

  // ---------------------------------------------------------------- what is none of ours

  @Test
  void entriesThatWeWouldNeverWriteAreNamedAndRemoved() {
    rig.connect();
    TableEntry strange =
        PIPELINE.entries().encode(new RateBinEntry(2, 10, 20)).toBuilder().setPriority(77).build();
    rig.memory.place(strange);
    rig.write(Op.INSERT, v4(1, ALICE));
    ReadBack<SwitchEntry> read = rig.read();
    assertThat(read.entries).containsExactly(v4(1, ALICE));
    assertThat(read.malformed).containsExactly("its priority is 77 instead of 1");
    TestSwitch.Answer removed = new TestSwitch.Answer(1);
    read.removals.get(0).run(removed);
    rig.time.pass(TestSwitch.ANSWER);
    assertThat(removed.lines).containsExactly("OK");
    assertThat(rig.read().malformed).isEmpty();
  }
}
