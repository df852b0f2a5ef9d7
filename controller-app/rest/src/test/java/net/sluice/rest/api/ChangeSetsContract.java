package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.NetworkRig;
import net.sluice.intents.model.Kind;
import net.sluice.rest.bulk.SetExchange;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.Transcript;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bulk changes that are made together, over HTTP. */
@Timeout(600)
class ChangeSetsContract {
  private static final String TYPE = "application/x-ndjson";
  private static final String PATH = "/bulk?atomic=true";
  private static final String GOLD =
      "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"gold\","
          + "\"value\":{\"throughputValue\":{\"builtIn\":\"gold\"}}}";

  private static String subscriber(String id, String address, String more) {
    return String.format(
        Locale.ROOT,
        "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"%s\",\"value\":{\"policy\":\"gold\","
            + "\"prefixes\":[\"%s/32\"],\"attachment\":{%s\"port\":0,\"tree\":3}}}",
        id,
        address,
        more);
  }

  private static String limit(String id, String of, int mbps) {
    return String.format(
        Locale.ROOT,
        "{\"op\":\"put\",\"kind\":\"rate-limit\",\"id\":\"%s\",\"value\":{\"scope\":"
            + "{\"subscriber\":\"%s\"},\"downBps\":%d000000}}",
        id,
        of,
        mbps);
  }

  private static String lines(String... lines) {
    return String.join("\n", lines);
  }

  @Test
  void twoSubscribersExchangeWhatTheyHave() throws Exception {
    try (ControllerRig rig = ControllerRig.settled();
        TestServer server = new TestServer(rig.controller)) {
      Transcript transcript = new Transcript(server);
      transcript.send(
          "POST",
          PATH,
          TYPE,
          lines(
              limit("b-20", "b", 20),
              subscriber("b", "10.0.0.2", ""),
              limit("a-10", "a", 10),
              subscriber("a", "10.0.0.1", ""),
              GOLD));
      rig.time.pass(Duration.ofSeconds(1));
      String exchange =
          lines(
              subscriber("a", "10.0.0.2", ""),
              subscriber("b", "10.0.0.1", ""),
              limit("a-10", "b", 10),
              limit("b-20", "a", 20));
      transcript.send("POST", PATH + "&dryRun=true", TYPE, exchange);
      transcript.send("POST", PATH, TYPE, exchange);
      transcript.json("GET", "/export", null);
      Golden.check("set.txt", transcript.toString());
    }
  }

  @Test
  void whatIsRefusedNamesItsLinesAndChangesNothing() throws Exception {
    try (ControllerRig rig = ControllerRig.settled();
        TestServer server = new TestServer(rig.controller)) {
      server.send(
          "POST", PATH, TYPE, lines(GOLD, subscriber("a", "10.0.0.1", ""), limit("l", "a", 10)));
      String before = server.send("GET", "/export", null).body();
      Transcript transcript = new Transcript(server);
      String wrong =
          lines(
              subscriber("b", "10.0.0.2", ""),
              subscriber("c", "10.0.0.1", ""),
              "{\"op\":\"delete\",\"kind\":\"subscriber\",\"id\":\"nobody\"}",
              limit("m", "d", 10),
              "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"gold\"}");
      transcript.send("POST", PATH + "&dryRun=true", TYPE, wrong);
      transcript.send("POST", PATH, TYPE, wrong);
      transcript.send(
          "POST",
          PATH,
          TYPE,
          lines(subscriber("b", "10.0.0.2", ""), subscriber("b", "10.0.0.3", "")));
      transcript.send(
          "POST", PATH, TYPE, lines(subscriber("b", "10.0.0.2", ""), "", "{\"op\":\"put\"}"));
      transcript.send(
          "POST",
          PATH,
          TYPE,
          lines(
              subscriber("b", "10.0.0.2", ""),
              subscriber("a", "10.0.0.3", "").replace("}}}", "}},\"ifMatch\":\"other\"}")));
      transcript.send("POST", "/bulk?atomic=yes", TYPE, "");
      Golden.check("set-refused.txt", transcript.toString());
      assertThat(server.send("GET", "/export", null).body()).isEqualTo(before);
    }
  }

  @Test
  void tenThousandLinesAreASetAndOneMoreIsNone() throws Exception {
    try (ControllerRig rig = ControllerRig.settled();
        TestServer server = new TestServer(rig.controller)) {
      List<String> lines =
          IntStream.range(0, 10_000)
              .mapToObj(i -> subscriber("s" + i, "10.0." + i / 256 + "." + i % 256, ""))
              .collect(Collectors.toList());
      lines.set(17, GOLD);
      String set = String.join("\n", lines);
      assertThat(server.send("POST", PATH, TYPE, set).body().lines())
          .hasSize(10_000)
          .allMatch(line -> line.contains("\"status\":200"));
      assertThat(server.send("POST", PATH, TYPE, set + "\n" + GOLD).body())
          .contains(
              "\"status\":422", "body is 10001 lines; allowed: at most 10000 with atomic=true");
      HttpResponse<String> tooLong =
          server.send("POST", PATH, TYPE, " ".repeat(SetExchange.MAX_BYTES + 1));
      assertThat(tooLong.statusCode()).isEqualTo(413);
      assertThat(tooLong.body()).contains("allowed: at most 16777216 bytes.");
    }
  }

  @Test
  void addressesPassBetweenSwitches() throws Exception {
    try (NetworkRig rig = NetworkRig.settled("leaf1", "leaf2");
        TestServer server = new TestServer(rig.controller)) {
      String one = "\"switch\":\"leaf1\",";
      String two = "\"switch\":\"leaf2\",";
      server.send(
          "POST",
          PATH,
          TYPE,
          lines(GOLD, subscriber("a", "10.0.0.1", one), subscriber("b", "10.0.0.2", two)));
      rig.time.pass(Duration.ofSeconds(1));
      Transcript transcript = new Transcript(server);
      String addresses = lines(subscriber("a", "10.0.0.2", one), subscriber("b", "10.0.0.1", two));
      transcript.send("POST", PATH + "&dryRun=true", TYPE, addresses);
      transcript.send("POST", PATH, TYPE, addresses);
      String switches = lines(subscriber("a", "10.0.0.2", two), subscriber("b", "10.0.0.1", one));
      transcript.send("POST", PATH, TYPE, switches);
      Golden.check("set-network.txt", transcript.toString());
      rig.time.pass(Duration.ofSeconds(10));
      assertThat(rig.controller.summary().isAllInstalled()).isTrue();
      assertThat(rig.controller.find(Kind.SUBSCRIBER, "a").orElseThrow().switchName())
          .hasValue("leaf2");
      assertThat(rig.controller.find(Kind.SUBSCRIBER, "b").orElseThrow().switchName())
          .hasValue("leaf1");
    }
  }
}
