package net.sluice.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import net.sluice.cli.StartFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice backup}: a copy of the store of a controller that serves. */
@Command(
    name = "backup",
    description = {
      "Write a copy of a controller's store, as it is at one moment, while it serves;"
          + " restore makes a store of it."
    },
    mixinStandardHelpOptions = true)
public final class BackupCommand implements Callable<Integer> {
  @Mixin private ApiOptions api = new ApiOptions();

  @Parameters(index = "0", paramLabel = "FILE", description = "Where to")
  private String file;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure {
    ApiClient client = api.client();
    try (InputStream backup = client.post("/backup")) {
      // It has the secrets of webhooks.
      WholeFile.writeSecret(file, backup);
    } catch (IOException e) {
      throw client.failed(e);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("the store is backed up in " + file);
    out.flush();
    return 0;
  }
}
