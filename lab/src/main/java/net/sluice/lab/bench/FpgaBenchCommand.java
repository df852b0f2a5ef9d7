package net.sluice.lab.bench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import net.sluice.embedded.DefaultTopology;
import net.sluice.lab.report.ReportOptions;
import net.sluice.lab.report.RunPage;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.support.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code sluice bench fpga}: how fast an FPGA is programmed and its counters are read.
 *
 * <p>Exit code 0 if every row keeps its bound, 1 if not, 2 for options that cannot be used.
 */
@Command(
    name = "fpga",
    description =
        "Measure the FPGA's driver against an emulated FPGA behind its register agent: sessions set"
            + " up beside it and from afar, all customers, all counters.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class FpgaBenchCommand implements Callable<Integer> {
  private static final int SESSIONS = 10_000;
  private static final int QUEUES = 1 << 18;
  private static final int ROUNDS = 7;

  private static final List<String> NOTES =
      List.of(
          "A session is one customer's rate. All customers: every rate of the tree of 8 ports, 512"
              + " OLT trees and 32,768 customers, the bucket sizes of its levels, the depth limits"
              + " of the 8 classes. A counter: a queue selected and two words read, in one access"
              + " each. remote15ms adds 15 ms of round trip between driver and agent.",
          "The agent is a process of its own, its FPGA a model that answers at once: a card's bus"
              + " takes its time besides, 1.25 us a write in the paper. Each figure is the median"
              + " of "
              + ROUNDS
              + " rounds after as many that warm up; after a round its registers are read back.");

  @Mixin private ReportOptions output;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ReportOptions.Output files = output.checked();
    RunReport result = run(SESSIONS, QUEUES, ROUNDS, Progress.on(files.out()));
    return files.show(result, NOTES, () -> RunPage.page("Programming an FPGA", result, NOTES));
  }

  static RunReport run(int sessions, int queues, int rounds, Progress progress)
      throws IOException, InterruptedException {
    DefaultTopology topology = new DefaultTopology(DefaultTopology.MAX_BOTTLENECK_BPS);
    return new RunReport(
        "bench-fpga", 1, new FpgaBench(topology, sessions, queues, rounds, progress).run());
  }
}
