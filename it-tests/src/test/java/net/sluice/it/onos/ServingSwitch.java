package net.sluice.it.onos;

import static net.sluice.it.onos.OnosRest.ok;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.sluice.it.p4.ProbedSwitch;
import net.sluice.it.serve.SluiceProcess;
import net.sluice.testing.Patience;
import p4.v1.P4RuntimeOuterClass.Entity;

/**
 * An emulated switch that is to serve the same subscribers all the time, whoever controls it: each
 * look passes a packet to and a packet from each of them, and none may be lost.
 */
final class ServingSwitch implements AutoCloseable {
  static final int SUBSCRIBERS = 1_000;
  static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";

  /** The cabling that ONOS takes a switch to have without a topology in its configuration. */
  static final String TOPOLOGY =
      "{\"ports\": [{\"number\": 1, \"role\": \"access\", \"rateBps\": 1000000000,"
          + " \"destinationMac\": \"02:00:00:01:00:01\"}, {\"number\": 2, \"role\": \"core\","
          + " \"rateBps\": 1000000000, \"destinationMac\": \"02:00:00:01:00:02\"}],"
          + " \"bngPorts\": {\"0\": 1}, \"routes\": [{\"prefix\": \"0.0.0.0/0\", \"port\": 2}]}";

  private static final int KILLED_BY_SIGTERM = 128 + 15;

  private final ProbedSwitch probed;

  ServingSwitch() throws IOException {
    probed = new ProbedSwitch(SUBSCRIBERS);
  }

  /**
   * A subscriber of the switch, as JSON.
   *
   * @param place the fields of its attachment that say where in a network it is, each before a
   *     comma
   */
  static String subscriber(int number, String place) {
    return "{\"policy\":\"gold\",\"prefixes\":[\"10.0.%d.%d/32\"],\"attachment\":{%s\"port\":0,\"tree\":0}}"
        .formatted(number >> 8, number & 255, place);
  }

  /** Puts all its subscribers, whose ids begin with {@code id}; each has to be taken. */
  static void declareAll(OnosRest api, String path, String id, String place) throws Exception {
    ok(api.put(path + "/policies/gold", GOLD));
    String lines =
        IntStream.range(0, SUBSCRIBERS)
            .mapToObj(
                number ->
                    "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"%s%d\",\"value\":%s}\n"
                        .formatted(id, number, subscriber(number, place)))
            .collect(Collectors.joining());
    HttpResponse<String> answer =
        api.send("POST", path + "/bulk", "application/x-ndjson", BodyPublishers.ofString(lines));
    assertThat(answer.body().lines())
        .hasSize(SUBSCRIBERS)
        .allSatisfy(line -> assertThat(line).contains("\"status\":200"));
  }

  /** Has {@code serve} declare and install the subscribers, and ends it. */
  void fillByServe(Path work) throws Exception {
    Path topology = Files.writeString(work.resolve("topology.json"), TOPOLOGY);
    try (SluiceProcess serve =
        SluiceProcess.sluice(
            work.resolve("serve.log"),
            "serve",
            "--http",
            "127.0.0.1:0",
            "--data",
            work.resolve("serve").toString(),
            "--switch",
            "127.0.0.1:" + port(),
            "--profile",
            "emulator",
            "--topology",
            topology.toString())) {
      String ready = serve.firstLine();
      OnosRest api = new OnosRest(ready.replaceFirst(".*API (http://[^/]*).*", "$1"), "");
      declareAll(api, "/sluice/v1", "s", "");
      Patience.awaitAnswer(
          "serve has installed everything",
          Patience.TIME,
          () -> ok(api.get("/sluice/v1/status")).path("allInstalled").asBoolean(),
          installed -> installed);
      assertThat(serve.terminate()).isEqualTo(KILLED_BY_SIGTERM);
    }
    losesNothing();
  }

  int port() {
    return probed.port();
  }

  /** All that it holds, as it says itself. */
  Set<Entity> content() throws InterruptedException {
    return SwitchContent.all(port());
  }

  /** Looks once; the number of packets lost, which is 0. */
  int losesNothing() {
    int lost = probed.lost();
    assertThat(lost).as("packets lost").isZero();
    return lost;
  }

  /** Looks again and again for that long. */
  void losesNothingFor(Duration time) {
    Patience.during("no packet is lost", time, this::losesNothing);
  }

  @Override
  public void close() {
    probed.close();
  }
}
