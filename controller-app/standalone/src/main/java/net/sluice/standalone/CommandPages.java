package net.sluice.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import net.sluice.cli.ManPages;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Writes manual pages and bash's completion of the command line; run by the build. */
public final class CommandPages {
  private CommandPages() {}

  /**
   * Writes {@code man/man1} and {@code bash-completion/sluice} into a folder.
   *
   * @param args the folder
   */
  public static void main(String[] args) throws IOException {
    CommandLine line = Main.commandLine(Optional.empty(), Map.of());
    Path folder = Path.of(args[0]);
    Path man = Files.createDirectories(folder.resolve("man/man1"));
    String version = line.getCommandSpec().version()[0];
    new ManPages(version).write(line, man);
    Path completion = Files.createDirectories(folder.resolve("bash-completion"));
    Files.writeString(completion.resolve("sluice"), AutoComplete.bash("sluice", line));
  }
}
