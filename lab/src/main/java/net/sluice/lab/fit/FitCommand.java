package net.sluice.lab.fit;

import java.io.IOException;
import java.util.concurrent.Callable;
import net.sluice.cli.OptionException;
import net.sluice.lab.report.ReportOptions;
import net.sluice.lab.report.RunPage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code sluice profile fit}: what the compiled Tofino program takes of the chip, beside paper 000.
 *
 * <p>Exit code 0 if every row keeps its bound, 1 if not, 2 for options that cannot be used.
 */
@Command(
    name = "fit",
    description = "Show what the compiled program takes of a Tofino, beside paper 000.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class FitCommand implements Callable<Integer> {
  /** The profile there is a compiled program for. */
  private static final String PROFILE = "stratum-tofino";

  @Parameters(paramLabel = "NAME", description = "stratum-tofino.")
  private String name;

  @Mixin private ReportOptions output;

  @Override
  public Integer call() throws IOException {
    if (!name.equals(PROFILE)) {
      throw new OptionException("NAME", name, PROFILE);
    }
    ReportOptions.Output files = output.checked();
    FitReport fit = FitReport.ofTofino();
    files.out().print(fit.text());
    return files.show(
        fit.report(),
        fit.notes(),
        () -> RunPage.page("Fit on Tofino: paper and compiled", fit.report(), fit.notes()));
  }
}
