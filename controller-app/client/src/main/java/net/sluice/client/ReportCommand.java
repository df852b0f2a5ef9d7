package net.sluice.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.Callable;
import net.sluice.cli.InvalidOption;
import net.sluice.cli.StartFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice report}: what subscribers got of what they were entitled to. */
@Command(
    name = "report",
    description = {
      "Write what subscribers got of what they were entitled to over a time: the share of the time"
          + " in which they got it, percentiles of delay, each breach with its cause, and gaps."
    },
    mixinStandardHelpOptions = true)
public final class ReportCommand implements Callable<Integer> {
  private static final String CSV = "csv";

  @Spec private CommandSpec spec;
  @Mixin private ApiOptions api = new ApiOptions();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ID",
      description = "The subscriber; without it all of them")
  private String id;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = Time.class,
      description = "Begin of the time, as 2026-12-01T00:00:00Z. Default: a day before its end")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = Time.class,
      description = "End of the time. Default: now")
  private String to;

  @Option(
      names = "--format",
      paramLabel = "csv|json",
      defaultValue = CSV,
      converter = Form.class,
      description =
          "The form of the report; of all subscribers JSON is a page a line. Default:"
              + " ${DEFAULT-VALUE}")
  private String format;

  static final class Form implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (!text.equals(CSV) && !text.equals("json")) {
        throw new InvalidOption("csv or json");
      }
      return text;
    }
  }

  static final class Time implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      try {
        return OffsetDateTime.parse(text).toInstant().toString();
      } catch (DateTimeParseException e) {
        throw new InvalidOption("a date and time of RFC 3339, such as 2026-01-02T03:04:05Z");
      }
    }
  }

  @Override
  public Integer call() throws StartFailure {
    ApiClient client = api.client();
    String query = "?format=" + format + time("from", from) + time("to", to);
    try {
      if (id != null) {
        String path = "/subscribers/" + URLEncoder.encode(id, StandardCharsets.UTF_8) + "/report";
        try (InputStream report = client.get(path + query)) {
          copy(report, false);
        }
        return 0;
      }
      Optional<String> next = Optional.of(query + "&limit=1000");
      for (boolean isFirst = true; next.isPresent(); isFirst = false) {
        ApiClient.Page page = client.page("/report" + next.get());
        try (InputStream report = page.body()) {
          copy(report, !isFirst && format.equals(CSV));
        }
        next = page.next();
      }
    } catch (IOException e) {
      throw client.failed(e);
    }
    return 0;
  }

  private static String time(String name, String value) {
    return value == null ? "" : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** The names of columns are written once. */
  private void copy(InputStream report, boolean withoutFirstLine) throws IOException {
    if (withoutFirstLine) {
      int read = report.read();
      while (read >= 0 && read != '\n') {
        read = report.read();
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    long unused = new InputStreamReader(report, StandardCharsets.UTF_8).transferTo(out);
    out.flush();
  }
}
