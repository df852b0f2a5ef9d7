package net.sluice.emulator.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import net.sluice.cli.RootCommand;
import net.sluice.emulator.cli.EmulatorMain;
import net.sluice.emulator.ports.pcap.PcapReader;
import net.sluice.emulator.ports.pcap.PcapResolution;
import net.sluice.emulator.ports.pcap.PcapWriter;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.server.p4runtime.variant.ServerVariant;
import net.sluice.emulator.server.rpc.ServerTls;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.testing.Golden;
import net.sluice.testing.SelfSigned;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import picocli.CommandLine;

/** {@code sluice trace} on a program that forwards by the longest prefix. */
class TraceCommandTest {

  private static final int ACCESS = 0;
  private static final int CORE = 1;
  private static final int PATIENCE_SECONDS = 60;

  /** UDP from 192.0.2.9:4000 to 10.0.0.1:5000 with 8 bytes of payload and a good IPv4 checksum. */
  private static final String TO_SUBSCRIBER =
      "025a00000001 025b00000001 0800"
          + " 45000024000740004011 6eb8 c0000209 0a000001"
          + " 0fa01388 00100000 0102030405060708";

  private static final Path PROGRAM = Path.of("../server/src/test/resources/embedding");

  /** 10.0.0.0/8 leaves by port 0. */
  private static final String ENTRIES =
      """
      updates {
        type: INSERT
        entity { table_entry {
          table_id: 35523107  # Route.routes
          match { field_id: 1 lpm { value: "\\x0a\\x00\\x00\\x00" prefix_len: 8 } }
          action { action {
            action_id: 21363825  # Route.forward
            params { param_id: 1 value: "\\x02\\x00\\x00\\x00\\x00\\x09" }
            params { param_id: 2 value: "\\x00" }
          } }
        } }
      }
      """;

  @TempDir private Path folder;
  private Path json;
  private Path p4info;
  private Path entries;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void files() throws IOException {
    json = PROGRAM.resolve("forward.json");
    p4info = PROGRAM.resolve("forward.p4info.txtpb");
    entries = Files.writeString(folder.resolve("entries.txtpb"), ENTRIES);
  }

  private int run(String... arguments) {
    CommandLine command = RootCommand.with(EmulatorMain.commands());
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    List<String> all = new ArrayList<>(List.of("trace"));
    for (String argument : arguments) {
      all.add(argument.replace("FOLDER", folder.toString()));
    }
    return command.execute(all.toArray(String[]::new));
  }

