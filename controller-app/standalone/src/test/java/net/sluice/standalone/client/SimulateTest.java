package net.sluice.standalone.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.sluice.standalone.client.ServedStore.Ended;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command simulate, of switches that are nowhere. */
class SimulateTest {
  private static final double CARRIED_BPS = 0.975 * 20e6;

  @TempDir private Path folder;
  private ServerSocket switchPort;
  private Path network;
  private Path export;

  @BeforeEach
  void write() throws IOException {
    switchPort = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    network =
        Files.writeString(
            folder.resolve("network.json"),
            ("{\"switches\": [{\"id\": \"bng1\", \"p4runtime\": \"127.0.0.1:%d\", \"topology\":"
                    + " {\"ports\": [{\"number\": 1, \"role\": \"access\", \"rateBps\": 20000000,"
                    + " \"destinationMac\": \"02:00:00:01:00:01\"}], \"bngPorts\": {\"0\": 1}}}]}")
                .formatted(switchPort.getLocalPort()));
    export =
        Files.writeString(
            folder.resolve("export.ndjson"),
            "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"gold\","
                + "\"value\":{\"throughputValue\":{\"builtIn\":\"gold\"}}}\n"
                + subscriber("alice", 1)
                + subscriber("bob", 2));
  }

  @AfterEach
  void close() throws IOException {
    switchPort.close();
  }

  private static String subscriber(String id, int number) {
    return ("{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"%s\",\"value\":{\"policy\":\"gold\","
            + "\"prefixes\":[\"10.0.0.%d/32\"],\"attachment\":{\"port\":0,\"tree\":3}}}%n")
        .formatted(id, number);
  }

  private Ended simulate(String... lines) throws IOException {
    Path file = folder.resolve("changes.ndjson");
    Files.writeString(file, String.join("\n", lines));
    return ServedStore.run(
        0,
        "simulate",
        "--network",
        network.toString(),
        "--export",
        export.toString(),
        file.toString());
  }

  @Test
  void aLimitLeavesTheRestOfThePortToTheOther() throws IOException {
    Ended ended =
        simulate(
            "{\"load\":{\"subscriber\":\"alice\",\"downBps\":15000000}}",
            "{\"op\":\"put\",\"kind\":\"rate-limit\",\"id\":\"l\",\"value\":"
                + "{\"scope\":{\"subscriber\":\"bob\"},\"downBps\":5000000,"
                + "\"enforcement\":\"police\"}}",
            "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"gold\"}",
            "{\"load\":{\"subscriber\":\"bob\",\"downBps\":15000000}}");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.exitCode()).isZero();
    JsonNode told = new ObjectMapper().readTree(ended.out());
    assertThat(told.get("losing").intValue()).isOne();
    assertThat(told.at("/refused/0/line").intValue()).isEqualTo(3);
    JsonNode bob = told.at("/items/0");
    assertThat(bob.get("id").textValue()).isEqualTo("bob");
    assertThat(bob.at("/down/limitedBy").textValue()).isEqualTo("own-limit");
    assertThat(bob.at("/down/beforeBps").doubleValue())
        .isCloseTo(CARRIED_BPS / 2, within(10_000.0));
    assertThat(bob.at("/down/afterBps").doubleValue()).isCloseTo(5e6, within(20_000.0));
    JsonNode alice = told.at("/items/1");
    assertThat(alice.at("/down/limitedBy").textValue()).isEqualTo("congestion");
    assertThat(alice.at("/down/afterBps").doubleValue())
        .isCloseTo(CARRIED_BPS - 5e6, within(30_000.0));
    // Nothing has connected to the switch.
    switchPort.setSoTimeout(1);
    assertThat(catchThrowable(switchPort::accept)).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void whatAnExportCannotDeclareIsTold() throws IOException {
    Files.writeString(export, subscriber("alice", 1));
    Ended ended = simulate("{\"load\":{\"subscriber\":\"alice\",\"downBps\":1}}");
    assertThat(ended.exitCode()).isNotZero();
    assertThat(ended.err()).contains("line 1: There is no policy gold.");
  }
}
