package net.sluice.fpga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioChannelOption;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import net.sluice.fpga.v1.BatchRequest;
import net.sluice.fpga.v1.BatchResponse;
import net.sluice.fpga.v1.Failure;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The bus over gRPC, client and agent on the loopback interface. */
class GrpcRegisterBusTest {

  private final RecordedRegisters registers = new RecordedRegisters();
  private final List<AutoCloseable> open = new ArrayList<>();

  /** Registers whose first access waits until it is released. */
  private static final class StuckRegisters implements LocalBus {
    private final RecordedRegisters behind = new RecordedRegisters();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final int stuckAddress;

    StuckRegisters(int stuckAddress) {
      this.stuckAddress = stuckAddress;
    }

    @Override
    public int readWord(int address) throws IOException {
      return behind.readWord(address);
    }

    @Override
    public void writeWord(int address, int value) throws IOException {
      if (address == stuckAddress) {
        entered.countDown();
        try {
          released.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted", e);
        }
      }
      behind.writeWord(address, value);
    }
  }

  @AfterEach
  void closeAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private RegisterBusAgent agent(LocalBus bus) throws IOException {
    RegisterBusAgent agent =
        RegisterBusAgent.start(
            bus,
            NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    open.add(agent);
    return agent;
  }

  /** A port that nobody else is given while agents {@link #sharing} it come and go. */
  private int heldPort() throws IOException {
    SocketChannel holder = SocketChannel.open();
    open.add(holder);
    holder.setOption(StandardSocketOptions.SO_REUSEPORT, true);
    holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return ((InetSocketAddress) holder.getLocalAddress()).getPort();
  }

  private RegisterBusAgent sharing(LocalBus bus, int port) throws IOException {
    NioEventLoopGroup threads = new NioEventLoopGroup(1);
    open.add(threads::shutdownGracefully);
    RegisterBusAgent agent =
        RegisterBusAgent.start(
            bus,
            NettyServerBuilder.forAddress(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .channelType(NioServerSocketChannel.class)
                .bossEventLoopGroup(threads)
                .workerEventLoopGroup(threads)
                .withOption(NioChannelOption.of(StandardSocketOptions.SO_REUSEPORT), true));
    open.add(agent);
    return agent;
  }

  private GrpcRegisterBus client(int port) {
    return client(port, 0);
  }

  private GrpcRegisterBus client(int port, long epoch) {
    GrpcRegisterBus bus =
        new GrpcRegisterBus(
            NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build(), epoch);
    open.add(bus);
    return bus;
  }

  private static BatchResult join(RegisterBus bus, RegisterBatch batch) {
    return bus.execute(batch).toCompletableFuture().join();
  }

  @Test
  void doesWhatTheLocalBusDoes() throws IOException {
    RecordedRegisters reference = new RecordedRegisters();
    RegisterBus local = new LocalRegisterBus(reference, Runnable::run);
    RegisterBus remote = client(agent(registers).port());
    reference.failAt(44);
    registers.failAt(44);
    Random random = new Random(7);

    for (int i = 0; i < 200; i++) {
      RegisterBatch.Builder builder = RegisterBatch.builder();
      for (int op = random.nextInt(40); op > 0; op--) {
        int address = 4 * random.nextInt(60);
        switch (random.nextInt(3)) {
          case 0 -> builder.read(address);
          case 1 -> builder.readCounter(random.nextInt(1 << 18));
          default -> builder.write(address, random.nextInt());
        }
      }
      BatchResult expected = join(local, builder.build());
      BatchResult actual = join(remote, builder.build());
      assertThat(actual.done()).isEqualTo(expected.done());
      assertThat(actual.failure()).isEqualTo(expected.failure());
      assertThat(words(actual)).isEqualTo(words(expected));
    }
    assertThat(registers.trace()).isEqualTo(reference.trace());
    assertThat(registers.trace()).hasSizeGreaterThan(1000);
  }

  /**
   * A leader that has not noticed that another one leads does nothing to the registers any more.
   */
  @Test
  void aControllerThatWasTakenOverFromIsKeptOut() throws IOException {
    int port = agent(registers).port();
    RegisterBus deposed = client(port, 7);
    RegisterBus leader = client(port, 8);
    RegisterBatch one = RegisterBatch.builder().write(8, 1).build();
    RegisterBatch two = RegisterBatch.builder().write(8, 2).build();
    assertThat(join(deposed, one).done()).isEqualTo(1);
    assertThat(join(leader, RegisterBatch.builder().read(8).build()).word(0)).isEqualTo(1);
    int accesses = registers.trace().size();

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> join(deposed, one))
          .hasRootCauseInstanceOf(RegisterBusException.class)
          .hasRootCauseMessage(
              "another controller, of epoch 8, has taken the registers over; this one's epoch is"
                  + " 7. To take them back, start it with a higher one (the election id at its"
                  + " switch), or start the register agent anew");
    }
    assertThat(registers.trace()).hasSize(accesses);
    assertThat(join(leader, two).done()).isEqualTo(1);
    assertThatThrownBy(() -> join(client(port), RegisterBatch.builder().read(8).build()))
        .as("no epoch is lower than any")
        .hasRootCauseMessage(
            "another controller, of epoch 8, has taken the registers over; this one's epoch is 0,"
                + " which is none. To take them back, start it with a higher one (the election id"
                + " at its switch), or start the register agent anew");
    assertThat(join(client(port, 9), one).done()).isEqualTo(1);
    assertThatThrownBy(() -> join(leader, two)).hasRootCauseInstanceOf(RegisterBusException.class);
  }

