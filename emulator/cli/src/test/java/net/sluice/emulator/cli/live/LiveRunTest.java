package net.sluice.emulator.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.emulator.cli.EmulatorMain;
import net.sluice.gnmi.wire.CapabilityRequest;
import net.sluice.gnmi.wire.gNMIGrpc;
import net.sluice.testing.Prerequisite;
import net.sluice.testing.SelfSigned;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.CapabilitiesRequest;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.PacketMetadata;
import p4.v1.P4RuntimeOuterClass.PacketOut;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** The switch as a process of its own on a TAP device, from its first line to its last. */
class LiveRunTest {
  private static final Path PROGRAMS =
      Path.of("..", "..", "emulator", "v1model", "src", "test", "resources", "stf")
          .toAbsolutePath();
  private static final Pattern READY = Pattern.compile(".*P4Runtime ([\\d.]+:\\d+).*");
  private static final Pattern TLS_PORTS =
      Pattern.compile(
          ".*P4Runtime 127\\.0\\.0\\.1:(\\d+) over TLS, gNMI 127\\.0\\.0\\.1:(\\d+) over TLS,.*");
  private static final long DEVICE_ID = 7;
  private static final int PATIENCE_SECONDS = 60;

  @TempDir private Path folder;

  /** The process, and a client of it. */
  private final class Running implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final ManagedChannel channel;

    private String ready;

    Running(String... options) throws IOException {
      this(InsecureChannelCredentials.create(), options);
    }

    Running(ChannelCredentials credentials, String... options) throws IOException {
      this(credentials, List.of("--device-id", Long.toString(DEVICE_ID)), List.of(options));
    }

    Running(ChannelCredentials credentials, List<String> device, List<String> options)
        throws IOException {
      this(credentials, device, options, "127.0.0.1:0");
    }

