package net.sluice.emulator.ports.p4runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.ports.RealTimeSwitch;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.server.p4runtime.ServedNode;
import net.sluice.emulator.server.p4runtime.packet.PacketIoBinding;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.TranslatedTypes;
import net.sluice.emulator.v1model.V1modelSwitch;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.ControllerPacketMetadata;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Preamble;
import p4.v1.P4RuntimeOuterClass.PacketIn;
import p4.v1.P4RuntimeOuterClass.PacketMetadata;
import p4.v1.P4RuntimeOuterClass.PacketOut;
import p4.v1.P4RuntimeOuterClass.StreamError;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;

/** Packets from and to the controller, in virtual and in real time. */
class PacketIoTest {

  private static final int CPU_PORT = 64;

  private static PacketOut out(String payload, Object... metadata) {
    PacketOut.Builder packet =
        PacketOut.newBuilder().setPayload(ByteString.copyFrom(HexFormat.of().parseHex(payload)));
    for (int i = 0; i < metadata.length; i += 2) {
      packet.addMetadata(
          PacketMetadata.newBuilder()
              .setMetadataId((int) metadata[i])
              .setValue(ByteString.copyFrom(HexFormat.of().parseHex((String) metadata[i + 1]))));
    }
    return packet.build();
  }

  private static StreamMessageRequest request(PacketOut packet) {
    return StreamMessageRequest.newBuilder().setPacket(packet).build();
  }

  private static String text(PacketIn packet) {
    StringBuilder text = new StringBuilder();
    for (PacketMetadata metadata : packet.getMetadataList()) {
      text.append(metadata.getMetadataId())
          .append('=')
          .append(HexFormat.of().formatHex(metadata.getValue().toByteArray()))
          .append(' ');
    }
    return text + "| " + HexFormat.of().formatHex(packet.getPayload().toByteArray());
  }

  private static String refusal(Controller controller, PacketOut packet) {
    controller.send(request(packet));
    StreamError error = controller.next().getError();
    assertThat(error.getPacketOut().getPacketOut()).isEqualTo(packet);
    return Code.forNumber(error.getCanonicalCode()) + " " + error.getMessage();
  }

  @Test
  void aPacketOutComesInAtTheCpuPortBehindItsHeader() {
    try (ServedNode served = new ServedNode("cpu", CPU_PORT);
        Controller controller = served.primary(1)) {
      // Metadata in any order; leading zeros do no harm.
      controller.send(request(out("0105", 2, "00", 3, "3f", 1, "02")));
      controller.send(request(out("40", 1, "0003", 2, "00", 3, "00")));
      ServedNode.settle(controller);
      assertThat(served.sent).isEmpty();
      served.pass(1_000);
      assertThat(served.sent).containsExactly("2 4005", "3 40");
    }
  }

  @Test
  void whatLeavesByTheCpuPortReachesEveryPrimaryWithItsMetadata() {
    try (ServedNode served = new ServedNode("cpu", CPU_PORT);
        Controller controller = served.primary(5);
        Controller backup = served.primary(3);
        Controller other = new Controller(served.server.port()).in("watcher").becomePrimary(2)) {
      served.receive(3, "400123");
      served.pass(1_000);
      PacketIn packet = controller.next().getPacket();
      // 0x40 in the eight bits from 60 up: the shortest string that holds it.
      assertThat(text(packet)).isEqualTo("1=03 2=00 3=040000000000000000 | 400123");
      assertThat(other.next().getPacket()).isEqualTo(packet);
      ServedNode.settle(backup);
      assertThat(backup.heardNothingMore()).isTrue();
      assertThat(served.device.lostPacketIns()).isZero();
    }
  }

  @Test
  void aPacketThatNobodyTakesIsCounted() {
    try (ServedNode served = new ServedNode("cpu", CPU_PORT)) {
      served.receive(1, "4007");
      served.pass(1_000);
      assertThat(served.device.lostPacketIns()).isEqualTo(1);
      try (Controller controller = served.primary(1)) {
        // Shorter than its header: the program adds none to this one.
        controller.send(request(out("f0", 1, "00", 2, "01", 3, "0f")));
        ServedNode.settle(controller);
        served.pass(1_000);
        ServedNode.settle(controller);
        assertThat(controller.heardNothingMore()).isTrue();
        assertThat(served.device.lostPacketIns()).isEqualTo(2);
      }
    }
  }

  @Test
  void metadataAreThoseOfTheHeader() {
    try (ServedNode served = new ServedNode("cpu", CPU_PORT);
        Controller controller = served.primary(1)) {
      assertThat(
              List.of(
                  refusal(controller, out("00")),
                  refusal(controller, out("00", 1, "02", 2, "00")),
                  refusal(controller, out("00", 1, "02", 2, "00", 3, "00", 4, "00")),
                  refusal(controller, out("00", 1, "02", 1, "02", 2, "00", 3, "00")),
                  refusal(controller, out("00", 1, "0200", 2, "00", 3, "00")),
                  refusal(controller, out("00", 1, "02", 2, "", 3, "00"))))
          .containsExactly(
              "INVALID_ARGUMENT metadata 'egress_port' (id 1) of 'packet_out' is missing",
              "INVALID_ARGUMENT metadata 'mark' (id 3) of 'packet_out' is missing",
              "INVALID_ARGUMENT there is no metadata with id 4 in 'packet_out'",
              "INVALID_ARGUMENT metadata 'egress_port' (id 1) of 'packet_out' is there twice",
              "OUT_OF_RANGE metadata 'egress_port' (id 1) of 'packet_out': value 0x0200 needs 10"
                  + " bits; at most 9 are allowed",
              "OUT_OF_RANGE metadata 'to_controller' (id 2) of 'packet_out': the value is empty;"
                  + " at least one byte is needed");
      served.pass(1_000);
      assertThat(served.sent).isEmpty();
    }
    try (ServedNode served = new ServedNode("copies", CPU_PORT);
        Controller controller = served.primary(1)) {
      assertThat(refusal(controller, out("00", 1, "00")))
          .isEqualTo(
              "INVALID_ARGUMENT there is no metadata with id 1; the program has no 'packet_out'"
                  + " header");
      assertThat(refusal(controller, out(""))).isEqualTo("INVALID_ARGUMENT the packet is empty");
    }
  }

