package net.sluice.emulator.server.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.trace.v1.DropReason;
import net.sluice.emulator.trace.v1.TableFilter;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.trace.v1.TraceFilter;
import net.sluice.emulator.trace.v1.TraceMessage;
import net.sluice.emulator.trace.v1.TracerGrpc;
import net.sluice.emulator.v1model.Probe;
import net.sluice.emulator.v1model.TestProgram;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.emulator.v1model.trace.TraceSession;
import net.sluice.emulator.v1model.trace.TracedProgram;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;

/** Sessions: what they get, how they end, and what they never hold up. */
class TracingTest {

  private final V1modelSwitch device = new V1modelSwitch(1, 1);
  private final Simulation simulation = new Simulation(1);
  private final SwitchNode node = new SwitchNode(simulation, device);
  private long now;

  private void install() {
    device.install(device.load(TestProgram.resource("constructs.json")));
  }

  /** A port that takes a packet and has the others wait, up to so many bytes. */
  private SwitchPort port(int number, long queueBytes) {
    return node.addPort(number, 1_000_000, queueBytes);
  }

  private void receive(byte[] packet) {
    SwitchPort in = node.port(0);
    simulation.schedule(now, (at, a) -> in.receive(packet, 0, packet.length, 0, at), 0);
    simulation.runUntil(now);
  }

  private void receive() {
    receive(Probe.op(9).with("word", 0x12).bytes());
  }

  private static TraceFilter none() {
    return TraceFilter.getDefaultInstance();
  }

  private static List<DropReason> reasons(TraceSession session) {
    return TracedProgram.all(session).stream()
        .map(t -> t.getOutcome().getDropped().getReason())
        .toList();
  }

