package net.sluice.onos.southbound.leader;

import static net.sluice.onos.testing.TestSwitch.DEVICE;
import static net.sluice.onos.testing.TestSwitch.PIPELINE;
import static net.sluice.pipeconf.testing.SampleEntries.ALICE;
import static net.sluice.pipeconf.testing.SampleEntries.BOB;
import static net.sluice.pipeconf.testing.SampleEntries.v4;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.testing.ReadBack;
import net.sluice.core.testing.SessionNews;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.value.Direction;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.onos.southbound.master.CallServer;
import net.sluice.onos.southbound.master.EpochLeases;
import net.sluice.onos.testing.TestMessages;
import net.sluice.onos.testing.TestSwitch;
import net.sluice.onos.testing.WireClient;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.testing.SampleEntries;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import p4.v1.P4RuntimeOuterClass.CounterEntry;

/** A switch that another instance is master of, over messages that are late, lost or overtaken. */
class ForwardedCallsTest {
  private static final NodeId MASTER = NodeId.nodeId("10.0.0.2");
  private static final NodeId LEADER = NodeId.nodeId("10.0.0.1");
  private static final NodeId NEXT = NodeId.nodeId("10.0.0.3");
  private static final Duration LATE = Duration.ofSeconds(30);

  private final TestSwitch master = new TestSwitch();
  private final TestMessages messages = new TestMessages(master.time.scheduler());
  private final CallServer server =
      new CallServer(
          messages.of(MASTER),
          (device, pipeconf) -> master.readiness,
          master.leases,
          100,
          master.time.scheduler());
  private final OnosSwitchTarget target = target(LEADER, 1);
  private final List<String> session = new ArrayList<>();

  /** The switch as a leader has it. */
  private OnosSwitchTarget target(NodeId leader, long epoch) {
    return master.target(
        () -> new ForwardedCalls(messages.of(leader), MASTER, DEVICE, Pipeconfs.V1MODEL, epoch));
  }

  private void connect() {
    target.connect(new SessionNews(session));
    master.time.pass(TestSwitch.ANSWER);
  }

  private TestSwitch.Answer send(OnosSwitchTarget to, Op op, SwitchEntry... entries) {
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    for (SwitchEntry entry : entries) {
      batch.add(op, entry);
    }
    TestSwitch.Answer answer = new TestSwitch.Answer(batch.size());
    to.write(batch, answer);
    return answer;
  }

  private List<String> write(Op op, SwitchEntry... entries) {
    TestSwitch.Answer answer = send(target, op, entries);
    master.time.pass(TestSwitch.ANSWER);
    return answer.lines;
  }

  private ReadBack<SwitchEntry> read(ExpectedEntries<SwitchEntry> known) {
    ReadBack<SwitchEntry> read = new ReadBack<>();
    target.read(known, read);
    for (int i = 0; i < 100 && read.end.isEmpty(); i++) {
      master.time.pass(Duration.ofSeconds(1));
    }
    return read;
  }

  private List<SwitchEntry> prefixes() {
    return read(ExpectedEntries.none()).entries.stream()
        .filter(entry -> entry.table() == Table.IPV4_PREFIX)
        .toList();
  }

  @Test
  void whatIsWrittenIsReadBackAndAnsweredOneByOne() {
    connect();
    assertThat(session).containsExactly("up");
    List<SwitchEntry> entries = SampleEntries.all();
    assertThat(write(Op.INSERT, entries.toArray(SwitchEntry[]::new))).containsOnly("OK");
    ReadBack<SwitchEntry> read = read(ExpectedEntries.none());
    assertThat(read.end).containsExactly("complete");
    assertThat(read.entries).containsExactlyInAnyOrderElementsOf(entries);
    assertThat(write(Op.DELETE, entries.toArray(SwitchEntry[]::new))).containsOnly("OK");

    master.memory.resize(PIPELINE.entries().tableIds(Table.IPV4_PREFIX).get(0), 1);
    assertThat(
            write(
                Op.INSERT, v4(1, ALICE), v4(1, BOB), new PolicyValueEntry(1, 2000, 1), v4(2, BOB)))
        .containsExactly(
            "OK",
            "ALREADY_EXISTS ALREADY_EXISTS: the entry is there",
            "REFUSED rateBin is 2000; allowed: 0 to 1023",
            "REFUSED RESOURCE_EXHAUSTED: the table holds 1 entries");
  }