  @Test
  void withoutCpuPortThereIsNoPacketOut() {
    try (ServedNode served = new ServedNode("cpu", 0);
        Controller controller = served.primary(1)) {
      assertThat(refusal(controller, out("00", 1, "02", 2, "00", 3, "00")))
          .isEqualTo("FAILED_PRECONDITION the switch has no CPU port, which packets come in at");
    }
  }

  @Test
  void packetsThatNobodySwitchesAreLimited() {
    try (ServedNode served = new ServedNode("cpu", CPU_PORT);
        Controller controller = served.primary(1)) {
      PacketOut packet = out("00", 1, "02", 2, "00", 3, "00");
      for (int i = 0; i < V1modelSwitch.MAX_PACKET_OUTS; i++) {
        controller.send(request(packet));
      }
      assertThat(refusal(controller, packet))
          .isEqualTo("RESOURCE_EXHAUSTED there are 4096 packets waiting to come in already");
      served.pass(1_000);
      assertThat(served.sent).hasSize(V1modelSwitch.MAX_PACKET_OUTS);
    }
  }

  @Test
  void aRealTimeSwitchTakesAndGivesPacketsAtOnce() throws Exception {
    V1modelSwitch device = new V1modelSwitch(Controller.DEVICE, 1, CPU_PORT);
    try (P4RuntimeServer server =
            P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0));
        RealTimeSwitch real = new RealTimeSwitch(device, 1);
        Controller controller = Controller.primary(server.port(), 1)) {
      server.install(ServedNode.config("cpu"));
      // The first comes before the switch runs, the others when it may be asleep.
      controller.send(request(out("0042", 1, "00", 2, "01", 3, "01")));
      ServedNode.settle(controller);
      Thread running = new Thread(real::run);
      running.start();
      try {
        List<String> heard = new ArrayList<>();
        heard.add(text(controller.next().getPacket()));
        for (String payload : List.of("01", "02")) {
          controller.send(request(out(payload, 1, "00", 2, "01", 3, "01")));
          heard.add(text(controller.next().getPacket()));
        }
        assertThat(heard)
            .containsExactly(
                "1=40 2=01 3=1000000000000000 | 0142",
                "1=40 2=02 3=2000000000000000 | 02",
                "1=40 2=03 3=3000000000000000 | 03");
      } finally {
        real.stop();
        running.join();
      }
    }
  }

  @Test
  void cpuPortsAndHeadersAreChecked() {
    assertThatThrownBy(() -> new V1modelSwitch(1, 1, 511))
        .hasMessage("cpuPort 511: must be from 1 to 510, or 0 for none");
    try (ServedNode served = new ServedNode("cpu", CPU_PORT)) {
      assertThatThrownBy(() -> served.node.addPort(CPU_PORT, 1_000, SwitchNode.MAX_PORT))
          .hasMessage("port 64: exists already");
    }
    assertThat(
            List.of(
                headers(header("packet_on", 1, 8)),
                headers(header("packet_in", 1, 8), header("packet_in", 1, 8)),
                headers(header("packet_out", 1, 0)),
                headers(header("packet_out", 1, 8, 1, 8))))
        .containsExactly(
            "INVALID_ARGUMENT: P4Info has controller_packet_metadata 'packet_on'; there may be one"
                + " 'packet_in' and one 'packet_out'",
            "INVALID_ARGUMENT: P4Info has controller_packet_metadata 'packet_in'; there may be one"
                + " 'packet_in' and one 'packet_out'",
            "INVALID_ARGUMENT: metadata 'm0' of 'packet_out' has no bitwidth in P4Info, and no header"
                + " of the device config has the same fields",
            "INVALID_ARGUMENT: metadata 'm1' of 'packet_out' has the id of 'm0' in P4Info");
  }

  private static ControllerPacketMetadata header(String name, int... idsAndWidths) {
    ControllerPacketMetadata.Builder header =
        ControllerPacketMetadata.newBuilder().setPreamble(Preamble.newBuilder().setName(name));
    for (int i = 0; i < idsAndWidths.length; i += 2) {
      header
          .addMetadataBuilder()
          .setName("m" + i / 2)
          .setId(idsAndWidths[i])
          .setBitwidth(idsAndWidths[i + 1]);
    }
    return header.build();
  }

  private static String headers(ControllerPacketMetadata... headers) {
    try {
      P4Info info = P4Info.newBuilder().addAllControllerPacketMetadata(List.of(headers)).build();
      PacketIoBinding.of(info, List.of(), TranslatedTypes.of(info, Map.of()));
      return "taken";
    } catch (RpcException e) {
      return e.code() + ": " + e.getMessage();
    }
  }
}
