package net.sluice.lab.bench;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import net.sluice.core.Controller;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.core.traffic.CountedSwitch;
import net.sluice.intents.value.Direction;
import net.sluice.lab.support.ControllerApi;
import net.sluice.pipeconf.CounterCodec;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.V1ModelPipeline;
import org.HdrHistogram.Histogram;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** Reads the counters of all subscribers, by themselves and beside changes. */
final class CounterBench {
  private static final int ROUNDS = 3;
  private static final int PATIENCE_SECONDS = 120;
  private static final long BYTES = 1_234_567_890_123L;
  private static final long PACKETS = 1_234_567_890L;
  private static final V1ModelPipeline PIPELINE = V1ModelPipeline.load();

  private final Controller controller;
  private final TargetsProcess targets;
  private final int subscribers;

  /**
   * The figures.
   *
   * @param seconds of the best reading
   * @param ownMicros processor time of the controller a subscriber
   * @param targetsMicros the same of the switch
   * @param p99MillisBeside of changes beside readings
   * @param p99Ratio that over the same without
   */
  record Result(
      double seconds,
      double ownMicros,
      double targetsMicros,
      double p99MillisBeside,
      double p99Ratio) {}

  /** Makes a change and says how long it took. */
  @FunctionalInterface
  interface Changes {
    /** Nanoseconds of the next one. */
    long next() throws ControllerApi.RefusedException, IOException, InterruptedException;
  }

  CounterBench(Controller controller, TargetsProcess targets, int subscribers) {
    this.controller = controller;
    this.targets = targets;
    this.subscribers = subscribers;
  }

  /** Measures; {@code changes} are made beside readings, and as many before. */
  Result run(int changes, Changes change)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    var unused = read();
    double seconds = Double.MAX_VALUE;
    CpuTimes cpu = CpuTimes.begin(targets);
    for (int i = 0; i < ROUNDS; i++) {
      seconds = Math.min(seconds, read());
    }
    cpu.end();
    double alone = p99(changes, change);
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> readings =
        CompletableFuture.runAsync(
            () -> {
              while (!over.get()) {
                readOrFail();
              }
            });
    double beside;
    try {
      beside = p99(changes, change);
    } finally {
      over.set(true);
    }
    readings.join();
    return new Result(
        seconds,
        cpu.ownMicros(ROUNDS * subscribers),
        cpu.targetsMicros(ROUNDS * subscribers),
        beside / 1e6,
        beside / alone);
  }

  private static double p99(int changes, Changes change)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    Histogram nanos = new Histogram(3);
    for (int i = 0; i < changes; i++) {
      nanos.recordValue(change.next());
    }
    return nanos.getValueAtPercentile(99);
  }

  private void readOrFail() {
    try {
      var unused = read();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Seconds that it took. */
  private double read() throws IOException, InterruptedException {
    CountedSwitch only = controller.counted().get(0);
    BitSet all = new BitSet();
    all.set(1, subscribers + 1);
    LongAdder bytes = new LongAdder();
    long start = System.nanoTime();
    try {
      only.readAll(
              all,
              (point, direction, index, packets, count) -> {
                if (point == Point.OUT && direction == Direction.DOWN && all.get(index)) {
                  bytes.add(count);
                }
              })
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the counters cannot be read: " + e, e);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (bytes.sum() != BYTES * subscribers) {
      throw new IOException("the counters sum up to " + bytes.sum() + " bytes");
    }
    return seconds;
  }

  /** Sets the counters of all subscribers of a switch that has no controller, as after months. */
  static void fill(SwitchEndpoint endpoint) throws IOException, InterruptedException {
    EntryWriter.connect(endpoint).close();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port()).usePlaintext().build();
    Uint128 election = Uint128.newBuilder().setLow(endpoint.electionId()).build();
    CompletableFuture<Void> primary = new CompletableFuture<>();
    StreamObserver<StreamMessageRequest> stream =
        P4RuntimeGrpc.newStub(channel).streamChannel(new Claim(primary));
    try {
      stream.onNext(
          StreamMessageRequest.newBuilder()
              .setArbitration(
                  MasterArbitrationUpdate.newBuilder()
                      .setDeviceId(endpoint.deviceId())
                      .setElectionId(election))
              .build());
      primary.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      CounterCodec codec = PIPELINE.counters();
      WriteRequest.Builder all =
          WriteRequest.newBuilder().setDeviceId(endpoint.deviceId()).setElectionId(election);
      for (Entity counter : codec.readAll(codec.points())) {
        Entity.Builder set = counter.toBuilder();
        set.getCounterEntryBuilder()
            .setData(CounterData.newBuilder().setByteCount(BYTES).setPacketCount(PACKETS));
        all.addUpdates(Update.newBuilder().setType(Update.Type.MODIFY).setEntity(set));
      }
      var unused = P4RuntimeGrpc.newBlockingStub(channel).write(all.build());
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the switch takes no counters: " + e, e);
    } finally {
      stream.onCompleted();
      channel.shutdownNow();
      channel.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Waits until the switch has answered. */
  private record Claim(CompletableFuture<Void> primary)
      implements StreamObserver<StreamMessageResponse> {
    @Override
    public void onNext(StreamMessageResponse answer) {
      primary.complete(null);
    }

    @Override
    public void onError(Throwable failure) {
      primary.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      primary.complete(null);
    }
  }
}
