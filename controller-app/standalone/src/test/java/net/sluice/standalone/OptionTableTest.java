package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.sluice.cli.ManPages;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.OptionSpec;

/** The operator's guide has each option as {@code --help} and the manual page have it. */
final class OptionTableTest {
  private static final Path GUIDE = Path.of("../../docs/operators-guide.md");
  private static final String HEAD = "| option | meaning |\n| --- | --- |\n";
  private static final Set<String> OF_EVERY_COMMAND = Set.of("--help", "--version");

  @Test
  void theGuideHasEachOptionInItsOwnWords() throws IOException {
    List<OptionSpec> options =
        ServeCommand.line(Optional.empty(), Map.of()).getCommandSpec().options();
    StringBuilder table = new StringBuilder(HEAD);
    for (OptionSpec option : options) {
      if (!option.hidden() && !OF_EVERY_COMMAND.contains(option.longestName())) {
        String value =
            option.arity().max() == 0 ? "" : " " + option.paramLabel().replace("|", "\\|");
        String words = ManPages.words(option);
        table
            .append("| `")
            .append(option.longestName())
            .append(value)
            .append("` | ")
            .append(words.replace("${DEFAULT-VALUE}", String.valueOf(option.defaultValue())))
            .append(words.endsWith(".") ? " |\n" : ". |\n");
      }
    }
    assertThat(Files.readString(GUIDE)).contains("## Options\n\n" + table + "\n");
  }
}
