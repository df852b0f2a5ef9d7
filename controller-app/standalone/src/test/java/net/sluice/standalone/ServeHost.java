package net.sluice.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import net.sluice.cli.StartFailure;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.rest.testing.TestEdge;
import net.sluice.rest.testing.TestHost;
import net.sluice.rest.testing.TestServices;
import net.sluice.standalone.http.HttpLimits;
import net.sluice.standalone.http.HttpServer;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.network.NetworkFile;
import net.sluice.standalone.network.RemoteSwitchOptions;
import net.sluice.standalone.network.WebhookOptions;

/** Serves the API as {@code serve} does. */
public final class ServeHost implements TestHost {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** Clients keep their connections open: no test waits for their end. */
  private static final HttpLimits LIMITS =
      new HttpLimits(
          512,
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofMillis(100),
          Duration.ZERO);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private URI base;

  @Override
  public void start(TestServices services) {
    TestEdge requests = services.requests();
    HttpSettings settings =
        new HttpSettings(
            ANY,
            Optional.empty(),
            LIMITS,
            requests.allowed(),
            Optional.empty(),
            requests.callers(),
            HttpSettings.AUDIT_BYTES,
            Set.of(),
            requests.needsConditions(),
            WebhookOptions.byDefault(),
            requests.traces());
    try {
      Scheduler scheduler = new ThreadScheduler("test-refusals");
      opened.push(scheduler);
      HttpServer http = HttpServer.start(services.with(settings.edge(scheduler)).host(), settings);
      opened.push(http);
      base = http.base();
    } catch (StartFailure e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void startNetwork(String document) {
    try {
      Path folder = Files.createTempDirectory("sluice-serve");
      opened.push(() -> delete(folder));
      Path file = folder.resolve("network.json");
      Files.writeString(
          file, "{\"switches\":[" + document.replaceFirst("\\{", "{\"id\":\"bng1\",") + "]}");
      RemoteSwitchOptions options = new RemoteSwitchOptions();
      MarkerSettings marker = new MarkerSettings(1_000_000_000L, RandomRates.BITS_16);
      NetworkFile.Contents contents = NetworkFile.read(file.toString(), options, marker, List.of());
      StandaloneController standalone =
          StandaloneController.start(
              contents,
              NetworkFile.one(options, contents, marker),
              folder.resolve("data"),
              HttpSettings.on(ANY),
              Comparing.DEFAULT);
      opened.push(standalone);
      base = standalone.api();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (StartFailure e) {
      throw new IllegalStateException(e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  @Override
  public URI base() {
    return base;
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }
}
