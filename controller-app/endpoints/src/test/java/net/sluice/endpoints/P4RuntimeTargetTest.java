package net.sluice.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.core.Servers.Tls;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.core.testing.ReadBack;
import net.sluice.core.testing.SessionNews;
import net.sluice.core.testing.VirtualTime;
import net.sluice.core.traffic.DropStatus;
import net.sluice.core.traffic.QueueCounters;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SubscriberCounters.Shaped;
import net.sluice.core.traffic.SubscriberCounters.Traffic;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.queue.MirrorEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.pipeconf.CounterCodec.QueueEvent;
import net.sluice.pipeconf.DropReason;
import net.sluice.pipeconf.PacketCodec;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.WaitRange;
import net.sluice.testing.Patience;
import net.sluice.testing.SelfSigned;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import p4.v1.P4RuntimeOuterClass;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** Against a P4Runtime server that answers as a test says. */
class P4RuntimeTargetTest {
  private static final V1ModelPipeline PIPELINE = V1ModelPipeline.load();

  private final FakeP4RuntimeServer fake = new FakeP4RuntimeServer(PIPELINE.cookie());
  private final BlockingQueue<String> session = new LinkedBlockingQueue<>();
  private final VirtualTime time = new VirtualTime();
  private Server server;
  private P4RuntimeTarget target;

