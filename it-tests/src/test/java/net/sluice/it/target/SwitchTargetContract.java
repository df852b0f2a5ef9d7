package net.sluice.it.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.Target;
import net.sluice.core.target.Target.WriteHandler;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.core.testing.ReadBack;
import net.sluice.core.testing.SessionNews;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SubscriberCounters.Shaped;
import net.sluice.core.traffic.SubscriberCounters.Traffic;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.WaitRange;
import net.sluice.pipeconf.testing.SampleEntries;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** What every way to drive a switch has to do, whatever the switch. */
abstract class SwitchTargetContract {
  static final V1ModelPipeline PIPELINE = V1ModelPipeline.load();
  static final long ELECTION_ID = 7;

  private SwitchServer server;
  private Target<SwitchEntry> target;
  private ManagedChannel other;

  /** Starts the switch, or skips the test where there is none. */
  abstract SwitchServer startServer();

  /** A target of it, not connected. */
  abstract Target<SwitchEntry> createTarget(SwitchServer of) throws Exception;

  /** What the switch runs. */
  CompiledProgram program() {
    return CompiledProgram.V1MODEL;
  }

  /** Traffic of which so much is counted at each place. */
  Traffic counted(Count each) {
    Map<WaitRange, Count> waits = new EnumMap<>(WaitRange.class);
    for (WaitRange range : WaitRange.values()) {
      waits.put(range, each);
    }
    return new Traffic(
        Optional.of(each),
        each,
        Optional.of(each),
        Optional.of(each),
        Optional.of(each),
        Optional.of(new Shaped(each, each, each, waits)));
  }

  SwitchEntry v4(int number, SubscriberData data) {
    return SampleEntries.v4(program(), number, data);
  }

  /** What the switch says of an entry that finds its table full. */
  String wordsOfAFullTable() {
    return "RESOURCE_EXHAUSTED: ";
  }

