package net.sluice.standalone.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import net.sluice.cli.StartFailure;
import net.sluice.core.ChangeNeeds;
import net.sluice.core.StoreHealth;
import net.sluice.core.time.WatchedThread;
import net.sluice.rest.testing.MemoryController;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is told of the process beside the API. */
final class HealthServerTest {
  private final MemoryController controller = new MemoryController(10);
  private HealthServer health;
  private volatile boolean hasCoffee;

  @BeforeEach
  void start() throws StartFailure {
    health = new HealthServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "test");
  }

  @AfterEach
  void stop() {
    health.close();
  }

  private String answer(String path) throws IOException, InterruptedException {
    HttpResponse<String> response = Http.send("GET", health.base() + path, null);
    return response.statusCode() + " " + response.body();
  }

  @Test
  void itIsReadyWhileChangesAreTaken() throws Exception {
    assertThat(answer("/live")).isEqualTo("200 {\"live\":true}\n");
    assertThat(answer("/ready"))
        .isEqualTo("503 {\"ready\":false,\"reasons\":[\"the declarations are being loaded\"]}\n");
    health.serves(controller);
    assertThat(answer("/ready")).isEqualTo("200 {\"ready\":true,\"reasons\":[]}\n");
    controller.storeIs(
        new StoreHealth.Failed(
            "no space left", Instant.parse("2026-01-02T03:04:05Z"), Optional.empty()));
    assertThat(answer("/ready"))
        .isEqualTo(
            "503 {\"ready\":false,\"reasons\":[\"the store takes no changes since"
                + " 2026-01-02T03:04:05Z: no space left\"]}\n");
    controller
        .needs()
        .add(
            new ChangeNeeds.Need() {
              @Override
              public String name() {
                return "coffee";
              }

              @Override
              public Optional<ChangeNeeds.Lack> lack() {
                return hasCoffee
                    ? Optional.empty()
                    : Optional.of(new ChangeNeeds.Lack(name(), "the pot is empty"));
              }
            });
    assertThat(answer("/ready")).endsWith(": no space left\",\"the pot is empty\"]}\n");
    assertThat(answer("/live")).startsWith("200 ");
    hasCoffee = true;
    controller.storeIs(new StoreHealth.Writable());
    assertThat(answer("/ready")).startsWith("200 ");
    assertThat(answer("/alive")).startsWith("404 ").contains("allowed: a path under /health.");
  }

  @Test
  void aThreadThatHasEndedIsToldUntilItsOwnerEndsIt() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    WatchedThread thread =
        WatchedThread.of(
            "sluice-test",
            () -> {
              Patience.await(goOn);
              throw new StackOverflowError("deep");
            });
    thread.start();
    assertThat(answer("/live")).isEqualTo("200 {\"live\":true}\n");
    goOn.countDown();
    String told =
        Patience.await(
            "the end of the thread", () -> answer("/live"), answer -> !answer.startsWith("200 "));
    assertThat(told)
        .isEqualTo(
            "503 {\"live\":false,\"reasons\":[\"thread sluice-test has ended:"
                + " java.lang.StackOverflowError: deep\"]}\n");
    thread.join();
    assertThat(answer("/live")).startsWith("200 ");
  }

  /** More of them than it has threads. */
  @Test
  void clientsThatSendNothingKeepNobodyWaiting() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 30; i++) {
        silent.add(new Socket(InetAddress.getLoopbackAddress(), health.base().getPort()));
        silent.get(i).getOutputStream().write('G');
      }
      assertThat(answer("/live")).startsWith("200 ");
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }
}