  @Test
  void aLargeTableIsReadByItsKeys() {
    connect();
    int many = 60_000;
    IntStream.range(0, many)
        .forEach(i -> master.memory.place(PIPELINE.entries().encode(v4(i, ALICE))));
    ExpectedEntries<SwitchEntry> known =
        new ExpectedEntries<>() {
          @Override
          public long count(Table table) {
            return table == Table.IPV4_PREFIX ? many : 0;
          }

          @Override
          public Cursor<SwitchEntry> entries(Table table) {
            int[] next = new int[1];
            return max -> {
              int from = next[0];
              next[0] = table == Table.IPV4_PREFIX ? Math.min(many, from + max) : 0;
              return IntStream.range(from, next[0])
                  .<SwitchEntry>mapToObj(i -> v4(i, ALICE))
                  .toList();
            };
          }
        };
    ReadBack<SwitchEntry> read = read(known);
    assertThat(read.end).containsExactly("complete");
    assertThat(read.entries).hasSize(many);
    assertThat(master.memory.largestRead()).isEqualTo(BoundedReading.KEYS_PER_READ);
  }

  @Test
  void countersAreRead() {
    connect();
    CounterEntry cell = PIPELINE.counters().read(Point.OUT, 5, Direction.DOWN).getCounterEntry();
    master.memory.count(cell.getCounterId(), cell.getIndex().getIndex(), 3, 700);
    CompletableFuture<SubscriberCounters> counters = target.readCounters(5);
    master.time.pass(TestSwitch.ANSWER);
    assertThat(counters.join().down().out().bytes()).isEqualTo(700);
  }

  @Test
  void whatKeepsTheMasterFromTheSwitchIsTold() {
    master.notReady = new NotReadyException("ONOS instance 10.0.0.3 is master of " + DEVICE);
    connect();
    assertThat(session).containsExactly("down: ONOS instance 10.0.0.3 is master of " + DEVICE);

    session.clear();
    master.notReady = null;
    master.client.programSet = CompletableFuture.completedFuture(false);
    connect();
    assertThat(session.get(0)).startsWith("down: the switch runs another program than pipeconf");

    session.clear();
    master.client.programSet = CompletableFuture.completedFuture(true);
    connect();
    master.client = new WireClient(DEVICE, PIPELINE.p4Info(), master.memory, 2);
    master.time.pass(Duration.ofSeconds(6));
    assertThat(session).containsExactly("up", "down: ONOS has connected to the switch anew");
  }

  @Test
  void aMasterThatDoesNotAnswerIsNamed() {
    messages.kill(MASTER);
    connect();
    master.time.pass(LATE);
    assertThat(session).hasSize(1);
    assertThat(session.get(0))
        .isIn(
            "down: the switch has not told for 20 s whether it runs its program",
            "down: instance 10.0.0.2, which is master of "
                + DEVICE
                + ", does not answer: no answer to net.sluice.switch");
  }

  /** The switch may have been restarted meanwhile, with its program and without its entries. */
  @Test
  void aSwitchThatTheMasterLostForAMomentIsReadBack() {
    connect();
    String ended = "the switch is disconnected: the P4Runtime session with it has ended";
    master.lost.accept(ended);
    assertThat(write(Op.INSERT, v4(1, ALICE))).containsExactly("lost: " + ended);
    master.time.pass(Duration.ofSeconds(6));
    assertThat(session).containsExactly("up", "down: " + ended);
    connect();
    assertThat(session).last().isEqualTo("up");
    assertThat(master.lost).as("loss of the session that stands").isNotNull();
    assertThat(write(Op.INSERT, v4(1, ALICE))).containsExactly("OK");
  }

  @Test
  void aMasterThatHasBegunAnewKnowsNoSession() {
    connect();
    server.close();
    CallServer unused =
        new CallServer(
            messages.of(MASTER),
            (device, pipeconf) -> master.readiness,
            new EpochLeases(),
            7_000,
            master.time.scheduler());
    master.time.pass(Duration.ofSeconds(6));
    assertThat(session).containsExactly("up", "down: the session has ended");
  }