    Running(
        ChannelCredentials credentials, List<String> device, List<String> options, String address)
        throws IOException {
      String tap = "sl" + Long.toString(ProcessHandle.current().pid(), 36);
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  EmulatorMain.class.getName(),
                  "switch",
                  "-i",
                  "1@tap:" + tap,
                  "--grpc",
                  address));
      command.addAll(device);
      command.addAll(options);
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
      output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      channel = connect(credentials);
    }

    private ManagedChannel connect(ChannelCredentials credentials) throws IOException {
      StringBuilder before = new StringBuilder();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        Matcher ready = READY.matcher(line);
        if (ready.matches()) {
          this.ready = line;
          return Grpc.newChannelBuilder(ready.group(1), credentials).build();
        }
        before.append(line).append('\n');
      }
      if (before.toString().contains("CAP_NET_ADMIN") || before.toString().contains("no TAP")) {
        Prerequisite.INTERFACES.skip(before.toString());
      }
      throw new IOException("the switch did not start: " + before);
    }

    List<Entity> entries() {
      List<Entity> entries = new ArrayList<>();
      Iterator<ReadResponse> responses =
          P4RuntimeGrpc.newBlockingStub(channel)
              .read(
                  ReadRequest.newBuilder()
                      .setDeviceId(DEVICE_ID)
                      .addEntities(
                          Entity.newBuilder().setTableEntry(TableEntry.getDefaultInstance()))
                      .build());
      responses.forEachRemaining(response -> entries.addAll(response.getEntitiesList()));
      return entries;
    }

    /** Ends the switch; answers what it said from then on. */
    String stop() throws IOException, InterruptedException {
      channel.shutdownNow();
      // The process itself would close its output with that.
      process.toHandle().destroy();
      StringBuilder last = new StringBuilder();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        last.append(line).append('\n');
      }
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      return last.toString();
    }

    @Override
    public void close() throws InterruptedException {
      channel.shutdownNow();
      process.destroyForcibly();
      // The next one's device has the same name.
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aSwitchStartsWithTheEntriesOfAFile() throws Exception {
    Path program = Path.of("../server/src/test/resources/embedding").toAbsolutePath();
    WriteRequest.Builder write = WriteRequest.newBuilder();
    for (int net = 1; net <= 1_000; net++) {
      write.addUpdates(
          Update.newBuilder()
              .setType(Update.Type.INSERT)
              .setEntity(Entity.newBuilder().setTableEntry(dropped(net))));
    }
    Path file =
        Files.writeString(
            folder.resolve("entries.txtpb"), TextFormat.printer().printToString(write));
    try (Running running =
        new Running(
            "--json",
            program.resolve("forward.json").toString(),
            "--p4info",
            program.resolve("forward.p4info.txtpb").toString(),
            "--entries",
            file.toString())) {
      assertThat(running.entries())
          .containsAll(write.getUpdatesList().stream().map(Update::getEntity).toList());
    }
  }

  /** An entry of Route.routes that drops what goes to a network of 256 addresses. */
  private static TableEntry dropped(int net) {
    byte[] prefix = {10, (byte) (net >> 8), (byte) net, 0};
    return TableEntry.newBuilder()
        .setTableId(35523107)
        .addMatch(
            FieldMatch.newBuilder()
                .setFieldId(1)
                .setLpm(
                    FieldMatch.LPM
                        .newBuilder()
                        .setValue(ByteString.copyFrom(prefix))
                        .setPrefixLen(24)))
        .setAction(TableAction.newBuilder().setAction(Action.newBuilder().setActionId(28019970)))
        .build();
  }

  private static StreamMessageRequest packetOut(int egressPort, int toController) {
    PacketOut.Builder packet = PacketOut.newBuilder().setPayload(ByteString.copyFrom(new byte[60]));
    int[] metadata = {egressPort, toController, 0};
    for (int id = 1; id <= metadata.length; id++) {
      packet.addMetadata(
          PacketMetadata.newBuilder()
              .setMetadataId(id)
              .setValue(ByteString.copyFrom(new byte[] {(byte) metadata[id - 1]})));
    }
    return StreamMessageRequest.newBuilder().setPacket(packet).build();
  }

  @Test
  void theClosingReportTellsOfTheCpuPortAndOfWhatWasLost() throws Exception {
    Path report = folder.resolve("report.json");
    try (Running running =
        new Running(
            "--json",
            PROGRAMS.resolve("cpu.json").toString(),
            "--p4info",
            PROGRAMS.resolve("cpu.p4info.txtpb").toString(),
            "--cpu-port",
            "64",
            "--report",
            report.toString())) {
      LinkedBlockingQueue<StreamMessageResponse> news = new LinkedBlockingQueue<>();
      StreamObserver<StreamMessageRequest> stream =
          P4RuntimeGrpc.newStub(running.channel)
              .streamChannel(
                  new StreamObserver<StreamMessageResponse>() {
                    @Override
                    public void onNext(StreamMessageResponse message) {
                      news.add(message);
                    }

                    @Override
                    public void onError(Throwable failure) {
                      // The switch ends before the stream does.
                    }

                    @Override
                    public void onCompleted() {
                      // As above.
                    }
                  });
      stream.onNext(
          StreamMessageRequest.newBuilder()
              .setArbitration(
                  MasterArbitrationUpdate.newBuilder()
                      .setDeviceId(DEVICE_ID)
                      .setElectionId(Uint128.newBuilder().setLow(1)))
              .build());
      assertThat(news.poll(PATIENCE_SECONDS, TimeUnit.SECONDS).hasArbitration()).isTrue();
      for (int i = 0; i < 3; i++) {
        stream.onNext(packetOut(9, 0));
      }
      stream.onNext(packetOut(1, 0));
      // Packets keep their order: when this one is back, the others have been switched.
      stream.onNext(packetOut(0, 1));
      assertThat(news.poll(PATIENCE_SECONDS, TimeUnit.SECONDS).hasPacket()).isTrue();
      assertThat(running.stop())
          .contains(
              "CPU port 64: 5 packets from controllers, 1 to them (0 that none took), dropped: 0 by"
                  + " ingress, 0 by egress")
          .containsPattern(
              "0 packets came without a program, \\d+ were sent to ports that do not exist, 0 to"
                  + " multicast groups that do not exist");
      LiveReport done = new ObjectMapper().readValue(Files.readString(report), LiveReport.class);
      assertThat(done.cpuPort()).isEqualTo(new LiveReport.CpuPort(64, 5, 1, 0, 0, 0));
      assertThat(done.ports()).singleElement().extracting(LiveReport.Port::port).isEqualTo(1);
      // The machine may have said something by the device too.
      long unknown = done.lost().toUnknownPorts();
      assertThat(unknown).isBetween(3L, 3 + done.ports().get(0).received());
      assertThat(done.lost()).isEqualTo(new LiveReport.Lost(0, unknown, 0, 0, 0));
    }
  }

  /** An address of this machine that no other process has. */
  private static String ownAddress() {
    long pid = ProcessHandle.current().pid();
    return "127." + (pid >> 16 & 0xff | 0x80) + "." + (pid >> 8 & 0xff) + "." + (pid & 0xff);
  }

  @Test
  void gnmiMayBeServedWhereP4RuntimeIs() throws Exception {
    String address = ownAddress() + ":9559";
    try (Running running =
        new Running(
            InsecureChannelCredentials.create(),
            List.of("--device-id", "3", "--gnmi", address),
            List.of("--no-p4"),
            address)) {
      assertThat(running.ready).contains("P4Runtime " + address + ", gNMI " + address + ",");
      CapabilitiesRequest p4 = CapabilitiesRequest.getDefaultInstance();
      assertThat(P4RuntimeGrpc.newBlockingStub(running.channel).capabilities(p4)).isNotNull();
      CapabilityRequest ask = CapabilityRequest.getDefaultInstance();
      assertThat(gNMIGrpc.newBlockingStub(running.channel).capabilities(ask).getGNMIVersion())
          .isEqualTo("0.10.0");
    }
  }

  /** Its program as an argument, its device id, its captures; P4Runtime waits for a P4Info. */
  @Test
  void aCommandLineOfSimpleSwitchGrpcMeansWhatItMeansThere() throws Exception {
    String json = PROGRAMS.resolve("cpu.json").toString();
    try (Running running =
        new Running(
            InsecureChannelCredentials.create(),
            List.of("--pcap", folder.toString(), "--log-console", "--thrift-port", "9090"),
            List.of(json, "--", "--cpu-port", "64"))) {
      assertThat(running.ready).contains("device 0 ready").endsWith(", no P4Info yet");
      P4RuntimeGrpc.P4RuntimeBlockingStub stub = P4RuntimeGrpc.newBlockingStub(running.channel);
      GetForwardingPipelineConfigRequest ask =
          GetForwardingPipelineConfigRequest.getDefaultInstance();
      assertThat(stub.getForwardingPipelineConfig(ask).hasConfig()).isFalse();
      try (var files = Files.list(folder)) {
        assertThat(files.map(file -> file.getFileName().toString().replaceAll("^sl[0-9a-z]+", "")))
            .containsExactlyInAnyOrder("_in.pcap", "_out.pcap");
      }
      // What the machine says by the device meets the program, not the lack of one.
      assertThat(running.stop()).contains("stopped; 0 packets came without a program");
    }
  }

  private TlsChannelCredentials.Builder knowing(String server) throws IOException {
    return TlsChannelCredentials.newBuilder()
        .trustManager(folder.resolve(server + ".pem").toFile());
  }

  private ChannelCredentials as(String client) throws IOException {
    return knowing("server")
        .keyManager(
            folder.resolve(client + ".pem").toFile(), folder.resolve(client + ".key").toFile())
        .build();
  }

  private static void unavailable(String port, ChannelCredentials credentials) {
    ManagedChannel channel = Grpc.newChannelBuilder("127.0.0.1:" + port, credentials).build();
    try {
      assertThatThrownBy(
              () ->
                  P4RuntimeGrpc.newBlockingStub(channel)
                      .capabilities(CapabilitiesRequest.getDefaultInstance()))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void p4RuntimeAndGnmiAreServedOverTlsIfAskedFor() throws Exception {
    for (String name : List.of("server", "client", "other")) {
      SelfSigned.write(folder, name);
    }
    String server = folder.resolve("server").toString();
    try (Running running =
        new Running(
            as("client"),
            "--grpc-server-ssl",
            "--grpc-server-cert=" + server + ".pem",
            "--grpc-server-key=" + server + ".key",
            "--grpc-server-cacert=" + folder.resolve("client.pem"),
            "--grpc-server-with-client-auth",
            "--gnmi=127.0.0.1:0",
            "--gnmi-server-ssl",
            "--gnmi-server-cert=" + server + ".pem",
            "--gnmi-server-key=" + server + ".key")) {
      P4RuntimeGrpc.P4RuntimeBlockingStub stub = P4RuntimeGrpc.newBlockingStub(running.channel);
      CapabilitiesRequest ask = CapabilitiesRequest.getDefaultInstance();
      assertThat(stub.capabilities(ask).getP4RuntimeApiVersion()).isNotEmpty();
      Matcher ports = TLS_PORTS.matcher(running.ready);
      assertThat(ports.matches()).as(running.ready).isTrue();
      unavailable(ports.group(1), as("other"));
      unavailable(ports.group(1), knowing("server").build());
      unavailable(ports.group(1), InsecureChannelCredentials.create());
      assertThat(stub.capabilities(ask).getP4RuntimeApiVersion()).isNotEmpty();
      // gNMI was not told to ask for certificates.
      ManagedChannel gnmi =
          Grpc.newChannelBuilder("127.0.0.1:" + ports.group(2), knowing("server").build()).build();
      try {
        assertThat(
                gNMIGrpc
                    .newBlockingStub(gnmi)
                    .capabilities(CapabilityRequest.getDefaultInstance())
                    .getSupportedModelsCount())
            .isPositive();
      } finally {
        gnmi.shutdownNow();
      }
      unavailable(ports.group(2), InsecureChannelCredentials.create());
    }
  }
}
