package net.sluice.emulator.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.TextFormat;
import com.google.protobuf.util.JsonFormat;
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
import net.sluice.emulator.server.p4runtime.ServerVariant;
import net.sluice.emulator.server.rpc.ServerTls;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.testing.SelfSigned;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import picocli.CommandLine;

/** {@code sluice trace} on the project's own program. */
class TraceCommandTest {

  private static final int ACCESS = 0;
  private static final int CORE = 1;
  private static final int PATIENCE_SECONDS = 60;

  /** UDP from 192.0.2.9:4000 to 10.0.0.1:5000 with 8 bytes of payload and a good IPv4 checksum. */
  private static final String TO_SUBSCRIBER =
      "025a00000001 025b00000001 0800"
          + " 45000024000740004011 6eb8 c0000209 0a000001"
          + " 0fa01388 00100000 0102030405060708";

  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();

  @TempDir private Path folder;
  private Path json;
  private Path p4info;
  private Path entries;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private static List<Update> entries() {
    List<SwitchEntry> entries = new ArrayList<>();
    PROGRAM.profile().rateBins().entries().forEach(entries::add);
    RandomRates.BITS_16.entries().forEach(entries::add);
    for (int bin = 0; bin < RateBins.BINS; bin++) {
      entries.add(new PolicyValueEntry(1, bin, 60_000 - bin));
    }
    entries.add(new PortRoleEntry(ACCESS, PortRole.ACCESS, Direction.UP));
    entries.add(new PortRoleEntry(CORE, PortRole.CORE, Direction.DOWN));
    entries.add(new EgressPortEntry(ACCESS, 0x02_5a_00_00_00_00L, 0x02_5b_00_00_00_00L, false));
    SubscriberData data = new SubscriberData(7, 1, ACCESS, 0, false, false);
    entries.add(new SubscriberPrefixEntry(IpPrefix.parse("10.0.0.1/32"), data));
    entries.add(new RouteEntry(IpPrefix.parse("192.0.2.0/24"), CORE));
    return entries.stream()
        .map(
            entry ->
                Update.newBuilder()
                    .setType(Update.Type.INSERT)
                    .setEntity(Entity.newBuilder().setTableEntry(PROGRAM.entries().encode(entry)))
                    .build())
        .toList();
  }

  @BeforeEach
  void files() throws IOException {
    json = folder.resolve("program.json");
    p4info = folder.resolve("program.txtpb");
    entries = folder.resolve("entries.txtpb");
    Files.write(json, PROGRAM.deviceConfig().toByteArray());
    Files.writeString(p4info, TextFormat.printer().printToString(PROGRAM.p4Info()));
    Files.writeString(
        entries,
        TextFormat.printer()
            .printToString(WriteRequest.newBuilder().addAllUpdates(entries()).build()));
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

  /** Compares with a file, or writes it with {@code -Dgolden.update=true}. */
  private static void golden(String name, String actual) throws IOException {
    Path file = Path.of("src/test/resources/golden", name);
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, actual);
    }
    assertThat(actual).as("golden file %s", name).isEqualTo(Files.readString(file));
  }

  @Test
  void aPacketsWayAsText() throws IOException {
    assertThat(runOffline("--port", "1", TO_SUBSCRIBER)).as(err.toString()).isZero();
    golden("trace-sent.txt", out.toString());
  }

  @Test
  void theDocumentedTraceIsReal() throws IOException {
    String page = Files.readString(Path.of("../../docs/emulator-trace.md"));
    List<String> real = Files.readAllLines(Path.of("src/test/resources/golden/trace-sent.txt"));
    List<String> shown =
        page.substring(page.indexOf("\npacket 1 "), page.indexOf("```\n\nPlaces"))
            .strip()
            .lines()
            .filter(line -> !line.strip().equals("..."))
            .toList();
    assertThat(shown).hasSizeGreaterThan(40);
    assertThat(real).containsAll(shown);
  }

  @Test
  void aPacketsWayAsJson() throws IOException {
    assertThat(runOffline("--port", "1", "--format", "json", TO_SUBSCRIBER)).isZero();
    golden("trace-sent.json", out.toString());
    // What is written is what the schema says, and nothing of it is lost.
    Trace.Builder read = Trace.newBuilder();
    JsonFormat.parser().merge(out.toString(), read);
    assertThat(JsonFormat.printer().print(read) + "\n").isEqualTo(out.toString());
  }

  @Test
  void whyPacketsAreDropped() throws IOException {
    // Bad checksum, no route, cut in the IPv4 header.
    runOffline("--port", "1", TO_SUBSCRIBER.replace("6eb8", "6eb9"));
    runOffline(
        "--port", "1", TO_SUBSCRIBER.replace("6eb8", "6db8").replace("0a000001", "0b000001"));
    runOffline("--port", "1", TO_SUBSCRIBER.substring(0, 51));
    runOffline("--port", "9", TO_SUBSCRIBER);
    assertThat(err.toString()).isEmpty();
    golden("trace-dropped.txt", out.toString());
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
        "SubscriberRate4=subscriber",
        "--miss",
        "SubscriberEncap");
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
      {"--miss", "SubscriberRate4"},
      {"--hit", "SubscriberRate4=NoAction"},
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

  private static V1modelSwitch withProgram() throws Exception {
    V1modelSwitch device = new V1modelSwitch(3, 1);
    OfflineControl.load(
            device,
            ForwardingPipelineConfig.newBuilder()
                .setP4Info(PROGRAM.p4Info())
                .setP4DeviceConfig(PROGRAM.deviceConfig())
                .build())
        .write(entries());
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
                          "SubscriberRate4"));
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
      {"--hit", "PortRole=fly", "00"},
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
      {"--json", "FOLDER/program.json", "00"},
      {"--attach", "nowhere", "00"},
      {"--attach", "127.0.0.1:1", "00"},
      {"--attach", "127.0.0.1:1", "--json", "FOLDER/program.json"},
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
    golden("trace-option-errors.txt", texts.toString());
    err.getBuffer().setLength(0);
    assertThat(run("--attach", "127.0.0.1:1")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("sluice: --attach 127.0.0.1:1: no switch answers: ")
        .contains("Connection refused");
  }
}