  @BeforeEach
  void start() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(fake)
            .build()
            .start();
    target = targetAt(server.getPort());
  }

  private P4RuntimeTarget targetAt(int port) {
    return new P4RuntimeTarget(
        "switch", new SwitchEndpoint("127.0.0.1", port, 7, 99), PIPELINE, time.scheduler());
  }

  @AfterEach
  void stop() {
    target.close();
    server.shutdownNow();
  }

  private <T> T next(BlockingQueue<T> queue) {
    return Patience.next(queue);
  }

  private void connect() {
    target.connect(new SessionNews(session));
  }

  private void connected() throws InterruptedException {
    connect();
    assertThat(next(session)).isEqualTo("up");
    fake.requests.clear();
  }

  private static SwitchEntry route(String prefix) {
    return new RouteEntry(IpPrefix.parse(prefix), 1);
  }

  @Test
  void aSessionIsPrimaryAndDoesNotLoadAProgramThatRuns() throws InterruptedException {
    connect();
    assertThat(next(session)).isEqualTo("up");
    StreamMessageRequest arbitration = (StreamMessageRequest) next(fake.requests);
    assertThat(arbitration.getArbitration().getDeviceId()).isEqualTo(7);
    assertThat(arbitration.getArbitration().getElectionId().getLow()).isEqualTo(99);
    assertThat(next(fake.requests)).isInstanceOf(GetForwardingPipelineConfigRequest.class);
    assertThat(fake.requests).isEmpty();
  }

  @Test
  void anotherProgramIsReplaced() throws InterruptedException {
    fake.cookie = 1;
    connect();
    assertThat(next(session)).isEqualTo("up");
    next(fake.requests);
    next(fake.requests);
    assertLoaded((SetForwardingPipelineConfigRequest) next(fake.requests));
  }

  @Test
  void aSwitchWithoutAProgramGetsOne() throws InterruptedException {
    fake.configStatus = Status.FAILED_PRECONDITION;
    connect();
    assertThat(next(session)).isEqualTo("up");
    next(fake.requests);
    assertLoaded((SetForwardingPipelineConfigRequest) next(fake.requests));
  }

  private static void assertLoaded(SetForwardingPipelineConfigRequest load) {
    assertThat(load.getAction())
        .isEqualTo(SetForwardingPipelineConfigRequest.Action.VERIFY_AND_COMMIT);
    assertThat(load.getConfig()).isEqualTo(PIPELINE.forwardingPipelineConfig());
    assertThat(load.getElectionId().getLow()).isEqualTo(99);
  }

  @Test
  void aProgramThatIsReplacedOrAServerThatDoesNotAnswerEndsTheSession()
      throws InterruptedException {
    connected();
    passUntil("a probe", () -> !fake.requests.isEmpty());
    assertThat(next(fake.requests)).isInstanceOf(GetForwardingPipelineConfigRequest.class);
    assertThat(session).isEmpty();
    fake.cookie = 1;
    passUntilDown();
    assertThat(next(session)).isEqualTo("down: the switch's program was replaced");

    fake.cookie = PIPELINE.cookie();
    connected();
    fake.configStatus = Status.INTERNAL.withDescription("wedged");
    passUntilDown();
    assertThat(next(session)).isEqualTo("down: the switch does not answer: INTERNAL: wedged");
  }

  /** The next probe is scheduled only when the one before is answered, on another thread. */
  private void passUntil(String what, BooleanSupplier condition) {
    Patience.await(
        what,
        () -> {
          time.pass(Duration.ofSeconds(5));
          return condition.getAsBoolean();
        });
  }

  private void passUntilDown() {
    passUntil("the end of the session", () -> !session.isEmpty());
  }

  @Test
  void countersOfAnIndexThatBecomesFreeAreCleared() throws InterruptedException {
    connected();
    SwitchEntry gone =
        new SubscriberPrefixEntry(
            IpPrefix.parse("10.0.0.1/32"), new SubscriberData(5, 1, 1, 0, false, false));
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    batch.add(Op.DELETE, gone, true);
    batch.add(Op.INSERT, route("10.2.0.0/16"));
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder().setCode(Status.Code.UNKNOWN.value());
    status.addDetails(error(Status.Code.NOT_FOUND, "no such entry"));
    int cells = PIPELINE.counters().clear(5).size();
    for (int i = 0; i < cells; i++) {
      status.addDetails(error(Status.Code.UNIMPLEMENTED, "counters cannot be written"));
    }
    status.addDetails(error(Status.Code.ALREADY_EXISTS, "there"));
    fake.writeFailure = StatusProto.toStatusRuntimeException(status.build());

    WriteResults results = (WriteResults) write(batch);
    assertThat(results.code(0)).isEqualTo(WriteCode.NOT_FOUND);
    assertThat(results.code(1)).isEqualTo(WriteCode.ALREADY_EXISTS);
    WriteRequest request = (WriteRequest) next(fake.requests);
    assertThat(request.getUpdatesCount()).isEqualTo(2 + cells);
    assertThat(request.getUpdatesList()).containsAll(PIPELINE.counters().clear(5));
  }

  @Test
  void whoIsNotPrimaryHasNoSessionAndIsToldTheRemedy() throws InterruptedException {
    fake.arbitration = Status.ALREADY_EXISTS;
    fake.highestElectionId = 500;
    connect();
    assertThat(next(session))
        .isEqualTo(
            "down: another controller is primary, with election id 500; this one has 99 and changes"
                + " nothing. To have it take over, stop that one, or start this one with"
                + " --election-id 501 or more");
    assertThat(target.electionId()).isEqualTo(99);
    assertThat(fake.requests).filteredOn(StreamMessageRequest.class::isInstance).hasSize(1);
  }

  /** A controller with election id 500 has been there and is gone. */
  @Test
  void whereNobodyIsPrimaryAHigherElectionIdIsTakenAndKept() throws InterruptedException {
    fake.highestElectionId = 500;
    connect();
    assertThat(next(session)).isEqualTo("up");
    assertThat(target.electionId()).isEqualTo(501);
    fake.requests.clear();
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    batch.add(Op.INSERT, route("10.0.0.0/8"));
    write(batch);
    assertThat(((WriteRequest) next(fake.requests)).getElectionId().getLow()).isEqualTo(501);

    connected();
    assertThat(fake.highestElectionId).isEqualTo(501);
  }

  @Test
  void whoIsToKeepItsElectionIdSaysThatNobodyIsPrimary() throws InterruptedException {
    target.close();
    target =
        new P4RuntimeTarget(
            "switch",
            new SwitchEndpoint("127.0.0.1", server.getPort(), 7, 99, false),
            PIPELINE,
            new VirtualTime().scheduler());
    fake.highestElectionId = 500;
    connect();
    assertThat(next(session))
        .isEqualTo(
            "down: no controller is primary: the switch wants election id 500 or more, which one"
                + " that is gone has had; this one has 99. To have it take over, start this one"
                + " with --election-id 501 or more");
  }

  @Test
  void aSwitchThatMakesNobodyPrimaryIsAskedTwiceASession() throws InterruptedException {
    fake.arbitration = Status.NOT_FOUND;
    connect();
    assertThat(next(session)).startsWith("down: no controller is primary");
    // The end of the stream comes there, too, soon or late.
    assertThat(fake.requests).filteredOn(StreamMessageRequest.class::isInstance).hasSize(2);
  }

  @Test
  void losingThePrimaryRoleOrTheStreamEndsTheSession() throws InterruptedException {
    connected();
    fake.stream.onError(Status.INTERNAL.withDescription("crashed").asRuntimeException());
    assertThat(next(session)).isEqualTo("down: INTERNAL: crashed");
    connected();
    fake.stream.onCompleted();
    assertThat(next(session)).isEqualTo("down: the switch closed the session");
  }

  @Test
  void aSwitchThatDoesNotSayWhoIsPrimaryIsGivenUp() throws InterruptedException {
    fake.silent = true;
    connect();
    next(fake.requests);
    time.pass(Duration.ofSeconds(9));
    assertThat(session).isEmpty();
    time.pass(Duration.ofSeconds(1));
    assertThat(next(session))
        .isEqualTo("down: the switch has not made this controller primary within 10 s");
  }

  @Test
  void aReadingThatStandsStillIsGivenUp() throws InterruptedException {
    connected();
    fake.endless = true;
    ReadBack<SwitchEntry> reading = new ReadBack<>();
    target.read(reading);
    next(fake.requests);
    time.pass(Duration.ofSeconds(59));
    assertThat(reading.end).isEmpty();
    time.pass(Duration.ofSeconds(1));
    assertThat(next(reading.end))
        .isEqualTo("failed: CANCELLED: the switch has sent nothing for 30 s");
  }

  @Test
  void noServerNoSession() throws Exception {
    // A port that is taken, so that nobody else comes to listen at it, and not listened at.
    try (Socket silent = new Socket()) {
      silent.bind(new InetSocketAddress("127.0.0.1", 0));
      target = targetAt(silent.getLocalPort());
      connect();
      assertThat(next(session))
          .isEqualTo("down: nothing listens at 127.0.0.1:" + silent.getLocalPort());
    }
  }

  private static final class Answer implements Target.WriteHandler {
    final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();

    @Override
    public void done(WriteResults results) {
      answers.add(results);
    }

    @Override
    public void lost(String reason) {
      answers.add(reason);
    }
  }

  private Object write(WriteBatch<SwitchEntry> batch) throws InterruptedException {
    Answer answer = new Answer();
    target.write(batch, answer);
    return next(answer.answers);
  }

  @Test
  void aBatchIsOneRequestThatGoesOnAfterErrors() throws InterruptedException {
    connected();
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    batch.add(Op.INSERT, route("10.0.0.0/8"));
    batch.add(Op.DELETE, route("10.1.0.0/16"));
    assertThat(write(batch)).isEqualTo(WriteResults.allOk());

    WriteRequest request = (WriteRequest) next(fake.requests);
    assertThat(request.getDeviceId()).isEqualTo(7);
    assertThat(request.getElectionId().getLow()).isEqualTo(99);
    assertThat(request.getAtomicity()).isEqualTo(WriteRequest.Atomicity.CONTINUE_ON_ERROR);
    assertThat(request.getUpdatesList())
        .containsExactly(
            PIPELINE.entries().update(Op.INSERT, route("10.0.0.0/8")),
            PIPELINE.entries().update(Op.DELETE, route("10.1.0.0/16")));
  }

  private static Any error(Status.Code code, String message) {
    return Any.pack(
        P4RuntimeOuterClass.Error.newBuilder()
            .setCanonicalCode(code.value())
            .setMessage(message)
            .build());
  }

  @Test
  void errorsOfSingleUpdatesAreTakenFromTheTrailer() throws InterruptedException {
    connected();
    List<Any> details = new ArrayList<>();
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    // More than the 8 KiB that trailers may have by default.
    for (int i = 0; i < 1000; i++) {
      batch.add(Op.INSERT, route("10.0." + i / 250 + "." + i % 250 + "/32"));
      Status.Code code =
          switch (i) {
            case 0 -> Status.Code.OK;
            case 1 -> Status.Code.ALREADY_EXISTS;
            case 2 -> Status.Code.NOT_FOUND;
            case 3 -> Status.Code.UNAVAILABLE;
            default -> Status.Code.RESOURCE_EXHAUSTED;
          };
      details.add(error(code, i == 0 ? "" : "table full, entry " + i));
    }
    fake.writeFailure =
        StatusProto.toStatusRuntimeException(
            com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.UNKNOWN.value())
                .addAllDetails(details)
                .build());

    WriteResults results = (WriteResults) write(batch);
    assertThat(results.code(0)).isEqualTo(WriteCode.OK);
    assertThat(results.code(1)).isEqualTo(WriteCode.ALREADY_EXISTS);
    assertThat(results.code(2)).isEqualTo(WriteCode.NOT_FOUND);
    assertThat(results.code(3)).isEqualTo(WriteCode.UNAVAILABLE);
    assertThat(results.code(999)).isEqualTo(WriteCode.REFUSED);
    assertThat(results.message(999)).isEqualTo("RESOURCE_EXHAUSTED: table full, entry 999");
  }

  @Test
  void aFailedCallIsEitherLostOrRefusedAsAWhole() throws InterruptedException {
    connected();
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    batch.add(Op.INSERT, route("10.0.0.0/8"));
    fake.writeFailure = Status.UNAVAILABLE.withDescription("restarting").asRuntimeException();
    assertThat(write(batch)).isEqualTo("UNAVAILABLE: restarting");
    fake.writeFailure =
        Status.PERMISSION_DENIED.withDescription("not primary").asRuntimeException();
    assertThat(write(batch)).isEqualTo("PERMISSION_DENIED: not primary");
    fake.writeFailure = Status.INVALID_ARGUMENT.withDescription("bad device").asRuntimeException();
    WriteResults results = (WriteResults) write(batch);
    assertThat(results.code(0)).isEqualTo(WriteCode.REFUSED);
    assertThat(results.message(0)).isEqualTo("INVALID_ARGUMENT: bad device");
  }

  @Test
  void anEntryThatDoesNotFitIsNotSentAndTheOthersAre() throws InterruptedException {
    connected();
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    batch.add(Op.INSERT, route("10.0.0.0/8"));
    batch.add(Op.INSERT, new RouteEntry(IpPrefix.parse("10.1.0.0/16"), 1 << 20));
    batch.add(Op.INSERT, route("10.2.0.0/16"));
    fake.writeFailure =
        StatusProto.toStatusRuntimeException(
            com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.UNKNOWN.value())
                .addDetails(error(Status.Code.OK, ""))
                .addDetails(error(Status.Code.NOT_FOUND, "gone"))
                .build());
    WriteResults results = (WriteResults) write(batch);
    assertThat(((WriteRequest) next(fake.requests)).getUpdatesCount()).isEqualTo(2);
    assertThat(results.code(0)).isEqualTo(WriteCode.OK);
    assertThat(results.code(1)).isEqualTo(WriteCode.REFUSED);
    assertThat(results.message(1)).contains("1048576");
    assertThat(results.code(2)).isEqualTo(WriteCode.NOT_FOUND);
  }

  @Test
  void everythingIsReadBackAndWhatIsNotOursCanBeRemoved() throws InterruptedException {
    connected();
    TableEntry known = PIPELINE.entries().encode(route("10.0.0.0/8"));
    TableEntry malformed =
        known.toBuilder()
            .setMatch(
                0,
                FieldMatch.newBuilder()
                    .setFieldId(known.getMatch(0).getFieldId())
                    .setLpm(
                        FieldMatch.LPM
                            .newBuilder()
                            .setValue(ByteString.copyFrom(new byte[] {11, 0, 0, 0}))
                            .setPrefixLen(77)))
            .build();
    TableEntry defaultAction = known.toBuilder().clearMatch().setIsDefaultAction(true).build();
    fake.answers =
        List.of(
            answer(known),
            answer(malformed, defaultAction),
            answer(PIPELINE.entries().encode(route("2001:db8::/32"))));
    ReadBack<SwitchEntry> reading = new ReadBack<>();
    target.read(reading);

    assertThat(next(reading.end)).isEqualTo("complete");
    assertThat(reading.entries).containsExactly(route("10.0.0.0/8"), route("2001:db8::/32"));
    assertThat(((ReadRequest) next(fake.requests)).getEntitiesCount())
        .isEqualTo(PIPELINE.entries().tables().size());
    assertThat(reading.removals).hasSize(1);
    Answer removed = new Answer();
    reading.removals.get(0).run(removed);
    next(removed.answers);
    Update update = ((WriteRequest) next(fake.requests)).getUpdates(0);
    assertThat(update.getType()).isEqualTo(Update.Type.DELETE);
    assertThat(update.getEntity().getTableEntry()).isEqualTo(malformed);
  }

  /** A switch that cannot read clone sessions is not asked for what nobody expects of it. */
  @Test
  void theSessionOfMirroredPacketsIsReadWhereOneIsExpected() throws InterruptedException {
    connected();
    fake.answers =
        List.of(
            ReadResponse.newBuilder()
                .addEntities(PIPELINE.entries().update(Op.INSERT, new MirrorEntry(9)).getEntity())
                .build());
    ExpectedEntries<SwitchEntry> known =
        new ExpectedEntries<>() {
          @Override
          public long count(Table table) {
            return table == Table.MIRROR ? 1 : 0;
          }

          @Override
          public Cursor<SwitchEntry> entries(Table table) {
            return max -> List.of();
          }
        };
    ReadBack<SwitchEntry> reading = new ReadBack<>();
    target.read(known, reading);
    assertThat(next(reading.end)).isEqualTo("complete");
    assertThat(reading.entries).containsExactly(new MirrorEntry(9));
    List<Entity> asked = ((ReadRequest) next(fake.requests)).getEntitiesList();
    assertThat(asked).hasSize(PIPELINE.entries().tables().size() + 1);
    assertThat(asked).containsAll(PIPELINE.entries().readAll(Table.MIRROR));
  }

  private static ReadResponse answer(TableEntry... entries) {
    ReadResponse.Builder response = ReadResponse.newBuilder();
    for (TableEntry entry : entries) {
      response.addEntities(Entity.newBuilder().setTableEntry(entry));
    }
    return response.build();
  }

  @Test
  void countersAreReadPerDirectionAndPoint() throws Exception {
    connected();
    ReadResponse.Builder cells = ReadResponse.newBuilder();
    for (Entity cell : requestedCells()) {
      CounterEntry entry = cell.getCounterEntry();
      long packets = 100L * (entry.getCounterId() % 97) + entry.getIndex().getIndex();
      cells.addEntities(
          Entity.newBuilder()
              .setCounterEntry(
                  entry.toBuilder()
                      .setData(
                          CounterData.newBuilder()
                              .setPacketCount(packets)
                              .setByteCount(1000 * packets))));
    }
    fake.answers = List.of(cells.build());
    SubscriberCounters counters = target.readCounters(5).get(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(counters.down()).isNotEqualTo(counters.up());
    for (Traffic traffic : List.of(counters.down(), counters.up())) {
      for (Count count : List.of(traffic.in().orElseThrow(), traffic.out())) {
        assertThat(count.bytes()).isEqualTo(1000 * count.packets());
      }
    }
    assertThat(counters.up().in().orElseThrow().packets())
        .isEqualTo(counters.down().in().orElseThrow().packets() + 1);
    Shaped down = counters.down().shaped().orElseThrow();
    long first = down.waits().get(WaitRange.UP_TO_1_MILLI).packets();
    assertThat(down.waits().values())
        .extracting(Count::packets)
        .containsExactly(first, first + 1, first + 2, first + 3, first + 4);
    assertThat(Stream.of(down.dropped(), down.marked(), down.first()).map(Count::packets))
        .containsExactly(first + 5, first + 6, first + 7);
    assertThat(counters.up().out().packets()).isEqualTo(counters.down().out().packets() + 1);
  }

  @Test
  void copiesOfUnknownTrafficAreAskedForAndAllOfItIsReadByPort() throws Exception {
    connected();
    target.copyUnknown();
    assertThat(((WriteRequest) next(fake.requests)).getUpdatesList())
        .containsExactly(PacketCodec.copiesOfUnknown());
    ReadResponse.Builder cells = ReadResponse.newBuilder();
    for (int port : List.of(1, 9)) {
      CounterEntry entry = PIPELINE.counters().readUnknown(port).get(0).getCounterEntry();
      cells.addEntities(
          Entity.newBuilder()
              .setCounterEntry(
                  entry.toBuilder()
                      .setData(
                          CounterData.newBuilder().setPacketCount(port).setByteCount(60L * port))));
    }
    fake.answers = List.of(cells.build());
    assertThat(target.readUnknown(List.of(1, 9)).get(Patience.SECONDS, TimeUnit.SECONDS))
        .isEqualTo(Map.of(1, new Count(1, 60), 9, new Count(9, 540)));
  }

  @Test
  void countersOfQueuesAreReadTogetherAndToldInOrder() throws Exception {
    connected();
    List<PortQueue> queues = List.of(new PortQueue(7, 1), new PortQueue(2, 0));
    ReadResponse.Builder cells = ReadResponse.newBuilder();
    for (QueueEvent event : QueueEvent.values()) {
      CounterEntry of7 = PIPELINE.counters().readQueue(7, 1).get(event.ordinal()).getCounterEntry();
      cells.addEntities(
          Entity.newBuilder()
              .setCounterEntry(
                  of7.toBuilder()
                      .setData(
                          CounterData.newBuilder()
                              .setPacketCount(event.ordinal() + 1)
                              .setByteCount(10L * (event.ordinal() + 1)))));
    }
    fake.answers = List.of(cells.build());
    assertThat(target.readQueues(queues).get(Patience.SECONDS, TimeUnit.SECONDS))
        .containsExactly(
            new QueueCounters(1, 10, 2, 20, 3, 4), new QueueCounters(0, 0, 0, 0, 0, 0));
    assertThat(((ReadRequest) next(fake.requests)).getEntitiesCount())
        .isEqualTo(2 * QueueEvent.values().length);
  }

  @Test
  void dropsAreToldByReason() throws Exception {
    connected();
    CounterEntry all = PIPELINE.counters().readDrops().getCounterEntry();
    ReadResponse.Builder cells = ReadResponse.newBuilder();
    for (DropReason reason : List.of(DropReason.SUSPENDED, DropReason.UNKNOWN_PORT)) {
      cells
          .addEntitiesBuilder()
          .setCounterEntry(
              all.toBuilder()
                  .setIndex(Index.newBuilder().setIndex(reason.code()))
                  .setData(CounterData.newBuilder().setPacketCount(7).setByteCount(700)));
    }
    fake.answers = List.of(cells.build());
    assertThat(target.readDrops().get(Patience.SECONDS, TimeUnit.SECONDS))
        .containsExactly(
            new DropStatus(Optional.empty(), DropReason.UNKNOWN_PORT, 7, 700),
            new DropStatus(Optional.empty(), DropReason.SUSPENDED, 7, 700));
    assertThat(((ReadRequest) next(fake.requests)).getEntitiesCount()).isEqualTo(1);
  }

  private List<Entity> requestedCells() throws Exception {
    target.readCounters(5).get(Patience.SECONDS, TimeUnit.SECONDS);
    return ((ReadRequest) next(fake.requests)).getEntitiesList();
  }

  @Test
  void withoutASessionNothingIsSent() {
    Answer answer = new Answer();
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    batch.add(Op.INSERT, route("10.0.0.0/8"));
    target.write(batch, answer);
    assertThat(answer.answers).containsExactly("not connected");
    ReadBack<SwitchEntry> reading = new ReadBack<>();
    target.read(reading);
    assertThat(reading.end).containsExactly("failed: not connected");
    assertThatThrownBy(() -> target.readCounters(1).get()).hasMessageContaining("not connected");
  }

  private String newsOver(int port, Optional<Tls> tls) throws InterruptedException {
    target.close();
    target =
        new P4RuntimeTarget(
            "switch",
            new SwitchEndpoint("127.0.0.1", port, 7, 99, false, tls),
            PIPELINE,
            time.scheduler());
    session.clear();
    connect();
    return next(session);
  }

  @Test
  void aSwitchIsReachedOverTlsIfBothProveWhoTheyAre(@TempDir Path folder) throws Exception {
    for (String name : List.of("switch", "controller", "other")) {
      SelfSigned.write(folder, name);
    }
    Server secured =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                TlsServerCredentials.newBuilder()
                    .keyManager(
                        folder.resolve("switch.pem").toFile(),
                        folder.resolve("switch.key").toFile())
                    .trustManager(folder.resolve("controller.pem").toFile())
                    .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                    .build())
            .addService(fake)
            .build()
            .start();
    try {
      int port = secured.getPort();
      Tls.Identity own =
          new Tls.Identity(folder.resolve("controller.pem"), folder.resolve("controller.key"));
      Tls.Identity foreign =
          new Tls.Identity(folder.resolve("other.pem"), folder.resolve("other.key"));
      Path known = folder.resolve("switch.pem");
      assertThat(newsOver(port, Optional.of(new Tls(known, Optional.of(own))))).isEqualTo("up");
      assertThat(newsOver(port, Optional.of(new Tls(known, Optional.of(foreign)))))
          .isNotEqualTo("up");
      assertThat(newsOver(port, Optional.of(new Tls(known, Optional.empty())))).isNotEqualTo("up");
      assertThat(
              newsOver(port, Optional.of(new Tls(folder.resolve("other.pem"), Optional.of(own)))))
          .isNotEqualTo("up");
      assertThat(newsOver(port, Optional.empty())).isNotEqualTo("up");
      assertThat(newsOver(port, Optional.of(new Tls(folder.resolve("none.pem"), Optional.of(own)))))
          .contains("the files for TLS cannot be used: ")
          .contains("none.pem");
    } finally {
      secured.shutdownNow();
    }
  }
}
