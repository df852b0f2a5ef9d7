package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.sluice.rest.testing.TestServer;
import net.sluice.testing.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Switches that clients of the API declare, on every host alike. Nothing listens where they are.
 */
final class SwitchesContract {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";

  private final TestServer server = TestServer.ofNetwork(document(1, ""));

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static String document(int port, String more) {
    return ("{'profile':'emulator','p4runtime':'127.0.0.1:%d','topology':{'ports':[{'number':1,"
            + "'role':'access','rateBps':1000000000,'destinationMac':'02:00:00:01:00:01'},"
            + "{'number':2,'role':'core','rateBps':1000000000,"
            + "'destinationMac':'02:00:00:01:00:02'}],'bngPorts':{'0':1},"
            + "'routes':[{'prefix':'0.0.0.0/0','port':2}]}%s}")
        .formatted(port, more)
        .replace('\'', '"');
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws Exception {
    return Http.send(method, server.base() + path, body, headers);
  }

  private JsonNode json(int status, HttpResponse<String> response) throws Exception {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return MAPPER.readTree(response.body());
  }

  private List<String> names() throws Exception {
    List<String> names = new ArrayList<>();
    json(200, send("GET", "/switches", null))
        .get("switches")
        .forEach(each -> names.add(each.get("id").asText()));
    return names;
  }

  private static String tag(HttpResponse<String> response) {
    return response.headers().firstValue("ETag").orElseThrow();
  }

  @Test
  void aSwitchComesIsDrivenOtherwiseAndGoesUnderConditions() throws Exception {
    assertThat(names()).containsExactly("bng1");
    HttpResponse<String> put = send("PUT", "/switches/bng2", document(2, ""), "If-None-Match", "*");
    assertThat(json(201, put).get("declared")).isEqualTo(MAPPER.readTree(document(2, "")));
    assertThat(names()).containsExactlyInAnyOrder("bng1", "bng2");
    HttpResponse<String> got = send("GET", "/switches/bng2", null);
    assertThat(json(200, got).get("declared")).isEqualTo(MAPPER.readTree(document(2, "")));
    assertThat(tag(got)).isEqualTo(tag(put));
    assertThat(send("GET", "/switches/bng2", null, "If-None-Match", tag(put)).statusCode())
        .isEqualTo(304);
    assertThat(send("PUT", "/switches/bng2", document(2, ""), "If-None-Match", "*").statusCode())
        .isEqualTo(412);

    HttpResponse<String> patched =
        send(
            "PATCH",
            "/switches/bng2",
            "{\"maxSubscriberRateBps\":100000000,\"gnmi\":\"none\"}",
            "Content-Type",
            "application/merge-patch+json",
            "If-Match",
            tag(put));
    ObjectNode expected = (ObjectNode) MAPPER.readTree(document(2, ""));
    expected.put("maxSubscriberRateBps", 100_000_000).put("gnmi", "none");
    assertThat(json(200, patched).get("declared")).isEqualTo(expected);
    assertThat(tag(patched)).isNotEqualTo(tag(put));
    assertThat(send("DELETE", "/switches/bng2", null, "If-Match", tag(put)).statusCode())
        .isEqualTo(412);
    assertThat(names()).containsExactlyInAnyOrder("bng1", "bng2");
    assertThat(send("DELETE", "/switches/bng2", null, "If-Match", tag(patched)).statusCode())
        .isEqualTo(204);
    assertThat(names()).containsExactly("bng1");
    assertThat(send("GET", "/switches/bng2", null).statusCode()).isEqualTo(404);
    assertThat(send("DELETE", "/switches/bng2", null).statusCode()).isEqualTo(404);
  }

  @Test
  void whatIsNotAcceptableIsRefusedByFieldAndNothingChanges() throws Exception {
    String[][] cases = {
      {"[]", "400", "body is an array, []; allowed: an object"},
      {"{\"p4runtime\":\"127.0.0.1:2\"}", "400", "topology is absent; allowed: an object"},
      {
        document(2, ",'profile':'asic'").replaceFirst("\"profile\":\"emulator\",", ""),
        "422",
        "profile is asic; allowed: a switch: emulator"
      },
      {document(2, ",'colour':1"), "400", "There is no field colour"},
      {
        document(2, ",'fpgaDown':'127.0.0.1:3'"),
        "422",
        "fpgaDown is 127.0.0.1:3; allowed: absent, because the topology has no sidecar"
      },
      {
        document(2, ",'fpgaCodel':{'targetMicros':8,'intervalMicros':9}"),
        "422",
        "fpgaCodel is given; allowed: absent: aqm of a limit, or limitAqm of its policy"
      },
      {document(2, ",'randomBits':9"), "422", "randomBits is 9; allowed: 8 or 16"},
      {
        document(2, ",'maxSubscriberRateBps':1"),
        "422",
        "maxSubscriberRateBps is 1; allowed: 1000000 to 100000000000"
      },
      {document(2, ",'gnmi':'x'"), "422", "gnmi is x; allowed: HOST:PORT with a port"},
      {
        document(2, "").replace("\"port\":2}]", "\"port\":7}]"),
        "422",
        "topology.routes.port is 7; allowed: a port of the switch: 1, 2"
      },
      {
        document(2, "")
            .replace("\"number\":2", "\"number\":2,\"direction\":\"down\"")
            .replace("\"role\":\"core\"", "\"role\":\"trunk\"")
            .replace(
                "\"routes\"",
                "\"trunks\":[{\"port\":2,\"toSwitch\":\"x\",\"toPort\":1}],\"routes\""),
        "422",
        "toSwitch is x; allowed: another switch of the network: bng1"
      },
    };
    for (String[] each : cases) {
      HttpResponse<String> refused = send("PUT", "/switches/bng2", each[0]);
      assertThat(refused.body()).as(each[0]).contains(each[2].replace("\"", "\\\""));
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(Integer.parseInt(each[1]));
    }
    assertThat(names()).containsExactly("bng1");
  }

  @Test
  void whatASwitchCanHaveIsTheSameOnAllHosts() throws Exception {
    String all =
        document(
                2,
                ",'deviceId':7,'gnmi':'127.0.0.1:3','setPorts':true,'fpgaDown':'127.0.0.1:4',"
                    + "'fpgaClockHz':220000000,'fpgaClasses':true,'fpgaCustomerBursts':true,"
                    + "'maxSubscriberRateBps':1000000000,'randomBits':8")
            .replace("\"bngPorts\"", "\"mirrorPort\":60,\"loopPorts\":[61,62,63,64],\"bngPorts\"")
            .replace(
                "}],\"mirrorPort\"",
                "},{\"number\":3,\"role\":\"sidecar\",\"direction\":\"down\",\"rateBps\":1000}],"
                    + "\"mirrorPort\"");
    JsonNode told = json(201, send("PUT", "/switches/bng2", all));
    assertThat(told.get("declared")).isEqualTo(MAPPER.readTree(all));
    assertThat(told.get("targets").get(1).get("target").asText()).isEqualTo("bng2-fpga-down");
    HttpResponse<String> taken = send("PUT", "/switches/bng3", all.replace(":2\"", ":5\""));
    assertThat(taken.statusCode()).as(taken.body()).isEqualTo(409);
    assertThat(taken.body())
        .contains("fpgaDown is 127.0.0.1:4; allowed: an FPGA that is no other switch's")
        .contains("bng2 has this one");
  }

  @Test
  void noTwoSwitchesAreOneAndWhatIsInUseStays() throws Exception {
    assertThat(send("PUT", "/policies/gold?waitMillis=0", GOLD).statusCode()).isEqualTo(201);
    assertThat(send("PUT", "/switches/bng2", document(2, "")).statusCode()).isEqualTo(201);
    String alice =
        "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.1/32\"],"
            + "\"attachment\":{\"switch\":\"bng2\",\"port\":0,\"tree\":3}}";
    assertThat(send("PUT", "/subscribers/alice?waitMillis=0", alice).statusCode()).isEqualTo(201);
    HttpResponse<String> used = send("DELETE", "/switches/bng2", null);
    assertThat(used.statusCode()).isEqualTo(409);
    assertThat(used.body()).contains("Switch bng2 is in use: 1 subscriber, such as alice.");
    String without = document(2, "").replace("\"bngPorts\":{\"0\":1},", "");
    assertThat(send("PUT", "/switches/bng2", without).statusCode()).isEqualTo(409);
    assertThat(json(200, send("GET", "/switches/bng2", null)).get("declared"))
        .isEqualTo(MAPPER.readTree(document(2, "")));
  }

  @Test
  void comingAndGoingIsTold() throws Exception {
    HttpRequest events = HttpRequest.newBuilder(URI.create(server.base() + "/events")).build();
    try (Stream<String> lines =
        HttpClient.newHttpClient().send(events, HttpResponse.BodyHandlers.ofLines()).body()) {
      Iterator<String> each = lines.iterator();
      assertThat(each.next()).isEqualTo("retry: 2000");
      assertThat(send("PUT", "/switches/bng2", document(2, "")).statusCode()).isEqualTo(201);
      assertThat(send("DELETE", "/switches/bng2", null).statusCode()).isEqualTo(204);
      for (String type : new String[] {"switch.put", "switch.deleted"}) {
        String line = each.next();
        while (!line.contains("\"net.sluice." + type + "\"")) {
          line = each.next();
        }
        assertThat(line).contains("switches/bng2");
      }
    }
    List<String> made = new ArrayList<>();
    for (JsonNode line : json(200, send("GET", "/audit", null)).get("items")) {
      if (line.path("path").asText().endsWith("/switches/bng2")) {
        made.add(line.get("method").asText() + " " + line.get("before"));
      }
    }
    assertThat(made).containsExactlyInAnyOrder("PUT null", "DELETE " + document(2, ""));
  }

  @Test
  void whatTheHostLacksIsToldQuotedByRefusalsAndOnThePageOfLimitations() throws Exception {
    JsonNode capabilities = json(200, send("GET", "/version", null)).get("capabilities");
    Map<String, HttpResponse<String>> refused =
        Map.of(
            "device-configs",
            send("PUT", "/switches/bng2", document(2, ",'deviceConfig':'lab'")),
            "log-levels",
            send("GET", "/log-levels", null),
            "mapped-registers",
            send("PUT", "/switches/bng2", document(2, ",'fpgaDown':'mmap:/lab'")),
            "onos-devices",
            send("PUT", "/switches/bng2", document(2, ",'device':'device:lab'")),
            "restore",
            send("POST", "/restore", "x", "Content-Type", "application/gzip"));
    String page =
        Files.readString(Path.of("..", "..", "docs", "limitations.md")).replaceAll("\\s+", " ");
    assertThat(capabilities.fieldNames())
        .toIterable()
        .contains("gate-agents", "measurements", "switch-declarations")
        .containsAll(refused.keySet());
    capabilities
        .fields()
        .forEachRemaining(
            each -> {
              String name = each.getKey();
              String reason = each.getValue().path("reason").asText();
              assertThat(each.getValue().get("present").asBoolean()).isEqualTo(reason.isEmpty());
              if (!reason.isEmpty()) {
                String told = "`%s` (%s)".formatted(name, reason);
                assertThat(page.contains(told)).as("limitations.md has %s", told).isTrue();
                if (refused.containsKey(name)) {
                  assertThat(refused.get(name).body()).contains(reason);
                }
              }
            });
  }
}