  @BeforeEach
  void connect() throws Exception {
    server = startServer();
    target = createTarget(server);
    other = ManagedChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
    BlockingQueue<String> session = new LinkedBlockingQueue<>();
    target.connect(new SessionNews(session));
    assertThat(session.poll(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo("up");
  }

  @AfterEach
  void close() {
    if (target != null) {
      target.close();
      other.shutdownNow();
    }
    if (server != null) {
      server.close();
    }
  }

  Target<SwitchEntry> target() {
    return target;
  }

  /** Another client's connection. */
  ManagedChannel other() {
    return other;
  }

  static <T> T get(CompletableFuture<T> future)
      throws ExecutionException, InterruptedException, TimeoutException {
    return future.get(Patience.SECONDS, TimeUnit.SECONDS);
  }

  // ---------------------------------------------------------------- calls that wait

  /** The code, and the words if there are any, of each write; or why nothing is known. */
  List<String> write(WriteBatch<SwitchEntry> batch) throws Exception {
    Answer answer = new Answer(batch.size());
    target.write(batch, answer);
    return get(answer.lines);
  }

  List<String> write(Op op, List<? extends SwitchEntry> entries) throws Exception {
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    entries.forEach(entry -> batch.add(op, entry));
    return write(batch);
  }

  private static final class Answer implements WriteHandler {
    final CompletableFuture<List<String>> lines = new CompletableFuture<>();
    private final int size;

    Answer(int size) {
      this.size = size;
    }

    @Override
    public void done(WriteResults results) {
      List<String> all = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        boolean refused = results.code(i) == WriteCode.REFUSED;
        all.add(refused ? "REFUSED " + results.message(i) : results.code(i).name());
      }
      lines.complete(all);
    }

    @Override
    public void lost(String reason) {
      lines.complete(List.of("lost"));
    }
  }

  ReadBack<SwitchEntry> read(ExpectedEntries<SwitchEntry> known) throws Exception {
    ReadBack<SwitchEntry> read = new ReadBack<>();
    target.read(known, read);
    assertThat(read.end.poll(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo("complete");
    return read;
  }

  private void writeAsAnother(Update update) {
    P4RuntimeGrpc.newBlockingStub(other)
        .withDeadlineAfter(Patience.SECONDS, TimeUnit.SECONDS)
        .write(
            WriteRequest.newBuilder()
                .setDeviceId(server.deviceId())
                .setElectionId(Uint128.newBuilder().setLow(ELECTION_ID))
                .addUpdates(update)
                .build());
  }

  // ---------------------------------------------------------------- the contract

  /** At least one of each entry that can be written on this way. */
  protected List<SwitchEntry> samples() {
    return SampleEntries.of(program());
  }

  @Test
  void entriesOfEveryTableAreWrittenReadChangedAndDeleted() throws Exception {
    List<SwitchEntry> entries = samples();
    assertThat(write(Op.INSERT, entries)).containsOnly("OK");
    ReadBack<SwitchEntry> read = read(ExpectedEntries.none());
    assertThat(read.malformed).isEmpty();
    assertThat(read.entries).containsExactlyInAnyOrderElementsOf(entries);

    assertThat(write(Op.MODIFY, entries)).containsOnly("OK");
    SwitchEntry changed = new PolicyValueEntry(1, 0, 7);
    assertThat(write(Op.MODIFY, List.of(changed))).containsOnly("OK");
    assertThat(read(ExpectedEntries.none()).entries).hasSameSizeAs(entries).contains(changed);

    assertThat(write(Op.DELETE, entries)).containsOnly("OK");
    assertThat(read(ExpectedEntries.none()).entries).isEmpty();
  }

  @Test
  void everyUpdateHasItsOwnAnswer() throws Exception {
    // Without tags: a program that checks no senders does not tell them from others.
    SwitchEntry there = v4(1, new SubscriberData(1, 2, 3, 0x2468, true, false));
    SwitchEntry absent = v4(2, SampleEntries.ALICE);
    SwitchEntry more = v4(3, new SubscriberData(2, 63, 510, 0, false, true));
    assertThat(write(Op.INSERT, List.of(there))).containsExactly("OK");
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    batch.add(Op.INSERT, there);
    batch.add(Op.MODIFY, absent);
    batch.add(Op.INSERT, new PolicyValueEntry(1, 2000, 1));
    batch.add(Op.INSERT, more);
    assertThat(write(batch))
        .containsExactly(
            "ALREADY_EXISTS", "NOT_FOUND", "REFUSED rateBin is 2000; allowed: 0 to 1023", "OK");
    assertThat(read(ExpectedEntries.none()).entries).containsExactlyInAnyOrder(there, more);
  }

  @Test
  void aFullTableIsToldByTheEntryThatFoundItFull() throws Exception {
    int size = program().entries().size(Table.RATE_BIN);
    List<SwitchEntry> ranges = new ArrayList<>();
    for (int i = 0; i <= size; i++) {
      ranges.add(new RateBinEntry(i & 1023, 8L * i, 8L * i + 7));
    }
    assertThat(write(Op.INSERT, ranges.subList(0, 600))).containsOnly("OK");
    List<String> rest = write(Op.INSERT, ranges.subList(600, size + 1));
    assertThat(rest.subList(0, size - 600)).containsOnly("OK");
    assertThat(rest.get(size - 600)).startsWith("REFUSED " + wordsOfAFullTable());
    assertThat(read(ExpectedEntries.none()).entries)
        .containsExactlyInAnyOrderElementsOf(ranges.subList(0, size));
  }

  @Test
  void whatIsNoneOfOursIsNamedAndCanBeRemoved() throws Exception {
    SwitchEntry ours = new RateBinEntry(3, 32, 39);
    TableEntry strange =
        program().entries().encode(new RateBinEntry(4, 40, 47)).toBuilder().setPriority(77).build();
    write(Op.INSERT, List.of(ours));
    writeAsAnother(
        Update.newBuilder()
            .setType(Update.Type.INSERT)
            .setEntity(Entity.newBuilder().setTableEntry(strange))
            .build());
    ReadBack<SwitchEntry> read = read(ExpectedEntries.none());
    assertThat(read.entries).containsExactly(ours);
    assertThat(read.malformed).containsExactly("its priority is 77 instead of 1");
    Answer removed = new Answer(1);
    read.removals.get(0).run(removed);
    assertThat(get(removed.lines)).containsExactly("OK");
    assertThat(read(ExpectedEntries.none()).malformed).isEmpty();
  }

  /** Has three packets of 200 bytes counted on the way down everywhere. */
  private void countThree(int index) throws Exception {
    for (Point point : program().counters().points()) {
      CounterEntry cell = program().counters().read(point, index, Direction.DOWN).getCounterEntry();
      writeAsAnother(
          Update.newBuilder()
              .setType(Update.Type.MODIFY)
              .setEntity(
                  Entity.newBuilder()
                      .setCounterEntry(
                          cell.toBuilder()
                              .setData(
                                  CounterData.newBuilder().setPacketCount(3).setByteCount(200))))
              .build());
    }
  }

  @Test
  void countersOfManyAreReadAtOnce() throws Exception {
    countThree(9);
    countThree(700);
    BitSet indices = new BitSet();
    indices.set(1, 800);
    Map<String, Long> told = new TreeMap<>();
    CounterSource counters = (CounterSource) target;
    Set<Point> points = program().counters().points();
    get(
        counters.readAll(
            new CounterSource.Wanted(indices, points),
            (point, direction, index, packets, bytes) -> {
              if (packets != 0 || bytes != 0) {
                told.put(point + " " + direction + " " + index, packets << 10 | bytes);
              }
            }));
    Map<String, Long> expected = new TreeMap<>();
    for (Point point : points) {
      for (int index : new int[] {9, 700}) {
        expected.put(point + " " + Direction.DOWN + " " + index, 3L << 10 | 200);
      }
    }
    assertThat(told).isEqualTo(expected);
    target.disconnect();
    assertThat(counters.readAll(new CounterSource.Wanted(indices, points), null))
        .isCompletedExceptionally();
  }

  @Test
  void countersAreReadAndClearedWhenTheirSubscriberGoes() throws Exception {
    SubscriberData data = new SubscriberData(9, 1, 1, 0, false, false);
    write(Op.INSERT, List.of(v4(9, data)));
    countThree(9);
    Traffic none = counted(Count.NONE);
    CounterSource counters = (CounterSource) target;
    assertThat(get(counters.readCounters(9)))
        .isEqualTo(new SubscriberCounters(counted(new Count(3, 200)), none));
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    batch.add(Op.DELETE, v4(9, data), true);
    SwitchEntry limit = new SubscriberLimitEntry(9, Direction.DOWN, new Attachment(0, 1), 249);
    if (program().counters().points().contains(Point.LIMIT_FIRST)) {
      write(Op.INSERT, List.of(limit));
      batch.add(Op.DELETE, limit, false);
    }
    assertThat(write(batch)).containsOnly("OK");
    assertThat(get(counters.readCounters(9))).isEqualTo(new SubscriberCounters(none, none));
  }

  @Test
  void aWriteToASwitchThatIsGoneIsLost() throws Exception {
    server.close();
    assertThat(write(Op.INSERT, List.of(v4(1, SampleEntries.ALICE)))).containsExactly("lost");
  }
}
