package net.sluice.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import net.sluice.cli.StartFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice usage}: what a subscriber got over a time. */
@Command(
    name = "usage",
    description = {
      "Show what a subscriber offered and got over a time, what of it was dropped, and its delay."
    },
    mixinStandardHelpOptions = true)
public final class UsageCommand implements Callable<Integer> {
  @Mixin private ApiOptions api = new ApiOptions();

  @Parameters(index = "0", paramLabel = "ID", description = "The subscriber")
  private String id;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Begin, as in 2026-01-02T03:04:05Z. Default: an hour before the end")
  private String from;

  @Option(names = "--to", paramLabel = "TIME", description = "End. Default: now")
  private String to;

  @Option(
      names = "--step",
      paramLabel = "SECONDS",
      description = "Time of each row, 60 to 86400. Default: what gives 360 rows at most")
  private String step;

  @Option(names = "--json", description = "Write the answer of the API as it is")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure {
    JsonNode usage =
        api.client()
            .read(
                new ApiPath("subscribers", id, "usage")
                    .with("from", from)
                    .with("to", to)
                    .with("step", step));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(usage);
    } else {
      out.printf(
          "%s: means of %d s each; rates in bit/s of frames, delay of 95 %% of packets in ms%n",
          usage.path("id").asText(), usage.path("stepSeconds").asLong());
      RateTable table = new RateTable("end", "down ", "up ");
      usage
          .path("points")
          .forEach(
              point -> table.row(point.path("at").asText(), point.path("down"), point.path("up")));
      table.print(out);
    }
    out.flush();
    return 0;
  }
}
