package net.sluice.client;

import static net.sluice.core.store.BackupFile.MEDIA_TYPE;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.cli.StartFailure;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.store.StoreException;
import net.sluice.endpoints.StoreRestore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code sluice restore}: a store made of a backup, for a controller that does not run or for a
 * cluster that does.
 */
@Command(
    name = "restore",
    description = {
      "Make a store of a backup. Without --api it is that of 'serve', which must not run. With"
          + " --api it is that of a controller which restores while it runs, as in ONOS. A backup"
          + " that is damaged changes nothing."
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
          "Put a store that is there aside, in a folder of its directory; with --api, end it."
              + " Without this the restore is refused where there is one.")
  private boolean replace;

  @Mixin private ApiOptions api = new ApiOptions();

  @Parameters(index = "0", paramLabel = "FILE", description = "The backup")
  private String file;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure {
    Path archive = OptionValues.inputFile("FILE", file);
    boolean isOnline = spec.commandLine().getParseResult().hasMatchedOption("--api");
    if (isOnline && data != null) {
      throw new OptionException("--data", data, "nothing with --api");
    }
    if (isOnline) {
      restoreAt(archive);
    } else {
      restoreIn(archive);
    }
    return 0;
  }

  private void restoreAt(Path archive) throws StartFailure {
    ApiClient client = api.client();
    Map<String, Long> revisions = new TreeMap<>();
    try (InputStream answer =
        client.post("/restore" + (replace ? "?replace=true" : ""), MEDIA_TYPE, archive)) {
      JsonNode restored = ApiClient.MAPPER.readTree(answer);
      restored
          .path("revisions")
          .fields()
          .forEachRemaining(each -> revisions.put(each.getKey(), each.getValue().asLong()));
      tell("the API's store", restored.path("identity").asText(), revisions);
      restored.path("notes").forEach(note -> out().println(note.asText()));
    } catch (IOException e) {
      throw client.failed(e);
    }
    out().flush();
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void tell(String store, String identity, Map<String, Long> revisions) {
    out()
        .printf(
            "restored %s: identity %s%s%n",
            store,
            identity,
            revisions.entrySet().stream()
                .map(
                    each ->
                        String.format(
                            Locale.ROOT,
                            ", revision %d%s",
                            each.getValue(),
                            each.getKey().equals(NetworkSwitch.ONLY) ? "" : " of " + each.getKey()))
                .collect(Collectors.joining()));
  }

  private void restoreIn(Path archive) throws StartFailure {
    Path directory = StateDirectory.of(data, System.getenv(), System.getProperty("user.home"));
    StoreRestore.Restored restored;
    try {
      restored = StoreRestore.run(archive, directory, replace, Clock.systemUTC().instant());
    } catch (StoreException e) {
      throw new StartFailure(e.getMessage(), e);
    }
    tell(
        "the store in " + directory,
        HexFormat.of().toHexDigits(restored.identity()),
        restored.revisions());
    restored.replaced().ifPresent(old -> out().println("the old store is in " + old));
    out()
        .println(
            "Targets that were written after the backup will be REFUSING: declare again what it"
                + " lacks, then adopt them all (POST /sluice/v1/targets/NAME/adopt), or start with"
                + " --adopt.");
    out().flush();
  }
}