  /** The write is on its way while its session ends and the next one reads the switch. */
  @Test
  void whatASessionSentBeforeItsEndDoesNotArriveInTheNext() {
    connect();
    Deque<Duration> delays = new ArrayDeque<>(List.of(LATE));
    messages.delays(() -> delays.isEmpty() ? Duration.ofMillis(1) : delays.poll());
    TestSwitch.Answer late = send(target, Op.INSERT, v4(1, ALICE));
    master.time.pass(Duration.ofSeconds(1));
    target.disconnect();
    connect();
    assertThat(session).containsExactly("up", "up");
    assertThat(prefixes()).isEmpty();
    master.time.pass(LATE);
    assertThat(late.calls).isEqualTo(1);
    assertThat(prefixes()).as("it has been refused").isEmpty();
    assertThat(write(Op.INSERT, v4(2, BOB))).containsExactly("OK");
  }

  /** A leader that has not noticed that it is none, and the one after it. */
  @Test
  void whoeverTookOverLaterKeepsTheOneBeforeOut() {
    connect();
    OnosSwitchTarget next = target(NEXT, 2);
    List<String> nextSession = new ArrayList<>();
    next.connect(new SessionNews(nextSession));
    master.time.pass(TestSwitch.ANSWER);
    assertThat(nextSession).containsExactly("up");
    assertThat(write(Op.INSERT, v4(1, ALICE))).containsExactly("lost: the session has ended");

    target.connect(new SessionNews(session));
    master.time.pass(TestSwitch.ANSWER);
    assertThat(session)
        .last()
        .isEqualTo(
            "down: another controller, of epoch 2, has taken "
                + DEVICE
                + " over; this one's epoch is 1");
    TestSwitch.Answer answer = send(next, Op.INSERT, v4(1, BOB));
    master.time.pass(TestSwitch.ANSWER);
    assertThat(answer.lines).containsExactly("OK");

    // The master itself led before, and has not noticed either.
    assertThat(master.connect().session.get(0)).startsWith("down: another controller, of epoch 2");
  }

  /** The master led, has not noticed that it does no longer, and has a session of its own. */
  @Test
  void aMasterThatLedWritesNothingMoreOnceItsSuccessorHasASession() {
    assertThat(master.connect().session).containsExactly("up");
    OnosSwitchTarget next = target(NEXT, 2);
    List<String> nextSession = new ArrayList<>();
    next.connect(new SessionNews(nextSession));
    master.time.pass(TestSwitch.ANSWER);
    assertThat(nextSession).containsExactly("up");
    assertThat(master.write(Op.INSERT, v4(1, ALICE)))
        .containsExactly("lost: a later session with " + DEVICE + " has begun");
    master.time.pass(Duration.ofSeconds(6));
    assertThat(master.session)
        .containsExactly("up", "down: a later session with " + DEVICE + " has begun");
    assertThat(master.memory.table(PIPELINE.entries().tableIds(Table.IPV4_PREFIX).get(0)))
        .isEmpty();
  }

  /** The switch itself is slow: what was sent before is answered before anything is read. */
  @Test
  void aSessionBeginsWhenWhatWasSentBeforeHasBeenAnswered() {
    connect();
    master.memory.writesTake(Duration.ofMillis(500));
    TestSwitch.Answer first = send(target, Op.INSERT, v4(1, ALICE));
    master.time.pass(Duration.ofMillis(50));
    OnosSwitchTarget next = target(NEXT, 2);
    List<String> nextSession = new ArrayList<>();
    next.connect(new SessionNews(nextSession));
    master.time.pass(Duration.ofMillis(100));
    assertThat(nextSession).as("the write is not answered yet").isEmpty();
    master.time.pass(Duration.ofSeconds(1));
    assertThat(nextSession).containsExactly("up");
    assertThat(first.calls).isEqualTo(1);
  }

  /** Nothing of what a switch denies has been done, and the session is over that sent it. */
  @Test
  void whatTheSwitchDeniesIsNotTriedAgainAfterTheNextSessionHasBegun() {
    connect();
    master.memory.failWrites(Status.PERMISSION_DENIED::asRuntimeException);
    TestSwitch.Answer first = send(target, Op.INSERT, v4(1, ALICE));
    master.time.pass(Duration.ofMillis(50));
    master.memory.failWrites(() -> null);
    OnosSwitchTarget next = target(NEXT, 2);
    List<String> nextSession = new ArrayList<>();
    next.connect(new SessionNews(nextSession));
    master.time.pass(Duration.ofSeconds(1));
    assertThat(nextSession).containsExactly("up");
    assertThat(first.lines).containsExactly("lost: the session has ended");
    assertThat(master.memory.table(PIPELINE.entries().tableIds(Table.IPV4_PREFIX).get(0)))
        .isEmpty();
  }
}