  private static List<Integer> words(BatchResult result) {
    List<Integer> words = new ArrayList<>();
    for (int i = 0; i < result.wordCount(); i++) {
      words.add(result.word(i));
    }
    return words;
  }

  @Test
  void takesTheLargestBatch() throws IOException {
    RegisterBus bus = client(agent(registers).port());
    RegisterBatch.Builder builder = RegisterBatch.builder();
    for (int i = 0; i < RegisterBatch.MAX_OPERATIONS / 2; i++) {
      builder.write(4 * i, -i).read(4 * i);
    }
    BatchResult result = join(bus, builder.build());

    assertThat(result.done()).isEqualTo(RegisterBatch.MAX_OPERATIONS);
    assertThat(result.word(32_767)).isEqualTo(-32_767);
  }

  @Test
  void sendsWithoutWaitingForAnswers() throws Exception {
    StuckRegisters stuck = new StuckRegisters(0);
    RegisterBus bus = client(agent(stuck).port());
    List<CompletableFuture<BatchResult>> results = new ArrayList<>();
    for (int i = 0; i < GrpcRegisterBus.MAX_UNDER_WAY; i++) {
      RegisterBatch batch = RegisterBatch.builder().write(i == 0 ? 0 : 4, i).read(4).build();
      results.add(bus.execute(batch).toCompletableFuture());
    }
    stuck.entered.await();
    assertThat(results).noneMatch(CompletableFuture::isDone);
    assertThatThrownBy(() -> join(bus, RegisterBatch.builder().build()))
        .hasCauseInstanceOf(RegisterBusException.Busy.class);

    stuck.released.countDown();
    for (int i = 1; i < results.size(); i++) {
      assertThat(results.get(i).get(Patience.SECONDS, TimeUnit.SECONDS).word(0)).isEqualTo(i);
    }
  }

  @Test
  void losingTheAgentFailsWhatIsUnderWayAndTheNextBatchConnectsAgain() throws Exception {
    StuckRegisters stuck = new StuckRegisters(4);
    int port = heldPort();
    RegisterBusAgent agent = sharing(stuck, port);
    RegisterBus bus = client(port);
    CompletableFuture<BatchResult> halfDone =
        bus.execute(RegisterBatch.builder().write(0, 1).write(4, 2).write(8, 3).build())
            .toCompletableFuture();
    CompletableFuture<BatchResult> behind =
        bus.execute(RegisterBatch.builder().write(12, 4).build()).toCompletableFuture();
    stuck.entered.await();

    agent.close();

    for (CompletableFuture<BatchResult> lost : List.of(halfDone, behind)) {
      assertThatThrownBy(() -> lost.get(Patience.SECONDS, TimeUnit.SECONDS))
          .hasCauseInstanceOf(RegisterBusException.class)
          .hasMessageContaining("the register agent is unreachable");
    }
    agent.awaitTermination();
    assertThat(stuck.behind.words()).containsExactly(Map.entry(0, 1));
    stuck.released.countDown();

    sharing(registers, port);
    BatchResult again = writeUntilConnected(bus, RegisterBatch.builder().write(4, 2).build());
    assertThat(again.done()).isEqualTo(1);
    assertThat(registers.words()).containsEntry(4, 2);
  }

