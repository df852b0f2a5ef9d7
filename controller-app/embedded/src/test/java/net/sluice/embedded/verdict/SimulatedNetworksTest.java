package net.sluice.embedded.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.LongStream;
import net.sluice.cli.Logging;
import net.sluice.embedded.verdict.ExplainedRun.Compared;
import net.sluice.embedded.verdict.RandomNetwork.Home;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rates of subscribers of random small networks after their limits have been declared, as they
 * are simulated before, against what the emulated switch lets pass then.
 */
class SimulatedNetworksTest {
  private static final long IN_SUITE = 2;
  private static final long ALL = 20;
  private static final long FIRST_SEED = 5_001;
  private static final double NEAR = 0.05;

  /** A packet more or less in the time that is measured. */
  private static final double A_FEW_PACKETS_BPS = 10_000;

  @TempDir private Path store;

  @BeforeAll
  static void quietLogs() {
    Logging.configure();
  }

  /**
   * Of senders that do not slow down it is known what they send; and what several share, an FPGA
   * divides by the order in which it looks at queues, and a meter by when packets come.
   */
  private static LongStream seeds() {
    return LongStream.iterate(FIRST_SEED, seed -> seed + 1)
        .filter(
            seed -> {
              RandomNetwork network = RandomNetwork.of(seed);
              return network.homes().stream().noneMatch(Home::isElastic)
                  && !network.hasFullSharedLimit();
            });
  }

  static LongStream some() {
    return seeds().limit(IN_SUITE);
  }

  static LongStream others() {
    return seeds().limit(ALL).skip(IN_SUITE);
  }

  @ParameterizedTest
  @MethodSource("some")
  void eachGetsWhatWasSimulated(long seed) throws Exception {
    check(seed);
  }

  @ParameterizedTest
  @MethodSource("others")
  @Tag("long")
  void eachOfMoreNetworksGetsWhatWasSimulated(long seed) throws Exception {
    check(seed);
  }

  private void check(long seed) throws Exception {
    RandomNetwork network = RandomNetwork.of(seed);
    Map<String, Compared> all = ExplainedRun.simulated(network, store);
    all.forEach(
        (id, each) ->
            assertThat(each.gotBps())
                .as("%s of seed %d: %s", id, seed, all)
                .isCloseTo(
                    each.simulatedBps(), within(NEAR * each.simulatedBps() + A_FEW_PACKETS_BPS)));
  }
}