  @Test
  void queuesAreTraced() {
    install();
    port(0, 10_000);
    port(1, 10_000);
    TraceSession session = device.tracing().open(none());
    receive();
    receive();
    receive();
    simulation.runUntil(1_000_000_000);
    List<Trace> traces = TracedProgram.all(session);
    assertThat(traces)
        .extracting(t -> t.getEventsList().stream().filter(e -> e.hasQueued()).findFirst().get())
        .extracting(
            e -> e.getQueued().getEnqueueDepth(),
            e -> e.getQueued().getDequeueDepth(),
            e -> e.getQueued().getWaitedMicros() > 0)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(0, 0, false),
            org.assertj.core.groups.Tuple.tuple(0, 1, true),
            org.assertj.core.groups.Tuple.tuple(1, 0, true));
    assertThat(traces).allMatch(t -> t.getOutcome().getSent().getPort() == 1);
  }

  @Test
  void everyLossHasItsReason() {
    install();
    port(0, 10_000);
    TraceSession session = device.tracing().open(none());
    receive();
    assertThat(reasons(session)).containsExactly(DropReason.NO_SUCH_PORT);
    SwitchPort out = port(1, 100);
    receive();
    receive();
    receive();
    // The first is on the line.
    assertThat(reasons(session)).containsExactly(DropReason.QUEUE_FULL);
    out.setEnabled(false);
    assertThat(reasons(session)).containsExactly(DropReason.PORT_DOWN);
    receive();
    assertThat(reasons(session)).containsExactly(DropReason.PORT_DOWN);
    out.setEnabled(true);
    now = simulation.nowNanos();
    receive();
    receive();
    install();
    now += 1;
    simulation.runUntil(now);
    assertThat(reasons(session)).contains(DropReason.PROGRAM_REPLACED);
    // The session goes on under the new program.
    simulation.runUntil(1_000_000_000);
    TracedProgram.all(session);
    now = simulation.nowNanos();
    receive();
    simulation.runUntil(now + 1_000_000_000);
    assertThat(TracedProgram.all(session)).hasSize(1);
  }

  @Test
  void sessionsJudgeForThemselves() {
    install();
    port(0, 10_000);
    node.addPort(1, LineClock.UNLIMITED_BPS, 10_000);
    TraceSession everything = device.tracing().open(none());
    TraceSession hits =
        device
            .tracing()
            .open(
                none().toBuilder()
                    .addTables(TableFilter.newBuilder().setTable("constant_table").setHit(true))
                    .build());
    TraceSession others =
        device
            .tracing()
            .open(
                none().toBuilder()
                    .addTables(TableFilter.newBuilder().setTable("In.exact_table").setHit(false))
                    .build());
    TraceSession dropped =
        device.tracing().open(none().toBuilder().addDropReasons(DropReason.INGRESS_DROP).build());
    TraceSession third = device.tracing().open(none().toBuilder().setSampleOneIn(3).build());
    TraceSession two = device.tracing().open(none().toBuilder().setLimit(2).build());
    receive();
    receive(Probe.op(1).bytes());
    byte[] drop = new byte[20];
    drop[12] = (byte) 0xbe;
    drop[13] = (byte) 0xef;
    receive(drop);
    receive();
    assertThat(numbers(everything)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(numbers(hits)).containsExactly(1L, 4L);
    assertThat(numbers(others)).containsExactly(2L);
    assertThat(numbers(dropped)).containsExactly(3L);
    assertThat(numbers(third)).containsExactly(1L, 4L);
    assertThat(numbers(two)).containsExactly(1L, 2L);
    assertThat(two.isEnded()).isTrue();
    assertThat(everything.isEnded()).isFalse();
  }

  private static List<Long> numbers(TraceSession session) {
    return TracedProgram.all(session).stream().map(Trace::getNumber).toList();
  }

  @Test
  void whatIsNotReadIsCountedAndGone() {
    install();
    port(0, 10_000);
    TraceSession session = device.tracing().open(none().toBuilder().setPendingLimit(2).build());
    for (int i = 0; i < 5; i++) {
      receive();
    }
    assertThat(session.dropped()).isEqualTo(3);
    assertThat(numbers(session)).containsExactly(1L, 2L);
    receive();
    assertThat(numbers(session)).containsExactly(6L);
    session.close();
    assertThat(session.isEnded()).isTrue();
    receive();
    assertThat(numbers(session)).isEmpty();
    assertThat(session.dropped()).isEqualTo(3);
  }

  @Test
  void namesThatTheProgramDoesNotHaveAreRefused() {
    TraceFilter filter =
        none().toBuilder().addTables(TableFilter.newBuilder().setTable("nowhere")).build();
    // Without a program there is nothing to check names against.
    device.tracing().open(filter).close();
    install();
    assertThatThrownBy(() -> device.tracing().open(filter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("tables.table 'nowhere': must be one of the program's: ");
    assertThatThrownBy(
            () -> device.tracing().open(none().toBuilder().setPendingLimit(65_537).build()))
        .hasMessage("pending_limit 65537: must be from 1 to 65536, or 0 for 256");
  }

  /** A client that takes messages only when told to. */
  private static final class SlowClient
      implements ClientResponseObserver<TraceFilter, TraceMessage> {
    private final BlockingQueue<TraceMessage> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<Throwable> end = new CompletableFuture<>();
    private ClientCallStreamObserver<TraceFilter> call;

    @Override
    public void beforeStart(ClientCallStreamObserver<TraceFilter> stream) {
      call = stream;
      stream.disableAutoRequestWithInitial(1);
    }

    @Override
    public void onNext(TraceMessage message) {
      messages.add(message);
    }

    @Override
    public void onError(Throwable failure) {
      end.complete(failure);
    }

    @Override
    public void onCompleted() {
      end.complete(null);
    }

    TraceMessage next() throws InterruptedException {
      TraceMessage message = messages.poll(Patience.SECONDS, TimeUnit.SECONDS);
      assertThat(message).isNotNull();
      return message;
    }
  }

  @Test
  void aSlowClientMissesTracesAndIsTold() throws Exception {
    install();
    port(0, 10_000);
    SlowClient client = new SlowClient();
    try (P4RuntimeServer server =
        P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0))) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", server.port())
              .usePlaintext()
              .flowControlWindow(65_535)
              .build();
      TracerGrpc.newStub(channel).follow(none().toBuilder().setPendingLimit(8).build(), client);
      assertThat(client.next().getStarted().getDeviceId()).isEqualTo(1);
      int packets = 2_000;
      for (int i = 0; i < packets; i++) {
        receive();
      }
      // Nobody has waited for the client; now it reads.
      client.call.request(Integer.MAX_VALUE);
      long received = 0;
      long dropped = 0;
      // A trace is lost only while others wait, and those tell of it when their turn comes.
      while (received + dropped < packets) {
        TraceMessage message = client.next();
        received++;
        dropped = message.getDroppedTraces();
      }
      assertThat(dropped).isPositive();
      assertThat(received + dropped).isEqualTo(packets);
      // What comes after the client has caught up is complete.
      receive();
      TraceMessage next = client.next();
      assertThat(next.getTrace().getNumber()).isEqualTo(packets + 1);
      assertThat(next.getDroppedTraces()).isEqualTo(dropped);
      client.call.cancel("enough", null);
      client.end.get(Patience.SECONDS, TimeUnit.SECONDS);
      channel.shutdownNow();
    }
  }

  @Test
  void aServersRefusalNamesTheField() throws Exception {
    install();
    try (P4RuntimeServer server =
        P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0))) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
      TraceFilter filter = none().toBuilder().addIngressPorts(511).build();
      assertThatThrownBy(() -> TracerGrpc.newBlockingStub(channel).follow(filter).next())
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> {
                assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
                assertThat(e.getStatus().getDescription())
                    .isEqualTo("ingress_ports 511: must be from 0 to 510");
              });
      channel.shutdownNow();
    }
  }
}
