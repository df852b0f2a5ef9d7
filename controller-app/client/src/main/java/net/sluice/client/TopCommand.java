package net.sluice.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import net.sluice.cli.StartFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice top}: the subscribers that have most of something. */
@Command(
    name = "top",
    description = {
      "Show the subscribers with the highest rate, the most drops or the longest delay."
    },
    mixinStandardHelpOptions = true)
public final class TopCommand implements Callable<Integer> {
  @Mixin private ApiOptions api = new ApiOptions();

  @Option(names = "--by", paramLabel = "WHAT", description = "rate, drops or delay. Default: rate")
  private String by;

  @Option(
      names = "--direction",
      paramLabel = "WAY",
      description = "down, to the subscribers, or up. Default: down")
  private String direction;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Most subscribers, 1 to 1000. Default: 20")
  private String limit;

  @Option(names = "--json", description = "Write the answer of the API as it is")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure {
    JsonNode top =
        api.client()
            .read(
                new ApiPath("top")
                    .with("by", by)
                    .with("direction", direction)
                    .with("limit", limit));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(top);
    } else {
      out.printf(
          "%s by %s, %s; rates in bit/s of frames, delay of 95 %% of packets in ms%n",
          top.path("direction").asText(),
          top.path("by").asText(),
          top.path("at").isTextual()
              ? "as of " + top.path("at").asText()
              : "before the first reading");
      RateTable table = new RateTable("subscriber", "");
      top.path("top").forEach(each -> table.row(each.path("id").asText(), each));
      table.print(out);
    }
    out.flush();
    return 0;
  }
}
