package net.sluice.emulator.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.sluice.emulator.v1model.V1modelSwitch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Packets that go round and round end a run that was to end with its last packet. */
class EndlessProgramTest {
  private static final Path PROGRAM =
      Path.of("..", "v1model", "src", "test", "resources", "stf", "copies.json");
  private static final int PORT = 3;
  private static final byte AGAIN = 4;

  private final Simulation simulation = new Simulation(1);
  private SwitchNode node;
  private int sent;

  @BeforeEach
  void load() throws IOException {
    V1modelSwitch device = new V1modelSwitch(1, 1);
    device.install(device.load(Files.readAllBytes(PROGRAM)));
    node = new SwitchNode(simulation, device);
    node.addPort(PORT, LineClock.UNLIMITED_BPS, Long.MAX_VALUE)
        .connect((bytes, offset, length, tag, now) -> sent++);
  }

  /** Says what becomes of a packet the first time through and then, in ingress and egress. */
  private static byte[] command(int inFirst, int inAgain, int outFirst, int outAgain) {
    byte[] packet = new byte[18];
    packet[0] = (byte) inFirst;
    packet[1] = (byte) inAgain;
    packet[2] = (byte) outFirst;
    packet[3] = (byte) outAgain;
    packet[13] = PORT;
    return packet;
  }

  private void run(byte[] packet, int count) {
    for (int i = 0; i < count; i++) {
      simulation.schedule(
          i, (now, none) -> node.port(PORT).receive(packet, 0, packet.length, 0, now), 0);
    }
    simulation.runUntil(1_000_000_000);
  }

  @Test
  void aPacketThatIsResubmittedForEverIsTold() {
    node.limitTurns(50, Long.MAX_VALUE);
    assertThatThrownBy(() -> run(command(AGAIN, AGAIN, 0, 0), 1))
        .isInstanceOf(EndlessProgramException.class)
        .hasMessage(
            "a packet that came in on port 3 has been resubmitted or recirculated for the 50th time"
                + " and has not ended");
    assertThat(simulation.nowNanos()).isEqualTo(49 * CopyDispatcher.TURNAROUND_NANOS);
  }

  @Test
  void aPacketThatIsRecirculatedForEverIsTold() {
    node.limitTurns(20, Long.MAX_VALUE);
    assertThatThrownBy(() -> run(command(0, 0, AGAIN, AGAIN), 1))
        .isInstanceOf(EndlessProgramException.class)
        .hasMessageContaining("resubmitted or recirculated for the 20th time");
  }

  @Test
  void manyPacketsTogetherMayTurnSoOften() {
    node.limitTurns(1_000, 205);
    assertThatThrownBy(() -> run(command(AGAIN, AGAIN, 0, 0), 10))
        .isInstanceOf(EndlessProgramException.class)
        .hasMessage(
            "packets have been resubmitted, recirculated or cloned in egress 205 times since the"
                + " last one came in, and 10 still are; the last came in on port 3 and was"
                + " resubmitted or recirculated");
  }

  @Test
  void packetsThatTurnLessOftenGoTheirWay() {
    node.limitTurns(2, 101);
    run(command(AGAIN, 0, 0, 0), 100);
    assertThat(sent).isEqualTo(100);
    assertThat(node.turnaroundDrops()).isZero();
  }
}
