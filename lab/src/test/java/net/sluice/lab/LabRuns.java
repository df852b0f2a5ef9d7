package net.sluice.lab;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import picocli.CommandLine;

/** Runs of the lab's commands, and the reports and pages that they write. */
public final class LabRuns {
  public final StringWriter out = new StringWriter();
  public final StringWriter err = new StringWriter();
  private final Path folder;

  /** Runs whose files lie in a folder. */
  public LabRuns(Path folder) {
    this.folder = folder;
  }

  /**
   * Runs a command.
   *
   * @param report file name of its report
   * @param words as on a command line
   * @return its exit code
   */
  public int run(String report, String... words) {
    CommandLine line = LabMain.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    Stream<String> files =
        Stream.of("--report", folder.resolve(report).toString(), "--page", page().toString());
    return line.execute(Stream.concat(Stream.of(words), files).toArray(String[]::new));
  }

  /** A report by its file's name. */
  public RunReport report(String name) throws IOException {
    return new ObjectMapper().readValue(folder.resolve(name).toFile(), RunReport.class);
  }

  private Path page() {
    return folder.resolve("page.html");
  }

  /** The page of the last run. */
  public String lastPage() throws IOException {
    return Files.readString(page());
  }

  /** The value of a row. */
  public static double measured(RunReport report, String row) {
    return report.rows().stream()
        .filter(each -> each.name().equals(row))
        .mapToDouble(Row::measured)
        .findFirst()
        .orElseThrow();
  }
}
