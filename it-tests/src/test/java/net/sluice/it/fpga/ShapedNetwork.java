package net.sluice.it.fpga;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.sluice.embedded.fpga.ModelRegisters;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.fpga.FpgaRegisters;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/**
 * The emulated FPGA of the down direction, set by the plans of declarations over the in-process
 * register bus, in virtual time.
 */
final class ShapedNetwork {
  static final long SECOND = 1_000_000_000L;

  private static final Direction DOWN = Direction.DOWN;

  private final Compiler compiler =
      new Compiler(
          topology(),
          new SwitchProfile(1000, 1000, 1000, 1000, 1000, 64, 42.306, 32, 100e9),
          FpgaProfile.withClock(FpgaModel.DEFAULT_CLOCK_HZ));
  private final InMemorySlaState state = new InMemorySlaState();
  private final Simulation simulation = new Simulation(1);
  private final FpgaModel fpga = new FpgaModel(simulation, this::left);
  private FrameReceiver behind = (bytes, offset, length, tag, nowNanos) -> {};
  private final FpgaRegisters registers = ModelRegisters.driverOf(fpga, DOWN);

  ShapedNetwork() {
    write(compiler.expectedSettings(state, DOWN).map(Expected::entity).toList());
    declare(new Change.Put(new Policy("gold", BuiltInFunction.GOLD)));
  }

  private static Topology topology() {
    return new Topology(
        List.of(port(1, PortRole.CORE), port(2, PortRole.ACCESS), port(3, PortRole.SIDECAR)),
        IntStream.range(0, 8).boxed().collect(Collectors.toMap(port -> port, port -> 2)),
        OptionalInt.of(3),
        OptionalInt.empty(),
        List.of());
  }

  private static SwitchPort port(int number, PortRole role) {
    return new SwitchPort(number, role, DOWN, 100_000_000_000L, 1, 2, false, false);
  }

  private void write(List<FpgaSetting> settings) {
    assertThat(registers.write(settings).toCompletableFuture().join()).isEmpty();
  }

  private Plan declare(Change change) {
    try {
      Plan plan = compiler.compile(state, change);
      write(plan.writes(TargetKey.fpga(DOWN)).stream().map(Write::entity).toList());
      state.apply(plan);
      return plan;
    } catch (Refusal refusal) {
      throw new AssertionError(change + " was refused", refusal);
    }
  }

  /** Declares a subscriber; {@code number} gives its address. */
  void subscriber(String id, int number, int port, int tree) {
    declare(
        new Change.Put(
            new Subscriber(
                id,
                "gold",
                List.of(IpPrefix.v4(0x0a00_0000 + number, 32)),
                Optional.empty(),
                new Attachment(port, tree))));
  }

  /** Declares a rate limit without a burst and returns the rate it is granted, bit/s. */
  double limit(String id, Scope scope, long downBps) {
    return limit(id, scope, downBps, LimitDelay.UNSAID);
  }

  /** The same, which says something of the delay that it may make. */
  double limit(String id, Scope scope, long downBps, LimitDelay delay) {
    Plan plan =
        declare(
            new Change.Put(
                new RateLimit(
                    id,
                    scope,
                    OptionalLong.of(downBps),
                    OptionalLong.empty(),
                    OptionalInt.empty(),
                    Optional.of(Enforcement.FPGA),
                    Gate.OPEN,
                    OptionalInt.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    delay)));
    List<Grant> rates = plan.grants().stream().filter(g -> g.field().equals("downBps")).toList();
    assertThat(rates).hasSize(1);
    return rates.get(0).granted();
  }

  /** Deletes a rate limit. */
  void unlimit(String id) {
    declare(new Change.Delete(Kind.RATE_LIMIT, id));
  }

  /** The bucket size the FPGA has at a level, bytes. */
  int bucketBytes(FpgaLevel level) {
    return registers.read(List.of(new BucketSize(DOWN, level, 0))).toCompletableFuture().join()[0];
  }

  /** Whether every setting is what the declarations ask for. */
  void assertHoldsWhatIsExpected() {
    List<FpgaSetting> expected =
        compiler.expectedSettings(state, DOWN).map(Expected::entity).toList();
    assertThat(registers.compare(expected).toCompletableFuture().join()).isEmpty();
  }

  /** What at least passes, in bit/s, where there is no limit. */
  long unlimitedBps() {
    return compiler.fpgaProfile().unlimitedBps();
  }

  int queueOf(String subscriberId) {
    return state.subscriber(subscriberId).orElseThrow().allotment();
  }

  Simulation simulation() {
    return simulation;
  }

  /** Has what leaves the FPGA go to a receiver. */
  void behind(FrameReceiver receiver) {
    behind = receiver;
  }

  private void left(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    behind.receive(bytes, offset, length, tag, nowNanos);
  }

  /** The way of frames into the subscriber's queue. */
  FrameReceiver queue(String subscriberId) {
    int queueId = queueOf(subscriberId);
    return (bytes, offset, length, tag, nowNanos) -> {
      byte[] frame =
          ByteBuffer.allocate(4 + length).putInt(queueId).put(bytes, offset, length).array();
      fpga.receive(frame, 0, frame.length, tag, nowNanos);
    };
  }

  /**
   * From now on {@code offeredBps} for the subscriber arrives at the FPGA, in equal packets, with
   * the time as their tag.
   */
  void offer(String subscriberId, int packetBytes, double offeredBps) {
    FrameReceiver queue = queue(subscriberId);
    byte[] frame = new byte[packetBytes];
    long everyNanos = (long) (packetBytes * 8 * 1e9 / offeredBps);
    EventHandler[] self = new EventHandler[1];
    self[0] =
        (nowNanos, data) -> {
          queue.receive(frame, 0, frame.length, nowNanos, nowNanos);
          simulation.schedule(nowNanos + everyNanos, self[0], 0);
        };
    simulation.schedule(simulation.nowNanos(), self[0], 0);
  }

  void runFor(long nanos) {
    simulation.runUntil(simulation.nowNanos() + nanos);
  }

  /** Bytes that have left the queues of these subscribers so far. */
  long bytesOf(List<String> subscriberIds) {
    int[] queues = subscriberIds.stream().mapToInt(this::queueOf).toArray();
    return registers.counters(queues).toCompletableFuture().join().stream()
        .mapToLong(counter -> counter.bytes())
        .sum();
  }

  /** Bytes per group of subscribers that leave within the next so many nanoseconds. */
  long[] bytesWithin(long nanos, List<List<String>> groups) {
    long[] before = groups.stream().mapToLong(this::bytesOf).toArray();
    runFor(nanos);
    long[] after = groups.stream().mapToLong(this::bytesOf).toArray();
    Arrays.setAll(after, i -> after[i] - before[i]);
    return after;
  }

  /** Packets that wait for the subscriber. */
  int waiting(String subscriberId) {
    return fpga.waitingPackets(queueOf(subscriberId));
  }
}
