package net.sluice.lab.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.lab.report.Row;
import net.sluice.lab.support.ControllerApi;
import net.sluice.lab.support.Progress;
import org.HdrHistogram.Histogram;

/** Costs of what an operator reads of a controller: lists and an export of everything. */
final class OperatingBench {
  private static final int PAGE = 1000;
  private static final double MAX_PAGE_MILLIS = 50;
  private static final double MAX_EXPORT_SECONDS = 10;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ControllerApi client;
  private final int subscribers;
  private final Progress progress;

  /**
   * @param client of a controller
   * @param subscribers that it has
   */
  OperatingBench(ControllerApi client, int subscribers, Progress progress) {
    this.client = client;
    this.subscribers = subscribers;
    this.progress = progress;
  }

  /** Rows of all. */
  List<Row> run() throws ControllerApi.RefusedException, IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    rows.add(Row.atMost("list.pageP99Millis", "ms", null, pageMillis(), MAX_PAGE_MILLIS));
    long start = System.nanoTime();
    byte[] lines = client.lines("/export");
    double seconds = (System.nanoTime() - start) / 1e9;
    if (lines.length < subscribers) {
      throw new IOException("an export of " + subscribers + " has " + lines.length + " bytes");
    }
    rows.add(Row.atMost("export.seconds", "s", null, seconds, MAX_EXPORT_SECONDS));
    progress.say("listed and exported " + subscribers + " subscribers");
    return rows;
  }

  /** The p99 of pages of a walk over all subscribers. */
  private double pageMillis()
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    Histogram nanos = new Histogram(3);
    String path = "/subscribers?limit=" + PAGE;
    Optional<String> cursor = Optional.of("");
    while (cursor.isPresent()) {
      long start = System.nanoTime();
      byte[] page = client.bytes(path + cursor.get());
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
