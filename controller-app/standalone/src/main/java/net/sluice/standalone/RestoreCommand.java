package net.sluice.standalone;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import net.sluice.cli.OptionValues;
import net.sluice.cli.StartFailure;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.store.StoreException;
import net.sluice.endpoints.StoreRestore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice restore}: a store made of a backup, for a controller that does not run. */
@Command(
    name = "restore",
    description = {
      "Make a store of a backup. The controller whose store it is must not run. A backup that is"
          + " damaged changes nothing."
    },
    mixinStandardHelpOptions = true)
public final class RestoreCommand implements Callable<Integer> {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where the controller keeps its declarations, as with serve. Default: as there")
  private String data;

  @Option(
      names = "--replace",
      description =
          "Put a store that is there aside, in a folder of its directory. Without it the restore is"
              + " refused where there is one.")
  private boolean replace;

  @Parameters(index = "0", paramLabel = "FILE", description = "The backup")
  private String file;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure {
    Path archive = OptionValues.inputFile("FILE", file);
    Path directory = StateDirectory.of(data, System.getenv(), System.getProperty("user.home"));
    StoreRestore.Restored restored;
    try {
      restored = StoreRestore.run(archive, directory, replace, Clock.systemUTC().instant());
    } catch (StoreException e) {
      throw new StartFailure(e.getMessage(), e);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "restored the store in %s: identity %016x%s%n",
        directory,
        restored.identity(),
        restored.revisions().entrySet().stream()
            .map(
                each ->
                    String.format(
                        Locale.ROOT,
                        ", revision %d%s",
                        each.getValue(),
                        each.getKey().equals(NetworkSwitch.ONLY) ? "" : " of " + each.getKey()))
            .collect(Collectors.joining()));
    restored.replaced().ifPresent(old -> out.println("the old store is in " + old));
    out.println(
        "Targets that were written after the backup will be REFUSING: declare again what it lacks,"
            + " then adopt them all (POST /sluice/v1/targets/NAME/adopt), or start with --adopt.");
    out.flush();
    return 0;
  }
}
