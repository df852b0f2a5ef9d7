package net.sluice.lab.report;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import net.sluice.cli.Json;
import net.sluice.cli.OptionValues;
import net.sluice.lab.report.chart.HtmlPage;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of a command that reports rows, and the way to show them. */
public final class ReportOptions {
  @Option(names = "--report", paramLabel = "FILE", description = "Where to write a JSON report.")
  private String report;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      description =
          "Where to write a page with charts. An experiment without it writes experiment-NAME.html,"
              + " or the first of experiment-NAME-2.html and so on that is not there yet.")
  private String page;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** Checks the options before anything runs. */
  public Output checked() {
    return new Output(null);
  }

  /**
   * Checks the options before anything runs.
   *
   * @param usualPage the page's name without its ending, unless one is given
   */
  public Output checked(String usualPage) {
    return new Output(FreshFile.in(Path.of(""), usualPage, "html").toString());
  }

  /** The files that can be written. */
  public final class Output {
    private final Path pageFile;
    private final Path reportFile;

    private Output(String usualPage) {
      String named = page == null ? usualPage : page;
      pageFile = named == null ? null : OptionValues.outputFile("--page", named);
      reportFile = report == null ? null : OptionValues.outputFile("--report", report);
    }

    /** Where the command prints. */
    public PrintWriter out() {
      return spec.commandLine().getOut();
    }

    /**
     * Says that the command cannot go on.
     *
     * @return the exit code, 1
     */
    public int failed(Exception cause) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("sluice: " + cause.getMessage());
      err.flush();
      return 1;
    }

    /**
     * Prints rows and lines, and writes page and report where they are asked for.
     *
     * @return the exit code: 0 if no row is missed, 1 if one is
     */
    public int show(RunReport result, List<String> lines, Supplier<HtmlPage> content)
        throws IOException {
      PrintWriter out = out();
      out.println();
      out.print(RowText.table(result.rows()));
      lines.forEach(out::println);
      if (pageFile != null) {
        content.get().foot(RunFoot.of(spec, Clock.systemUTC())).write(pageFile);
        out.println("page: " + pageFile.toAbsolutePath());
      }
      if (reportFile != null) {
        Json.write(result, reportFile);
        out.println("report: " + reportFile.toAbsolutePath());
      }
      out.println(result.ok() ? "ok" : "not ok: see the rows that are missed");
      out.flush();
      return result.ok() ? 0 : 1;
    }
  }
}
