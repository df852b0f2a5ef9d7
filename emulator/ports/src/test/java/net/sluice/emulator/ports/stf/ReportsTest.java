package net.sluice.emulator.ports.stf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.emulator.v1model.runtime.ProgramFailure;
import org.junit.jupiter.api.Test;

/** {@code log_msg}, {@code assert} and {@code assume}. */
class ReportsTest {

  private final LoadedProgram program = LoadedProgram.load(StfFiles.bytes("language.json"), 1);
  private final List<String> messages = new ArrayList<>();

  private List<String> send(String header) {
    V1modelSwitch device = new V1modelSwitch(1, 0);
    device.install(program);
    device.onMessage(messages::add);
    return StfRunner.run(device, "packet 3 " + header);
  }

  @Test
  void messagesAreWrittenWithTheirValues() {
    send("07 ff 00 00 00000000 ffffffffffffffffffffffffffffffff fffe");
    send("00 00 00 00 00000000 00000000000000000000000000000000 0000");
    assertThat(messages)
        .containsExactly(
            "nothing but text",
            "a=255 w=340282366920938463463374607431768211455 s=-2",
            "op 7 leaves",
            "op 0 leaves");
  }

  @Test
  void aListenerStaysWithTheSwitchWhateverItsProgram() {
    V1modelSwitch device = new V1modelSwitch(1, 1);
    device.install(program);
    device.onMessage(messages::add);
    pass(device);
    device.install(device.load(StfFiles.bytes("language.json")));
    pass(device);
    device.onMessage(null);
    pass(device);
    assertThat(messages).containsExactly("op 0 leaves", "op 0 leaves");
  }

  private static void pass(V1modelSwitch device) {
    SwitchPacket packet = device.pipeline().acquire();
    packet.setBytes(new byte[26], 0, 26);
    device.pipeline().ingress(packet, 0, 0);
    device.pipeline().egress(packet, 0);
    device.pipeline().release(packet);
  }

  @Test
  void whatHoldsGoesOn() {
    send("08 04 00 00 00000000 00000000000000000000000000000000 0000");
    send("09 00 00 00 00000000 00000000000000000000000000000001 0000");
    assertThat(messages).containsExactly("op 8 leaves", "op 9 leaves");
  }

  @Test
  void whoeverGaveTheSwitchThePacketGetsToKnow() {
    SwitchPacket packet = program.pipeline().acquire();
    byte[] failing = new byte[26];
    failing[0] = 9;
    packet.setBytes(failing, 0, failing.length);
    assertThatThrownBy(() -> program.pipeline().ingress(packet, 3, 0))
        .isInstanceOf(ProgramFailure.class)
        .hasMessageContaining("assume failed: assume(h.op.w != 0)");
  }

  @Test
  void whatDoesNotHoldEndsWithThePlaceInTheSource() {
    assertThat(failure("08 05 00 00 00000000 00000000000000000000000000000000 0000"))
        .startsWith("line 1: action '")
        .endsWith(
            "': assert failed: assert(h.op.a < 5) (language.p4, line LINE), for a packet that"
                + " came in on port 3");
    assertThat(failure("09 00 00 00 00000000 00000000000000000000000000000000 0000"))
        .endsWith(
            "': assume failed: assume(h.op.w != 0) (language.p4, line LINE), for a packet that"
                + " came in on port 3");
    // The pipeline goes on with other packets.
    send("09 00 00 00 00000000 00000000000000000000000000000001 0000");
    assertThat(messages).containsExactly("op 9 leaves");
  }

  private String failure(String header) {
    List<String> failures = send(header);
    assertThat(failures).hasSize(1);
    return failures.get(0).replaceAll("line \\d+\\)", "line LINE)");
  }
}
