package net.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The whole command line: bad options are one line and exit code 2, every option is documented. */
final class LabMainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine command = LabMain.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(args);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "demo --bottleneck fast|--bottleneck is 'fast'; allowed: a rate in bit/s, 1M to 100G,"
            + " written like 400k, 2.5M or 1G",
        "demo --group a:gold:0:1M|--group is 'a:gold:0:1M': COUNT is '0'; allowed: a whole number,"
            + " 1 to 1048575",
        "demo --packet 12|--packet is '12'; allowed: a whole number, 64 to 9000",
        "experiment csaqm --seed x|--seed is 'x'; allowed: a whole number, -9223372036854775808 to"
            + " 9223372036854775807",
        "experiment codel-act --flows 0|--flows is '0'; allowed: a whole number, 1 to 1000",
        "bench --subscribers 0|--subscribers is '0'; allowed: a whole number, 1 to 1048575",
        "bench --switches 1|--switches is '1'; allowed: a whole number, 2 to 64",
        "bench --switches 4 --subscribers 3|--subscribers is '3'; allowed: a whole number, 4 to"
            + " 1048575",
        "demo --network two-bng --bottleneck 1G|--bottleneck is '1G'; allowed: nothing together with"
            + " --network: the network says its lines' rates",
        "demo --network two-bng --group a:gold:1:1M|--group is 'a:gold:1:1M': SWITCH is 'switch';"
            + " allowed: NAME@SWITCH with one of bng1, bng2",
        "bench --subscribers 2000000|--subscribers is '2000000'; allowed: a whole number, 1 to"
            + " 1048575",
      })
  void aBadOptionIsOneLineAndExitCodeTwo(String commandLine, String message) {
    assertThat(run(commandLine.split(" "))).isEqualTo(2);
    assertThat(err.toString().strip()).isEqualTo("sluice: " + message);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aReportThatCannotBeWrittenIsToldBeforeAnythingRuns(@TempDir Path folder) throws Exception {
    String report = folder.resolve("absent").resolve("report.json").toString();
    String page = folder.resolve("page.html").toString();
    assertThat(run("demo", "--report", report, "--page", page)).isEqualTo(2);
    assertThat(run("experiment", "csaqm", "--report", report, "--page", page)).isEqualTo(2);
    assertThat(run("experiment", "codel-act", "--report", report, "--page", page)).isEqualTo(2);
    assertThat(run("experiment", "fsam", "--report", report, "--page", page)).isEqualTo(2);
    assertThat(run("bench", "--report", report)).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(5).allMatch(line -> line.contains("--report is '"));
    assertThat(out.toString()).isEmpty();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void everyOptionIsDescribedAndDocumented() throws IOException {
    StringBuilder docs = new StringBuilder(Files.readString(Path.of("..", "README.md")));
    try (Stream<Path> pages = Files.walk(Path.of("..", "docs"))) {
      for (Path page : pages.filter(each -> each.toString().endsWith(".md")).toList()) {
        docs.append(Files.readString(page));
      }
    }
    List<String> undescribed = new ArrayList<>();
    List<String> undocumented = new ArrayList<>();
    for (CommandLine command : withSubcommands(LabMain.commandLine()).toList()) {
      for (OptionSpec option : command.getCommandSpec().options()) {
        String name = command.getCommandSpec().qualifiedName() + " " + option.longestName();
        if (!option.hidden() && String.join("", option.description()).isBlank()) {
          undescribed.add(name);
        }
        if (!option.hidden()
            && !option.usageHelp()
            && !option.versionHelp()
            && Stream.of(option.names()).noneMatch(isNamedIn(docs))) {
          undocumented.add(name);
        }
      }
    }
    assertThat(undescribed).isEmpty();
    assertThat(undocumented).as("options that no page of docs names").isEmpty();
  }

  private static Stream<CommandLine> withSubcommands(CommandLine line) {
    return Stream.concat(
        Stream.of(line),
        line.getSubcommands().values().stream().flatMap(LabMainTest::withSubcommands));
  }

  /** By the whole name, or several by a star behind their beginning: {@code --gnmi-server-*}. */
  private static Predicate<String> isNamedIn(CharSequence docs) {
    return name ->
        Pattern.compile(Pattern.quote(name) + "(?![\\w-])").matcher(docs).find()
            || Pattern.compile("(--\\w[\\w-]*-)\\*")
                .matcher(docs)
                .results()
                .anyMatch(several -> name.startsWith(several.group(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve", "switch", "fpga"})
  void badOptionsOfTheLogAreToldByEveryCommandThatStays(String command) {
    assertThat(run(command, "--log-level", "loud")).isEqualTo(2);
    assertThat(run(command, "--log-format", "xml")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            """
            sluice: --log-level is 'loud'; allowed: error, warn, info, debug, trace or off
            sluice: --log-format is 'xml'; allowed: text or json
            """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"csaqm", "codel-act"})
  void everyExperimentHasAQuickRunAndTellsItsTime(String name) {
    assertThat(run("experiment", name, "--help")).isZero();
    assertThat(out.toString()).contains("--quick", "it takes is told at the start");
  }

  @Test
  void anExperimentHasToBeNamed() {
    assertThat(run("experiment")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("sluice: experiment is not named; allowed: csaqm, codel-act");
    assertThat(run("experiment", "other")).isEqualTo(2);
    assertThat(err.toString()).contains("other");
  }
}
