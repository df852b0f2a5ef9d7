package net.sluice.it.onos;

import static net.sluice.it.onos.OnosRest.ok;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.core.Servers;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.embedded.DefaultTopology;
import net.sluice.embedded.SwitchWithFpgas;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.switches.TopologyForm;
import net.sluice.testing.Patience;

/**
 * Three emulated switches with FPGAs, declared over the API. Their subscribers are policed and
 * shaped by {@code meters}, shaped by the FPGAs of {@code fpgas}, and have a contract at {@code
 * marks}.
 */
final class LimitingSwitches implements AutoCloseable {
  /** A switch whose program marks aggregates. */
  static final String MARKS = "marks";

  /** The switch at which a subscriber is policed and another one shaped. */
  static final String METERS = "meters";

  private static final DefaultTopology CABLING = new DefaultTopology(1_000_000_000);
  private static final Map<String, String> PROFILES =
      Map.of(METERS, "emulator", "fpgas", "emulator", MARKS, "emulator-aggregate");
  private static final List<String> LIMITS = List.of("police", "shape", "fpga");

  private final Map<String, SwitchWithFpgas> switches = new LinkedHashMap<>();

  LimitingSwitches() throws Exception {
    for (String name : PROFILES.keySet()) {
      switches.put(name, SwitchWithFpgas.start(new Simulation(1), CABLING.topology(), 1));
    }
  }

  /** Declares the switches and one subscriber of each kind of limit. */
  void declare(OnosRest rest, String api) throws Exception {
    for (String name : switches.keySet()) {
      ok(rest.put(api + "/switches/" + name, document(name)));
    }
    ok(rest.put(api + "/policies/gold", ServingSwitch.GOLD));
    for (String limit : LIMITS) {
      ok(
          rest.put(
              api + "/subscribers/" + limit,
              subscriber(LIMITS.indexOf(limit), limit.equals("fpga") ? "fpgas" : METERS, "")));
      ok(
          rest.put(
              api + "/rate-limits/" + limit,
              "{\"scope\":{\"subscriber\":\"%s\"},\"downBps\":20000000,\"upBps\":20000000,\"enforcement\":\"%s\"}"
                  .formatted(limit, limit)));
    }
    ok(
        rest.put(
            api + "/subscribers/contract",
            subscriber(
                LIMITS.size(),
                MARKS,
                ",\"aggregate\":{\"up\":{\"cirBps\":1000000,\"marker\":\"token-bucket\"}}")));
  }

  static String subscriber(int number, String at, String more) {
    return "{\"policy\":\"gold\",\"prefixes\":[\"30.0.0.%d/32\"],\"attachment\":{\"switch\":\"%s\",\"port\":0,\"tree\":0}%s}"
        .formatted(number, at, more);
  }

  private String document(String name) {
    Servers servers = switches.get(name).remote(name, CABLING.marker()).servers();
    byte[] json =
        JsonContent.object(
            to -> {
              to.writeStringField("profile", PROFILES.get(name));
              to.writeStringField("gnmi", "none");
              to.writeStringField("p4runtime", "127.0.0.1:" + servers.p4runtime().port());
              to.writeStringField("fpgaDown", text(servers.fpgaDown().orElseThrow()));
              to.writeStringField("fpgaUp", text(servers.fpgaUp().orElseThrow()));
              to.writeBooleanField("fpgaCustomerBursts", true);
              to.writeFieldName("topology");
              TopologyForm.write(to, CABLING.topology());
            });
    return new String(json, StandardCharsets.UTF_8);
  }

  private static String text(FpgaEndpoint at) {
    FpgaEndpoint.Agent agent = (FpgaEndpoint.Agent) at;
    return agent.host() + ":" + agent.port();
  }

  /**
   * Waits until the switches and their FPGAs hold all that is declared; what refuses is adopted.
   */
  void awaitInstalled(OnosRest rest, String api) {
    Patience.awaitAnswer(
        "the limits are installed",
        Duration.ofSeconds(Patience.PROCESS_SECONDS),
        () -> {
          int ready = 0;
          HttpResponse<String> answer = rest.get(api + "/status");
          if (answer.statusCode() != 200) {
            return 0;
          }
          for (JsonNode each : ok(answer).path("targets")) {
            String target = each.path("target").asText();
            if (switches.keySet().stream().noneMatch(target::startsWith)) {
              continue;
            }
            if (each.path("session").asText().equals("REFUSING")) {
              rest.send("POST", api + "/targets/" + target + "/adopt", "", BodyPublishers.noBody());
            }
            boolean isReady = each.path("session").asText().equals("READY");
            ready += isReady && each.path("pending").asInt() == 0 ? 1 : 0;
            assertThat(each.path("failed").asInt()).as("%s", each).isZero();
          }
          return ready;
        },
        ready -> ready == 3 * switches.size());
  }

  @Override
  public void close() {
    switches.values().forEach(SwitchWithFpgas::close);
  }
}
