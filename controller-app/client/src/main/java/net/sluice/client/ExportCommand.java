package net.sluice.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;
import net.sluice.cli.StartFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice export}: all that is declared, as a file. */
@Command(
    name = "export",
    description = {
      "Write all policies, subscribers and rate limits of a controller as newline-delimited JSON,"
          + " in an order that depends on nothing else."
    },
    mixinStandardHelpOptions = true)
public final class ExportCommand implements Callable<Integer> {
  @Mixin private ApiOptions api = new ApiOptions();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "Where to; without it to standard output")
  private String file;

  @Option(
      names = "--declared-only",
      description = "Leave out what is in force now of schedules and suspensions, as for diffs")
  private boolean declaredOnly;

  @Override
  public Integer call() throws StartFailure {
    ApiClient client = api.client();
    try (InputStream lines = client.get(declaredOnly ? "/export?declaredOnly=true" : "/export")) {
      if (file == null) {
        long unused = lines.transferTo(System.out);
        System.out.flush();
      } else {
        WholeFile.write(file, lines);
      }
    } catch (IOException e) {
      throw client.failed(e);
    }
    return 0;
  }
}
