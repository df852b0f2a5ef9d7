package net.sluice.it.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.FrameTemplate;
import net.sluice.emulator.ports.CableEnd;
import net.sluice.emulator.ports.LinuxNetwork;
import net.sluice.it.p4.FreePorts;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code switch}, {@code gates} and {@code serve}, each a process of its own, in real time. */
@Tag("long")
class ShapedByTheSwitchTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern API = Pattern.compile("sluice: ready.*: API (http://\\S+), .*");
  private static final int MTU = 1_500;
  private static final int PACKETS = 100;
  private static final int BYTES = 1_000;
  private static final int HEADERS = 14 + 20 + 8;
  private static final String TOPOLOGY =
      """
      {"ports": [{"number": 1, "role": "access", "rateBps": 100000000,
                  "destinationMac": "02:00:00:01:00:01"},
                 {"number": 2, "role": "core", "rateBps": 1000000000,
                  "destinationMac": "02:00:00:01:00:02"}],
       "bngPorts": {"0": 1}, "loopPorts": [505, 506, 507, 508],
       "routes": [{"prefix": "0.0.0.0/0", "port": 2}]}
      """;

  @TempDir private Path folder;

  private final Deque<SluiceProcess> processes = new ArrayDeque<>();
  private String api;

  @AfterEach
  void killWhatIsLeft() {
    processes.forEach(SluiceProcess::close);
  }

  private String start(String name, String... arguments) throws Exception {
    SluiceProcess started = SluiceProcess.sluice(folder.resolve(name + ".log"), arguments);
    processes.push(started);
    return started.firstLine();
  }

  private JsonNode put(String path, String body) throws Exception {
    HttpResponse<String> answer = Http.send("PUT", api + path + "?waitMillis=60000", body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    JsonNode json = MAPPER.readTree(answer.body());
    assertThat(json.path("targets").findValuesAsText("state")).doesNotContain("FAILED");
    return json;
  }

  private void awaitStatus(String pointer, String wanted) throws Exception {
    Patience.await(
        pointer,
        () -> MAPPER.readTree(Http.send("GET", api + "/status", null).body()).at(pointer).asText(),
        wanted::equals);
  }

  /** A burst waits in the loop ports that the switch has by itself, and loses nothing. */
  @Test
  void aBurstLeavesAtTheLimit() throws Exception {
    Files.writeString(folder.resolve("topology.json"), TOPOLOGY);
    try (LinuxNetwork network = LinuxNetwork.open()) {
      String[] access = network.veth("a", MTU);
      String[] core = network.veth("c", MTU);
      String address = "127.0.0.1:" + FreePorts.next();
      start("switch", "switch", "-i", "1@" + access[1], "-i", "2@" + core[1], "--grpc", address);
      String serving =
          start(
              "serve",
              "serve",
              "--http",
              "127.0.0.1:0",
              "--data",
              folder.resolve("data").toString(),
              "--switch",
              address,
              "--topology",
              folder.resolve("topology.json").toString());
      start("gates", "gates", "--switch", address);
      Matcher ready = API.matcher(serving);
      assertThat(ready.matches()).as(serving).isTrue();
      api = ready.group(1);
      put("/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
      put(
          "/subscribers/s",
          "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.1/32\"],"
              + "\"attachment\":{\"port\":0,\"tree\":0}}");
      long grantedBps =
          put(
                  "/rate-limits/s",
                  "{\"scope\":{\"subscriber\":\"s\"},\"downBps\":1000000,"
                      + "\"enforcement\":\"shape\"}")
              .at("/granted/downBps")
              .asLong();
      awaitStatus("/allInstalled", "true");

      FrameTemplate packets =
          new FrameBuilder().addresses("203.0.113.1", "10.0.0.1").frameBytes(BYTES).build();
      List<byte[]> burst =
          IntStream.range(0, PACKETS).mapToObj(packet -> packets.frame(1, packet)).toList();
      List<byte[]> arrived;
      long nanos;
      try (CableEnd sender = new CableEnd(core[0]);
          CableEnd receiver = new CableEnd(access[0])) {
        long begun = System.nanoTime();
        sender.send(burst);
        arrived = receiver.receive(PACKETS);
        nanos = System.nanoTime() - begun;
      }
      assertThat(nanos * 1e-9).isGreaterThan((PACKETS - 1) * BYTES * 8.0 / grantedBps);
      // All of them, in their order.
      assertThat(arrived.stream().map(ShapedByTheSwitchTest::stamp).toList())
          .isEqualTo(burst.stream().map(ShapedByTheSwitchTest::stamp).toList());
      // The agent has its place at the switch.
      awaitStatus("/targets/0/agent", "election id 1");
    }
  }

  /** Flow and number of a packet, behind its headers. */
  private static long stamp(byte[] frame) {
    return ByteBuffer.wrap(frame).getLong(HEADERS);
  }
}
