package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.cli.ManPages;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

final class CommandPagesTest {
  @TempDir Path folder;

  private static void commands(CommandLine line, List<CommandSpec> into) {
    into.add(line.getCommandSpec());
    line.getSubcommands().values().forEach(each -> commands(each, into));
  }

  private static List<CommandSpec> commands() {
    List<CommandSpec> all = new ArrayList<>();
    commands(Main.commandLine(Optional.empty(), Map.of()), all);
    return all;
  }

  @Test
  void eachCommandOptionAndParameterIsDescribed() {
    List<String> without = new ArrayList<>();
    for (CommandSpec command : commands()) {
      if (String.join("", command.usageMessage().description()).isBlank()) {
        without.add(command.qualifiedName());
      }
      for (ArgSpec arg : command.args()) {
        if (!arg.hidden() && ManPages.words(arg).length() < 5) {
          without.add(command.qualifiedName() + " " + arg);
        }
      }
    }
    assertThat(without).isEmpty();
  }

  @Test
  void aPageHasEachOptionOfItsCommandAndNothingOfTheMachine() throws IOException {
    CommandPages.main(new String[] {folder.toString()});
    for (CommandSpec command : commands()) {
      if (command.helpCommand()) {
        continue;
      }
      String page =
          Files.readString(folder.resolve("man/man1/" + command.qualifiedName("-") + ".1"));
      for (var option : command.options()) {
        for (String name : option.names()) {
          String shown = "\\fB" + name.replace("-", "\\-") + "\\fR";
          assertThat(page.contains(shown)).as(name).isEqualTo(!option.hidden());
        }
      }
      assertThat(page).doesNotContain("${", System.getProperty("user.home"));
    }
  }

  @Test
  void manFormatsEachPageWithoutAWarning() throws Exception {
    if (!Files.isExecutable(Path.of("/usr/bin/groff"))) {
      Prerequisite.DEBIAN.skip("groff is not installed: manual pages are not formatted");
    }
    CommandPages.main(new String[] {folder.toString()});
    List<Path> pages;
    try (Stream<Path> files = Files.list(folder.resolve("man/man1"))) {
      pages = files.sorted().toList();
    }
    assertThat(pages).hasSizeGreaterThan(12);
    for (Path page : pages) {
      Process groff =
          new ProcessBuilder("groff", "-man", "-Tutf8", "-ww", "-z", page.toString())
              .redirectErrorStream(true)
              .start();
      assertThat(new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEmpty();
      assertThat(groff.waitFor()).isZero();
    }
  }

  @Test
  void bashCompletesCommandsAndOptions() throws Exception {
    CommandPages.main(new String[] {folder.toString()});
    String script =
        """
        . "$1"
        COMP_WORDS=(sluice back) COMP_CWORD=1 COMP_LINE='sluice back' COMP_POINT=11
        _complete_sluice; echo "${COMPREPLY[@]}"
        COMP_WORDS=(sluice serve --tls-c) COMP_CWORD=2 COMP_LINE='sluice serve --tls-c' COMP_POINT=20
        _complete_sluice; echo "${COMPREPLY[@]}"
        """;
    Process bash =
        new ProcessBuilder(
                "/bin/bash",
                "-c",
                script,
                "bash",
                folder.resolve("bash-completion/sluice").toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String completed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(completed.lines()).containsExactly("backup", "--tls-cert --tls-client-ca");
  }
}
