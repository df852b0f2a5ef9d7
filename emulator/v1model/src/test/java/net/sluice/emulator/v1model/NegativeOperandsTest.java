package net.sluice.emulator.v1model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.runtime.ProgramFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Operands that bmv2 takes as unsigned 64-bit numbers, and aborts on if they are negative: here the
 * field {@code s} of the program {@code amounts}, of 16 bits and signed.
 */
class NegativeOperandsTest {

  private static final int S = 20;
  private static final int RESULT = 22;

  private static LoadedProgram program() {
    try (InputStream in = NegativeOperandsTest.class.getResourceAsStream("/stf/amounts.json")) {
      String json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return LoadedProgram.load(
          json.replace("[\"op\", \"n\"]", "[\"op\", \"s\"]").getBytes(StandardCharsets.UTF_8), 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] send(LoadedProgram program, int kind, int s) {
    byte[] bytes = new byte[34];
    bytes[0] = (byte) kind;
    bytes[S] = (byte) (s >> 8);
    bytes[S + 1] = (byte) s;
    SwitchPacket packet = program.pipeline().acquire();
    packet.setBytes(bytes, 0, bytes.length);
    program.pipeline().ingress(packet, 0, 0);
    program.pipeline().egress(packet, 0);
    byte[] sent = packet.toByteArray();
    program.pipeline().release(packet);
    return sent;
  }

  @ParameterizedTest
  @CsvSource({"1, push by", "2, pop by", "6, bound"})
  void endTheSwitch(int kind, String what) {
    LoadedProgram program = program();
    assertThat(send(program, kind, 1)).isNotNull();
    assertThatThrownBy(() -> send(program, kind, -1))
        .isInstanceOf(ProgramFailure.class)
        .hasMessage("action 'do" + kind + "': " + what + " -1, which is negative");
  }

  @Test
  void aNumberFromZeroIsTheBoundItIs() {
    assertThat(send(program(), 0x06, 0x1234)).containsSequence(0x12, 0x34);
    assertThat(send(program(), 0x06, 0x1234)[RESULT]).isZero();
  }
}