  private int runOffline(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of("--json", json.toString(), "--p4info", p4info.toString(), "--entries"));
    all.add(entries.toString());
    all.addAll(List.of(more));
    return run(all.toArray(String[]::new));
  }

  private Path capture(int packets) throws IOException {
    Path file = folder.resolve("capture.pcap");
    byte[] frame = HexFormat.of().parseHex(TO_SUBSCRIBER.replace(" ", ""));
    try (PcapWriter writer =
        PcapWriter.of(
            Files.newOutputStream(file),
            ByteOrder.LITTLE_ENDIAN,
            PcapResolution.MICROS,
            PcapReader.MAX_FRAME_BYTES)) {
      for (int i = 0; i < packets; i++) {
        writer.write(1_000_000L * i, frame, 0, frame.length);
      }
    }
    return file;
  }

  @Test
  void filtersAndCountsApplyToCaptures() throws IOException {
    Path capture = capture(10);
    runOffline(
        "--port",
        "1",
        "--pcap",
        capture.toString(),
        "--sample",
        "3",
        "--count",
        "2",
        "--format",
        "json-lines",
        "--source",
        "192.0.2.0/24",
        "--destination-port",
        "5000",
        "--protocol",
        "17",
        "--bytes",
        "12:0800",
        "--hit",
        "routes=forward");
    assertThat(err.toString()).isEmpty();
    List<JsonNode> traces = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      traces.add(new ObjectMapper().readTree(line));
    }
    assertThat(traces)
        .extracting(t -> t.get("ingressMicros").asText())
        .containsExactly("0", "3000");
    assertThat(traces).extracting(t -> t.get("number").asText()).containsExactly("1", "2");
  }

  @Test
  void whatDoesNotPassTheFilterIsNotShown() throws IOException {
    Path capture = capture(3);
    String[][] filters = {
      {"--in", "0"},
      {"--bytes", "12:86dd"},
      {"--bytes", "40:ff00/ff00"},
      {"--source", "192.0.3.0/24"},
      {"--destination", "2001:db8::/32"},
      {"--protocol", "6"},
      {"--source-port", "4001"},
      {"--destination-port", "4000"},
      {"--miss", "routes"},
      {"--hit", "routes=drop"},
      {"--dropped", "any"}
    };
    for (String[] filter : filters) {
      List<String> arguments =
          new ArrayList<>(List.of("--port", "1", "--pcap", capture.toString()));
      arguments.addAll(List.of(filter));
      assertThat(runOffline(arguments.toArray(String[]::new)))
          .as(String.join(" ", filter))
          .isZero();
      assertThat(out.toString()).as(String.join(" ", filter)).isEmpty();
    }
    assertThat(err.toString()).isEmpty();
  }

  private V1modelSwitch withProgram() throws Exception {
    V1modelSwitch device = new V1modelSwitch(3, 1);
    OfflineControl.load(
            device,
            ForwardingPipelineConfig.newBuilder()
                .setP4Info(TextFormat.parse(Files.readString(p4info), P4Info.class))
                .setP4DeviceConfig(ByteString.copyFrom(Files.readAllBytes(json)))
                .build())
        .write(TextFormat.parse(ENTRIES, WriteRequest.class).getUpdatesList());
    return device;
  }

  @Test
  void aRunningSwitchIsFollowed() throws Exception {
    V1modelSwitch device = withProgram();
    byte[] frame = HexFormat.of().parseHex(TO_SUBSCRIBER.replace(" ", ""));
    CountDownLatch started = new CountDownLatch(1);
    StringWriter said =
        new StringWriter() {
          @Override
          public void flush() {
            if (toString().contains("following")) {
              started.countDown();
            }
          }
        };
    try (P4RuntimeServer server =
        P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0))) {
      CommandLine command = RootCommand.with(EmulatorMain.commands());
      command.setOut(new PrintWriter(out, true));
      command.setErr(new PrintWriter(said, true));
      int[] code = {-1};
      Thread client =
          new Thread(
              () ->
                  code[0] =
                      command.execute(
                          "trace",
                          "--attach",
                          "127.0.0.1:" + server.port(),
                          "--count",
                          "2",
                          "--hit",
                          "routes"));
      client.start();
      assertThat(started.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < 3; i++) {
        pass(device, frame, i);
      }
      client.join(1_000L * PATIENCE_SECONDS);
      assertThat(code[0]).isZero();
    }
    assertThat(said.toString().strip()).isEqualTo("sluice trace: following packets of device 3");
    assertThat(out.toString())
        .contains("packet 1 received on port 1 at 0 us")
        .contains("packet 2 received on port 1 at 1 us")
        .doesNotContain("packet 3");
  }

  private String refusedAt(P4RuntimeServer server, String... options) {
    err.getBuffer().setLength(0);
    List<String> arguments = new ArrayList<>(List.of("--attach", "127.0.0.1:" + server.port()));
    for (String option : options) {
      arguments.add(option.replace("FOLDER", folder.toString()));
    }
    assertThat(run(arguments.toArray(String[]::new))).isEqualTo(2);
    return err.toString().strip().replace(":" + server.port() + ":", ":PORT:");
  }

  @Test
  void aSwitchThatServesOverTlsIsFollowed() throws Exception {
    for (String name : List.of("server", "client", "other")) {
      SelfSigned.write(folder, name);
    }
    V1modelSwitch device = withProgram();
    ServerTls tls =
        new ServerTls(Files.readAllBytes(folder.resolve("server.pem")))
            .key(Files.readAllBytes(folder.resolve("server.key")))
            .onlyClientsOf(Files.readAllBytes(folder.resolve("client.pem")));
    try (P4RuntimeServer server =
        P4RuntimeServer.start(
            device,
            new InetSocketAddress("127.0.0.1", 0),
            tls.credentials(),
            List.of(),
            ServerVariant.specified())) {
      String[] right = {
        "--tls",
        "--tls-cacert=FOLDER/server.pem",
        "--tls-cert=FOLDER/client.pem",
        "--tls-key=FOLDER/client.key"
      };
      // The switch itself answers: it has no such table.
      assertThat(refusedAt(server, append(right, "--hit", "Nowhere")))
          .startsWith("sluice: the switch at 127.0.0.1:" + server.port() + " refuses: ");
      assertThat(refusedAt(server, append(right, "--tls-name", "127.0.0.1", "--hit", "Nowhere")))
          .contains(" refuses: ");
      String none = "sluice: --attach 127.0.0.1:PORT: no session over TLS: ";
      assertThat(refusedAt(server, append(right, "--tls-name", "leaf1"))).startsWith(none);
      assertThat(refusedAt(server, "--tls")).startsWith(none).contains("certification path");
      assertThat(
              refusedAt(
                  server,
                  "--tls",
                  "--tls-cacert=FOLDER/other.pem",
                  "--tls-cert=FOLDER/client.pem",
                  "--tls-key=FOLDER/client.key"))
          .startsWith(none);
      assertThat(
              refusedAt(
                  server,
                  "--tls",
                  "--tls-cacert=FOLDER/server.pem",
                  "--tls-cert=FOLDER/other.pem",
                  "--tls-key=FOLDER/other.key"))
          .startsWith("sluice: --attach 127.0.0.1:PORT: no ");
      assertThat(refusedAt(server))
          .startsWith(
              "sluice: --attach 127.0.0.1:PORT: no switch answers in plain text (over TLS,"
                  + " perhaps: --tls): ");
    }
    try (P4RuntimeServer server =
        P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0))) {
      assertThat(refusedAt(server, "--tls", "--tls-cacert=FOLDER/server.pem"))
          .startsWith("sluice: --attach 127.0.0.1:PORT: no session over TLS: ");
    }
  }

  private static String[] append(String[] options, String... more) {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static void pass(V1modelSwitch device, byte[] frame, long nowMicros) {
    device.lock().lock();
    try {
      PacketPipeline pipeline = device.pipeline();
      SwitchPacket packet = pipeline.acquire();
      packet.setBytes(frame, 0, frame.length);
      pipeline.ingress(packet, CORE, nowMicros);
      assertThat(packet.dropped).isFalse();
      pipeline.egress(packet, nowMicros);
      pipeline.release(packet);
    } finally {
      device.lock().unlock();
    }
  }

  @Test
  void whatCannotBeDoneIsNamed() throws Exception {
    Files.writeString(folder.resolve("words.txt"), "no capture at all, nor anything else");
    SelfSigned.write(folder, "some");
    SelfSigned.write(folder, "another");
    StringBuilder texts = new StringBuilder();
    String[][] offline = {
      {},
      {"--pcap", "FOLDER/words.txt", TO_SUBSCRIBER},
      {"0"},
      {"--port", "511", "00"},
      {"--format", "xml", "00"},
      {"--in", "x", "00"},
      {"--bytes", "12", "00"},
      {"--bytes", "12:0800/ff", "00"},
      {"--source", "example.org", "00"},
      {"--source", "10.0.0.0/33", "00"},
      {"--source", "10.0.0.1", "--destination", "::1", "00"},
      {"--protocol", "256", "00"},
      {"--source-port", "65536", "00"},
      {"--destination-port", "-1", "00"},
      {"--hit", "Nowhere", "00"},
      {"--hit", "routes=fly", "00"},
      {"--hit", "=x", "00"},
      {"--dropped", "bored", "00"},
      {"--sample", "0", "00"},
      {"--count", "0", "00"},
      {"--pcap", "FOLDER/words.txt"},
      {"--pcap", "FOLDER/missing"}
    };
    for (String[] arguments : offline) {
      err.getBuffer().setLength(0);
      assertThat(runOffline(arguments)).as(String.join(" ", arguments)).isEqualTo(2);
      texts.append(String.join(" ", arguments).replaceAll("025a.*", "...")).append("\n  ");
      texts.append(err.toString().strip().replace(folder.toString(), "FOLDER")).append('\n');
    }
    String[][] others = {
      {"00"},
      {"--json", "FOLDER/words.txt", "00"},
      {"--attach", "nowhere", "00"},
      {"--attach", "127.0.0.1:1", "00"},
      {"--attach", "127.0.0.1:1", "--json", "FOLDER/words.txt"},
      {"--tls", "00"},
      {"--tls-cacert", "FOLDER/words.txt", "00"},
      {"--attach", "127.0.0.1:1", "--tls-name", "leaf1"},
      {"--attach", "127.0.0.1:1", "--tls", "--tls-name", "leaf 1"},
      {"--attach", "127.0.0.1:1", "--tls", "--tls-cacert", "FOLDER/missing"},
      {"--attach", "127.0.0.1:1", "--tls", "--tls-cacert", "FOLDER/words.txt"},
      {"--attach", "127.0.0.1:1", "--tls", "--tls-cert", "FOLDER/some.pem"},
      {"--attach", "127.0.0.1:1", "--tls", "--tls-key", "FOLDER/some.key"},
      {
        "--attach",
        "127.0.0.1:1",
        "--tls",
        "--tls-cert=FOLDER/words.txt",
        "--tls-key=FOLDER/some.key"
      },
      {
        "--attach",
        "127.0.0.1:1",
        "--tls",
        "--tls-cert=FOLDER/some.pem",
        "--tls-key=FOLDER/words.txt"
      },
      {
        "--attach",
        "127.0.0.1:1",
        "--tls",
        "--tls-cert=FOLDER/some.pem",
        "--tls-key=FOLDER/another.key"
      }
    };
    for (String[] arguments : others) {
      err.getBuffer().setLength(0);
      assertThat(run(arguments)).as(String.join(" ", arguments)).isEqualTo(2);
      texts.append(String.join(" ", arguments)).append("\n  ");
      texts.append(err.toString().strip().replace(folder.toString(), "FOLDER")).append('\n');
    }
    assertThat(out.toString()).isEmpty();
    Golden.check("trace-option-errors.txt", texts.toString());
    err.getBuffer().setLength(0);
    assertThat(run("--attach", "127.0.0.1:1")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("sluice: --attach 127.0.0.1:1: no switch answers: ")
        .contains("Connection refused");
  }
}
