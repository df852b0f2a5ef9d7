package net.sluice.lab.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.sluice.cli.StartFailure;
import net.sluice.core.Controller;
import net.sluice.lab.report.Row;
import net.sluice.lab.support.ApiClient;
import net.sluice.lab.support.Progress;
import net.sluice.standalone.audit.AuditSettings;
import net.sluice.standalone.events.ControllerEvents;
import net.sluice.standalone.guard.Authentication;
import net.sluice.standalone.guard.TokenCommand;
import net.sluice.standalone.guard.TokenFile;
import net.sluice.standalone.guard.Tokens;
import net.sluice.standalone.http.AllowedCallers;
import net.sluice.standalone.http.HttpLimits;
import net.sluice.standalone.http.HttpServer;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.webhooks.WebhookOptions;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;

/**
 * Costs of what an operator adds to a controller and reads of it: changes with tokens, audit log
 * and log of events beside changes without, lists and an export of everything.
 */
final class OperatingBench {
  /** Changes made in turn with and without guard, so that what else goes on hits both. */
  private static final int STRETCH = 250;

  private static final int PAGE = 1000;
  private static final double MAX_P99_RATIO = 1.2;
  private static final double MAX_PAGE_MILLIS = 50;
  private static final double MAX_EXPORT_SECONDS = 10;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Controller controller;
  private final ApiClient plain;
  private final Path directory;
  private final int subscribers;
  private final Progress progress;

  /**
   * @param plain a client of the controller without any of it
   * @param directory where tokens and logs are kept, on the file system of the store
   */
  OperatingBench(
      Controller controller, ApiClient plain, Path directory, int subscribers, Progress progress) {
    this.controller = controller;
    this.plain = plain;
    this.directory = directory;
    this.subscribers = subscribers;
    this.progress = progress;
  }

  /** Makes a change. */
  interface Changing {
    /** How long it took, ns. */
    long change(ApiClient client)
        throws ApiClient.RefusedException, IOException, InterruptedException;
  }

  /**
   * Rows of all.
   *
   * @param changes made with guard, and as many without
   */
  List<Row> run(int changes, Changing changing)
      throws StartFailure, ApiClient.RefusedException, IOException, InterruptedException {
    List<Row> rows = new ArrayList<>(guarded(changes, changing));
    rows.add(Row.atMost("list.pageP99Millis", "ms", null, pageMillis(), MAX_PAGE_MILLIS));
    long start = System.nanoTime();
    byte[] lines = plain.lines("/export");
    double seconds = (System.nanoTime() - start) / 1e9;
    if (lines.length < subscribers) {
      throw new IOException("an export of " + subscribers + " has " + lines.length + " bytes");
    }
    rows.add(Row.atMost("export.seconds", "s", null, seconds, MAX_EXPORT_SECONDS));
    progress.say("listed and exported " + subscribers + " subscribers");
    return rows;
  }

  private List<Row> guarded(int changes, Changing changing)
      throws StartFailure, ApiClient.RefusedException, IOException, InterruptedException {
    Histogram without = new Histogram(3);
    Histogram with = new Histogram(3);
    String token = token();
    try (HttpServer http = HttpServer.start(controller, settings(), "bench")) {
      ApiClient guarded = new ApiClient(http.base(), Optional.of(token));
      // The first stretch is the warm-up of both.
      for (int made = -STRETCH; made < changes; made += STRETCH) {
        int size = Math.min(STRETCH, changes - made);
        for (int i = 0; i < size; i++) {
          record(without, made, changing.change(plain));
        }
        try (ControllerEvents events =
            ControllerEvents.of(controller, directory.resolve("events"), 64)) {
          for (int i = 0; i < size; i++) {
            record(with, made, changing.change(guarded));
          }
          events.endAnswers();
        }
      }
    }
    double p99 = without.getValueAtPercentile(99) / 1e6;
    double guardedP99 = with.getValueAtPercentile(99) / 1e6;
    progress.say(changes + " single changes made, and as many with tokens, audit log and events");
    return List.of(
        Row.plain("guarded.withoutP99Millis", "ms", null, p99),
        Row.plain("guarded.p99Millis", "ms", null, guardedP99),
        Row.atMost("guarded.p99Ratio", "1", null, guardedP99 / p99, MAX_P99_RATIO));
  }

  private static void record(Histogram histogram, int made, long nanos) {
    if (made >= 0) {
      histogram.recordValue(nanos);
    }
  }

  /** The token of a caller that is made for the bench. */
  private String token() throws IOException {
    StringWriter said = new StringWriter();
    int exit =
        new CommandLine(new TokenCommand())
            .setOut(new PrintWriter(said))
            .execute("add", "bench", "--role", "operate", "--tokens", tokens().toString());
    if (exit != 0) {
      throw new IOException("no token could be made");
    }
    return said.toString().strip();
  }

  private Path tokens() {
    return directory.resolve("tokens");
  }

  private HttpSettings settings() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      return new HttpSettings(
          any,
          Optional.empty(),
          HttpLimits.DEFAULT,
          AllowedCallers.of(any),
          Optional.empty(),
          Authentication.by(new Tokens(new TokenFile(tokens()))),
          Optional.of(new AuditSettings(directory.resolve("audit"), 16 << 20, 64)),
          Set.of(),
          false,
          WebhookOptions.Settings.byDefault(),
          Optional.empty());
    } catch (TokenFile.Unusable e) {
      throw new IOException("the token cannot be used: " + e.getMessage(), e);
    }
  }

  /** The p99 of pages of a walk over all subscribers. */
  private double pageMillis() throws ApiClient.RefusedException, IOException, InterruptedException {
    Histogram nanos = new Histogram(3);
    String path = "/subscribers?limit=" + PAGE;
    Optional<String> cursor = Optional.of("");
    while (cursor.isPresent()) {
      long start = System.nanoTime();
      byte[] page = plain.bytes(path + cursor.get());
      nanos.recordValue(System.nanoTime() - start);
      JsonNode next = MAPPER.readTree(page).path("next");
      cursor =
          next.isMissingNode()
              ? Optional.empty()
              : Optional.of("&cursor=" + URLEncoder.encode(next.asText(), StandardCharsets.UTF_8));
    }
    return nanos.getValueAtPercentile(99) / 1e6;
  }
}
