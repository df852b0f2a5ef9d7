package net.sluice.emulator.cli.stf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import net.sluice.cli.StartFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests in STF from the command line, against Sluice's own program. */
final class StfCommandTest {

  private static final Path PROGRAM = Path.of("..", "..", "p4", "p4c-out", "v1model");
  private static final Path JSON = PROGRAM.resolve("sluice.json");
  private static final Path P4INFO = PROGRAM.resolve("sluice.p4info.txtpb");

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private int run(Path json, Path p4info, Path test) {
    CommandLine command = new CommandLine(new StfCommand());
    command.setOut(new PrintWriter(out, true));
    command.setExecutionExceptionHandler(
        (failure, line, parsed) -> {
          throw failure;
        });
    return command.execute(json.toString(), p4info.toString(), test.toString());
  }

  private void assertRefused(Path json, Path p4info, Path test, String message) throws Exception {
    StfCommand command = new StfCommand();
    new CommandLine(command).parseArgs(json.toString(), p4info.toString(), test.toString());
    assertThatThrownBy(command::call).isInstanceOf(StartFailure.class).hasMessage(message);
  }

  @Test
  void aTestPassesOrTellsWhatCameOutInstead() throws IOException {
    Path passing = file("good.stf", "packet 3 000000000000000000000000ffff\n");
    assertThat(run(JSON, P4INFO, passing)).isZero();
    assertThat(out.toString().strip()).isEqualTo("passed");
    Path failing = file("bad.stf", "\nexpect 4 00\n");
    assertThat(run(JSON, P4INFO, failing)).isEqualTo(1);
    assertThat(out.toString())
        .contains("bad.stf: line 2: no packet 1 out of port 4")
        .contains("failed");
  }

  @Test
  void whatCannotBeUsedIsNamed() throws Exception {
    Path test = file("t.stf", "packet 3 00\n\nfly\n");
    assertRefused(JSON, P4INFO, test, test + ": line 3: unknown command 'fly'");
    Path missing = directory.resolve("missing");
    assertThatThrownBy(
            () -> {
              StfCommand command = new StfCommand();
              new CommandLine(command)
                  .parseArgs(missing.toString(), P4INFO.toString(), test.toString());
              command.call();
            })
        .isInstanceOf(StartFailure.class)
        .hasMessage(missing + ": cannot be read: there is no such file");
    Path broken = file("broken.json", "{");
    assertThatThrownBy(
            () -> {
              StfCommand command = new StfCommand();
              new CommandLine(command)
                  .parseArgs(broken.toString(), P4INFO.toString(), test.toString());
              command.call();
            })
        .isInstanceOf(StartFailure.class)
        .hasMessageStartingWith(
            broken + " with " + P4INFO + ": invalid program: the file: not JSON");
    Path info = file("broken.txtpb", "tables {");
    assertThatThrownBy(
            () -> {
              StfCommand command = new StfCommand();
              new CommandLine(command).parseArgs(JSON.toString(), info.toString(), test.toString());
              command.call();
            })
        .isInstanceOf(StartFailure.class)
        .hasMessageStartingWith(info + ": not a P4Info in text format: line ");
  }
}