  @Test
  void anAgentThatWasStartedAnewIsToldOnce() throws Exception {
    int port = heldPort();
    RegisterBusAgent agent = sharing(registers, port);
    RegisterBus bus = client(port);
    RegisterBatch batch = RegisterBatch.builder().write(4, 2).build();
    assertThat(join(bus, batch).done()).isEqualTo(1);
    agent.close();
    agent.awaitTermination();
    sharing(registers, port);

    List<String> failures = Collections.synchronizedList(new ArrayList<>());
    untilDone(bus, batch, failures).get(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(failures).last().asString().contains("the register agent was started anew");
    assertThat(failures).filteredOn(each -> each.contains("anew")).hasSize(1);
    assertThat(join(bus, batch).done()).isEqualTo(1);
  }

  @Test
  void writesThatMayNotHaveArrivedFailTheBatchAndEndTheConnection() throws IOException {
    LocalBus gone =
        new LocalBus() {
          @Override
          public int readWord(int address) {
            return 7;
          }

          @Override
          public void writeWord(int address, int value) {}

          @Override
          public void flush() throws IOException {
            throw new IOException("the card does not answer");
          }
        };
    RegisterBus bus = client(agent(gone).port());
    assertThat(join(bus, RegisterBatch.builder().read(4).build()).word(0)).isEqualTo(7);
    assertThatThrownBy(() -> join(bus, RegisterBatch.builder().write(4, 2).build()))
        .hasCauseInstanceOf(RegisterBusException.class)
        .hasMessageContaining(
            "UNAVAILABLE: it is unknown whether the batch's writes have arrived: the card does not"
                + " answer");
  }

  /** Sends again as soon as it is told of a failure, on the thread that tells it. */
  private static CompletableFuture<BatchResult> untilDone(
      RegisterBus bus, RegisterBatch batch, List<String> failures) {
    return bus.execute(batch)
        .toCompletableFuture()
        .exceptionallyCompose(
            failure -> {
              failures.add(failure.getMessage());
              return untilDone(bus, batch, failures);
            });
  }

  /** A channel that has seen its server vanish may answer "unavailable" until it tries again. */
  private static BatchResult writeUntilConnected(RegisterBus bus, RegisterBatch batch)
      throws Exception {
    while (true) {
      CompletableFuture<BatchResult> result = bus.execute(batch).toCompletableFuture();
      BatchResult done = result.handle((r, e) -> r).get(Patience.SECONDS, TimeUnit.SECONDS);
      if (done != null) {
        return done;
      }
    }
  }

  @Test
  void anAbsentAgentFailsTheBatch() throws IOException {
    // A port that is taken, so that nobody else comes to listen at it, and not listened at.
    try (Socket silent = new Socket()) {
      silent.bind(new InetSocketAddress("127.0.0.1", 0));
      RegisterBus bus = client(silent.getLocalPort());

      assertThatThrownBy(() -> join(bus, RegisterBatch.builder().read(0).build()))
          .hasCauseInstanceOf(RegisterBusException.class)
          .hasMessageContaining("the register agent is unreachable: UNAVAILABLE: ");
    }
  }

  @Test
  void closingFailsWhatIsUnderWay() throws Exception {
    StuckRegisters stuck = new StuckRegisters(0);
    RegisterBus bus = client(agent(stuck).port());
    CompletableFuture<BatchResult> result =
        bus.execute(RegisterBatch.builder().write(0, 1).build()).toCompletableFuture();
    stuck.entered.await();

    bus.close();

    assertThatThrownBy(() -> result.get(Patience.SECONDS, TimeUnit.SECONDS))
        .hasRootCauseMessage("the register bus is closed");
    assertThatThrownBy(() -> join(bus, RegisterBatch.builder().build()))
        .hasRootCauseMessage("the register bus is closed");
    stuck.released.countDown();
  }

  @Test
  void countersOfTwoClientsAreNotMixed() throws Exception {
    registers.counterHigh(id -> id << 5 & 0xffff);
    int port = agent(registers).port();
    List<CompletableFuture<Void>> readers = new ArrayList<>();
    for (int reader = 0; reader < 3; reader++) {
      RegisterBus bus = client(port);
      int base = 1000 * reader;
      readers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int id = base; id < base + 300; id++) {
                  assertThat(join(bus, RegisterBatch.builder().readCounter(id).build()).counter(0))
                      .isEqualTo(new CounterWord(id & 0x7ff, id));
                }
              }));
    }
    CompletableFuture.allOf(readers.toArray(CompletableFuture[]::new))
        .get(Patience.SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void malformedRequestsAreRefusedBeforeAnythingIsWritten() throws Exception {
    int port = agent(registers).port();
    ByteString firstTwoWrite = ByteString.copyFrom(new byte[] {3});

    assertRefused(
        port,
        BatchRequest.newBuilder()
            .addAddress(0)
            .addAddress(6)
            .setWrite(firstTwoWrite)
            .addValue(1)
            .addValue(2),
        1,
        "address 0x00000006 is not a multiple of 4");
    assertRefused(
        port,
        BatchRequest.newBuilder()
            .addAddress(0)
            .addAddress(0x0400_0000)
            .setWrite(firstTwoWrite)
            .addValue(1)
            .addValue(2),
        1,
        "address 0x04000000 is not below 0x04000000");
    assertRefused(
        port,
        BatchRequest.newBuilder()
            .addAddress(0)
            .addAddress(-4)
            .setWrite(firstTwoWrite)
            .addValue(1)
            .addValue(2),
        1,
        "address 0xfffffffc is not below 0x04000000");
    assertRefused(
        port,
        BatchRequest.newBuilder().addAddress(0).addAddress(4).setWrite(firstTwoWrite).addValue(1),
        0,
        "2 writes have 1 values");
    assertRefused(
        port,
        BatchRequest.newBuilder().addAddress(0).setWrite(firstTwoWrite).addValue(1).addValue(2),
        1,
        "access 1 is to write, but has no address");
    BatchRequest.Builder large = BatchRequest.newBuilder();
    for (int i = 0; i <= RegisterBatch.MAX_OPERATIONS; i++) {
      large.addAddress(0);
    }
    assertRefused(
        port, large, RegisterBatch.MAX_OPERATIONS, "a batch has at most 65536 accesses, not 65537");
    assertThat(registers.trace()).isEmpty();
  }

  private void assertRefused(int port, BatchRequest.Builder request, int index, String reason)
      throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    BlockingQueue<BatchResponse> answers = new LinkedBlockingQueue<>();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    StreamObserver<BatchRequest> requests =
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(RegisterBusCall.METHOD, CallOptions.DEFAULT),
            new StreamObserver<>() {
              @Override
              public void onNext(BatchResponse response) {
                answers.add(response);
              }

              @Override
              public void onError(Throwable cause) {
                ended.completeExceptionally(cause);
              }

              @Override
              public void onCompleted() {
                ended.complete(null);
              }
            });
    requests.onNext(request.build());
    // A refusal leaves the connection usable.
    requests.onNext(BatchRequest.getDefaultInstance());
    requests.onCompleted();
    ended.get(Patience.SECONDS, TimeUnit.SECONDS);
    channel.shutdownNow();

    long start = answers.peek().getAgentStart();
    assertThat(start).isNotZero();
    assertThat(answers)
        .containsExactly(
            BatchResponse.newBuilder()
                .setAgentStart(start)
                .setFailure(
                    Failure.newBuilder()
                        .setKind(Failure.Kind.REFUSED)
                        .setIndex(index)
                        .setReason(reason))
                .build(),
            BatchResponse.newBuilder().setAgentStart(start).build());
  }

  @Test
  void answersThatFitNoBatchAreNotBelieved() throws Exception {
    List<BatchResponse> wrong =
        List.of(
            BatchResponse.newBuilder().setDone(1).build(),
            BatchResponse.newBuilder().setDone(2).build(),
            BatchResponse.newBuilder().setDone(3).addValue(1).build(),
            BatchResponse.newBuilder().setDone(-1).setFailure(Failure.newBuilder()).build(),
            BatchResponse.newBuilder()
                .setDone(2)
                .addValue(1)
                .setFailure(Failure.newBuilder())
                .build());
    for (BatchResponse answer : wrong) {
      RegisterBus bus = client(impostor(answer));
      CompletableFuture<BatchResult> result =
          bus.execute(RegisterBatch.builder().write(0, 1).read(0).build()).toCompletableFuture();
      assertThatThrownBy(() -> result.get(Patience.SECONDS, TimeUnit.SECONDS))
          .hasCauseInstanceOf(RegisterBusException.class)
          .hasMessageContaining("the register agent's answer fits no batch of 2 accesses");
    }
  }

  /** A server that answers everything alike. */
  private int impostor(BatchResponse answer) throws IOException {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerServiceDefinition.builder(RegisterBusCall.SERVICE)
                    .addMethod(
                        RegisterBusCall.METHOD,
                        ServerCalls.asyncBidiStreamingCall(
                            responses ->
                                new StreamObserver<BatchRequest>() {
                                  @Override
                                  public void onNext(BatchRequest request) {
                                    responses.onNext(answer);
                                  }

                                  @Override
                                  public void onError(Throwable cause) {}

                                  @Override
                                  public void onCompleted() {
                                    responses.onCompleted();
                                  }
                                }))
                    .build())
            .build()
            .start();
    open.add(server::shutdownNow);
    return server.getPort();
  }
}
