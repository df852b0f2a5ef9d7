package net.sluice.lab.bench;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import net.sluice.embedded.DefaultTopology;
import net.sluice.emulator.netsim.WallClock;
import net.sluice.fpga.FpgaRegisters;
import net.sluice.fpga.GrpcRegisterBus;
import net.sluice.fpga.RegisterBus;
import net.sluice.fpga.RegisterBusException;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.CustomerBurst;
import net.sluice.intents.plan.FpgaSetting.CustomerCodel;
import net.sluice.intents.plan.FpgaSetting.CustomerDepth;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.value.Direction;
import net.sluice.lab.report.Row;
import net.sluice.lab.support.Progress;

/**
 * The driver of the FPGA as the controller's sessions use it, against an emulated FPGA behind its
 * register agent in another process. Each time is the median of several rounds, from the first
 * write given until the status of the last is known; after each round all is read back.
 */
final class FpgaBench {
  /** Added to the way to the agent and back: the paper's remote controller. */
  static final Duration REMOTE_ROUND_TRIP = Duration.ofMillis(15);

  private static final double PAPER_LOCAL_SECONDS = 2.7;

  /** Time that 10,000 of the paper's remote calls of 14.8 ms take one after the other. */
  private static final double PAPER_REMOTE_SECONDS = 148;

  private static final double MAX_LOCAL_SECONDS = 0.1;
  private static final double MAX_REMOTE_SECONDS = 0.5;
  private static final double MAX_CUSTOMERS_SECONDS = 1;
  private static final double MAX_COUNTERS_SECONDS = 1;

  private static final Direction DIRECTION = Direction.DOWN;

  private final DefaultTopology topology;
  private final FpgaProfile profile;
  private final int sessions;
  private final int queues;
  private final int rounds;
  private final Progress progress;

  /** Number of the round, so that each writes other values than the one before. */
  private int round;

  /**
   * A bench.
   *
   * @param sessions customers that are set up, at most as many as the FPGA has
   * @param queues queues whose counters are read, likewise
   * @param rounds measured ones; as many warm up
   */
  FpgaBench(DefaultTopology topology, int sessions, int queues, int rounds, Progress progress) {
    this.topology = topology;
    this.profile = topology.fpgaProfile();
    this.sessions = sessions;
    this.queues = queues;
    this.rounds = rounds;
    this.progress = progress;
  }

  /** Something that is timed; answers what has to be in the registers then. */
  private interface Work {
    List<FpgaSetting> run(FpgaRegisters registers) throws IOException;
  }

  List<Row> run() throws IOException, InterruptedException {
    try (TargetsProcess targets = TargetsProcess.start(topology)) {
      int port = targets.agentPort(0, DIRECTION);
      double local = seconds(port, this::setUpSessions);
      progress.say(sessions + " sessions set up through the local agent");
      double remote;
      try (DelayedLine line = new DelayedLine(port, REMOTE_ROUND_TRIP, WallClock.system())) {
        remote = seconds(line.port(), this::setUpSessions);
      }
      progress.say(sessions + " sessions set up from afar");
      double customers = seconds(port, this::setUpAll);
      progress.say("all customers set up");
      double counters = seconds(port, this::readCounters);
      progress.say(queues + " counters read");
      return List.of(
          Row.atMost("sessions10k.localSeconds", "s", null, local, MAX_LOCAL_SECONDS)
              .besidePaper(PAPER_LOCAL_SECONDS),
          Row.atMost("sessions10k.remote15msSeconds", "s", null, remote, MAX_REMOTE_SECONDS)
              .besidePaper(PAPER_REMOTE_SECONDS),
          Row.atMost("customers32768.seconds", "s", null, customers, MAX_CUSTOMERS_SECONDS),
          Row.atMost("counters262144.seconds", "s", null, counters, MAX_COUNTERS_SECONDS));
    }
  }

  private double seconds(int port, Work work) throws IOException {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(TargetsProcess.host(), port).usePlaintext().build();
    try (RegisterBus bus = new GrpcRegisterBus(channel)) {
      FpgaRegisters registers = new FpgaRegisters(bus, DIRECTION);
      // A controller has its session before it has something to write.
      registers.identify().toCompletableFuture().join();
      double[] seconds = new double[rounds];
      for (int i = -rounds; i < rounds; i++) {
        round++;
        long start = System.nanoTime();
        List<FpgaSetting> written = work.run(registers);
        if (i >= 0) {
          seconds[i] = (System.nanoTime() - start) / 1e9;
        }
        List<FpgaRegisters.Difference> wrong =
            registers.compare(written).toCompletableFuture().join();
        if (!wrong.isEmpty()) {
          throw new IOException("the FPGA does not hold what was written: " + wrong.get(0));
        }
      }
      Arrays.sort(seconds);
      return seconds[rounds / 2];
    } catch (CompletionException e) {
      if (e.getCause() instanceof RegisterBusException cause) {
        throw new IOException(cause.getMessage(), cause);
      }
      throw e;
    }
  }

  private List<FpgaSetting> setUpSessions(FpgaRegisters registers) throws IOException {
    return write(
        registers,
        IntStream.range(0, sessions)
            .mapToObj(i -> new RateWord(DIRECTION, FpgaLevel.CUSTOMER, i, word(i)))
            .map(FpgaSetting.class::cast)
            .toList());
  }

  /** The whole tree with the sizes of its buckets, and the queues of every class. */
  private List<FpgaSetting> setUpAll(FpgaRegisters registers) throws IOException {
    return write(
        registers,
        registers.settings(profile, true).stream()
            .map(setting -> setting.withValue(value(setting)))
            .toList());
  }

  private int value(FpgaSetting setting) {
    if (setting instanceof BucketSize || setting instanceof CustomerBurst) {
      return profile.maxBurstBytes() - round % 2;
    } else if (setting instanceof QueueDepth || setting instanceof CustomerDepth) {
      return profile.queueDepthBytes() - round % 2 * 8;
    } else if (setting instanceof CustomerCodel codel) {
      return CustomerCodel.of(word(codel.customer()), CustomerCodel.MAX_TICKS);
    }
    return word(((RateWord) setting).index());
  }

  private List<FpgaSetting> readCounters(FpgaRegisters registers) throws IOException {
    int read =
        registers
            .counters(IntStream.range(0, queues).toArray())
            .toCompletableFuture()
            .join()
            .size();
    if (read != queues) {
      throw new IOException(read + " counters were read instead of " + queues);
    }
    return List.of();
  }

  private static List<FpgaSetting> write(FpgaRegisters registers, List<FpgaSetting> settings)
      throws IOException {
    List<FpgaRegisters.Unwritten> unwritten =
        registers.write(settings).toCompletableFuture().join();
    if (!unwritten.isEmpty()) {
      throw new IOException("the FPGA refused a write: " + unwritten.get(0));
    }
    return settings;
  }

  private int word(int i) {
    return 1 + (i + round) % profile.maxLimitWord();
  }
}
