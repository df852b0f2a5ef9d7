package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import net.sluice.core.Controller;
import net.sluice.core.engine.SlaController;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.Targets;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.endpoints.RocksDbIntentStore;
import net.sluice.standalone.http.HealthServer;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.http.ServedApi;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A controller whose store is on a file system that gets full, and is given room again. */
final class FullDiskTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** Less than RocksDB would set aside for its log, which then is not set aside. */
  private static final String SIZE = "24m";

  @TempDir Path folder;
  private final List<Path> mounted = new ArrayList<>();
  private Path disk;

  @BeforeEach
  void mount() throws Exception {
    disk = mount("disk", SIZE);
  }

  private Path mount(String name, String size) throws Exception {
    Path at = Files.createDirectory(folder.resolve(name));
    if (run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", at.toString()) != 0) {
      Prerequisite.MOUNTS.skip("no tmpfs can be mounted, so no store on a full disk is tested");
    }
    mounted.add(at);
    return at;
  }

  @AfterEach
  void unmount() throws Exception {
    for (Path each : mounted) {
      run("umount", each.toString());
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private RocksDbIntentStore store;

  private Controller open() {
    store = new RocksDbIntentStore(disk.resolve("store"));
    ThreadScheduler targets = new ThreadScheduler("targets");
    return SlaController.open(
        List.of(
            new NetworkSwitch(
                NetworkSwitch.ONLY,
                TestNetwork.config(disk.resolve("store"))
                    .backoff(Duration.ofMillis(10), Duration.ofMillis(100))
                    .build(),
                new Targets(
                    MemoryTarget.ofSwitch(targets),
                    CounterSource.none("no counters"),
                    Optional.of(MemoryTarget.ofFpga("fpga-down", targets)),
                    Optional.of(MemoryTarget.ofFpga("fpga-up", targets))))),
        store,
        Clock.systemUTC());
  }

  private static void fill(Path file) throws IOException {
    byte[] block = new byte[4096];
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      assertThat(full).hasMessage("No space left on device");
    }
  }

  private HttpResponse<String> put(URI base, int i) throws Exception {
    String body =
        String.format(
            Locale.ROOT,
            "{\"policy\":\"gold\",\"prefixes\":[\"10.0.%d.%d/32\"],"
                + "\"attachment\":{\"port\":0,\"tree\":1}}",
            i / 256,
            i % 256);
    return Http.send("PUT", URI.create(base + "/subscribers/s" + i + "?waitMillis=0"), body);
  }

  @Test
  void changesAreRefusedUntilThereIsRoomAgainAndNobodyRestartsAnything() throws Exception {
    try (Controller controller = open();
        HealthServer health = new HealthServer(ANY, "test");
        ServedApi http = new ServedApi(controller, store, HttpSettings.on(ANY))) {
      health.serves(controller);
      URI base = http.base();
      URI ready = URI.create(health.base() + "/ready");
      assertThat(
              Http.send(
                      "PUT",
                      URI.create(base + "/policies/gold"),
                      "{\"throughputValue\":{\"builtIn\":\"gold\"}}")
                  .statusCode())
          .isEqualTo(201);
      assertThat(put(base, 0).statusCode()).isEqualTo(201);
      assertThat(controller.awaitAllInstalled(Patience.TIME)).isTrue();
      assertThat(Http.send("GET", ready, null).statusCode()).isEqualTo(200);

      Path filler = disk.resolve("filler");
      fill(filler);
      // The log's last page has room for some.
      int kept = 1;
      HttpResponse<String> refused = put(base, kept);
      while (refused.statusCode() == 201) {
        kept++;
        refused = put(base, kept);
      }
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      assertThat(refused.body()).contains("No space left on device");
      refused = put(base, kept);
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("No space left on device");

      // Reads and status go on, and say what is the matter.
      for (int i = 0; i < kept; i++) {
        assertThat(Http.send("GET", URI.create(base + "/subscribers/s" + i), null).statusCode())
            .isEqualTo(200);
      }
      assertThat(Http.send("GET", URI.create(base + "/status"), null).body())
          .contains("\"lacking\":[{\"need\":")
          .contains("No space left on device");
      assertThat(Http.send("GET", ready, null).statusCode()).isEqualTo(503);

      Files.delete(filler);
      int subscriber = kept;
      HttpResponse<String> again =
          Patience.await(
              "changes are taken again",
              () -> put(base, subscriber),
              answer -> answer.statusCode() != 503);
      // It may be there already: it was refused because nobody could tell.
      assertThat(again.statusCode()).as(again.body()).isIn(200, 201);
      assertThat(controller.awaitAllInstalled(Patience.TIME)).isTrue();
      assertThat(Http.send("GET", ready, null).statusCode()).isEqualTo(200);
      assertThat(Http.send("GET", URI.create(base + "/subscribers?limit=1"), null).body())
          .contains("\"total\":" + (kept + 1) + ",");
    }
  }

  private static int status(URI uri) throws Exception {
    return Http.send("GET", uri, null).statusCode();
  }

  private HttpResponse<String> putGold(URI base) throws Exception {
    return Http.send(
        "PUT", URI.create(base + "/policies/gold"), "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
  }

  @Test
  void beforeThereIsNoRoomAtAllChangesAreRefusedAndTheStoreIsWell() throws Exception {
    try (Controller controller = open();
        HealthServer health = new HealthServer(ANY, "test");
        ServedApi http = new ServedApi(controller, store, HttpSettings.on(ANY))) {
      health.serves(controller);
      controller.needs().add(FreeSpace.at("free-space", disk, 4 << 20));
      URI ready = URI.create(health.base() + "/ready");
      assertThat(putGold(http.base()).statusCode()).isEqualTo(201);
      assertThat(status(ready)).isEqualTo(200);
      Path filler = disk.resolve("filler");
      try (OutputStream out = Files.newOutputStream(filler)) {
        while (Files.getFileStore(disk).getUsableSpace() >= 4 << 20) {
          out.write(new byte[4096]);
        }
      }
      // It is known before a change is refused.
      HttpResponse<String> notReady = Http.send("GET", ready, null);
      assertThat(notReady.statusCode()).isEqualTo(503);
      assertThat(notReady.body()).contains(" bytes are free at " + disk).contains("need 4194304");
      HttpResponse<String> refused = putGold(http.base());
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      assertThat(refused.body()).contains("nothing is changed until then");
      for (String bulk : List.of("/bulk", "/bulk?atomic=true")) {
        assertThat(deleteGold(http.base(), bulk))
            .as(bulk)
            .contains("\"status\":503")
            .contains("nothing is changed until then");
      }
      assertThat(deleteGold(http.base(), "/bulk?atomic=true&dryRun=true"))
          .contains("\"dryRun\":true");
      assertThat(controller.storeHealth().isWritable()).isTrue();
      Files.delete(filler);
      assertThat(status(ready)).isEqualTo(200);
      assertThat(putGold(http.base()).statusCode()).isEqualTo(200);
    }
  }

  private static String deleteGold(URI base, String bulk) throws Exception {
    return Http.send(
            "POST",
            URI.create(base + bulk),
            "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"gold\"}",
            "Content-Type",
            "application/x-ndjson")
        .body();
  }
}
