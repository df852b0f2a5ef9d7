package net.sluice.lab.fit;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import net.sluice.cli.Json;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.lab.report.RowText;
import net.sluice.lab.report.RunPage;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.report.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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

  @Option(names = "--report", paramLabel = "FILE", description = "Where to write a JSON report.")
  private String report;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      description = "Where to write a page with tables and charts.")
  private String page;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (!name.equals(PROFILE)) {
      throw new OptionException("NAME", name, PROFILE);
    }
    Path reportFile = report == null ? null : OptionValues.outputFile("--report", report);
    Path pageFile = page == null ? null : OptionValues.outputFile("--page", page);
    FitReport fit = FitReport.ofTofino();
    RunReport result = fit.report();
    PrintWriter out = spec.commandLine().getOut();
    out.print(fit.text());
    TextTable rows = new TextTable(RowText.HEADS.toArray(String[]::new));
    RowText.lines(result.rows()).forEach(line -> rows.line(line.toArray(String[]::new)));
    out.print(rows.text());
    List<String> notes = fit.notes();
    notes.forEach(out::println);
    if (pageFile != null) {
      RunPage.page("Fit on Tofino: paper and compiled", result, notes).write(pageFile);
      out.println("page: " + pageFile.toAbsolutePath());
    }
    if (reportFile != null) {
      Json.write(result, reportFile);
      out.println("report: " + reportFile.toAbsolutePath());
    }
    out.println(result.ok() ? "ok" : "not ok: see the rows marked MISSED");
    out.flush();
    return result.ok() ? 0 : 1;
  }
}
