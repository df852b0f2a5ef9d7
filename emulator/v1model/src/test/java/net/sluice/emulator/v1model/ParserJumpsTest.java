package net.sluice.emulator.v1model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.program.ProgramException;
import net.sluice.emulator.v1model.runtime.ProgramFailure;
import org.junit.jupiter.api.Test;

/**
 * Jumps in parser states, which have no target: bmv2 goes on behind them, or repeats them for ever.
 */
class ParserJumpsTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int JUMPS = 3;

  /** The program {@code parsing}, with another first step in a state. */
  private static LoadedProgram with(String state, String step) {
    try (InputStream in = ParserJumpsTest.class.getResourceAsStream("/stf/parsing.json")) {
      ObjectNode program = (ObjectNode) JSON.readTree(in);
      for (JsonNode found : program.at("/parsers/0/parse_states")) {
        if (found.get("name").asText().equals(state)) {
          ((ArrayNode) found.get("parser_ops")).set(0, JSON.readTree(step.replace('\'', '"')));
        }
      }
      return LoadedProgram.load(JSON.writeValueAsBytes(program), 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] send(LoadedProgram program, int kind, int a) {
    byte[] bytes = new byte[24];
    bytes[0] = (byte) kind;
    bytes[1] = (byte) a;
    SwitchPacket packet = program.pipeline().acquire();
    packet.setBytes(bytes, 0, bytes.length);
    program.pipeline().ingress(packet, 3, 0);
    program.pipeline().egress(packet, 0);
    byte[] sent = packet.toByteArray();
    program.pipeline().release(packet);
    return sent;
  }

  @Test
  void aJumpThatWouldNeverEndEndsTheSwitch() {
    LoadedProgram program =
        with(
            "jump",
            "{'op':'primitive','parameters':[{'op':'_jump_if_zero','parameters':["
                + "{'type':'field','value':['op','a']},{'type':'hexstr','value':'0x0'}]}]}");
    assertThat(send(program, JUMPS, 1)).hasSize(24);
    assertThatThrownBy(() -> send(program, JUMPS, 0))
        .isInstanceOf(ProgramFailure.class)
        .hasMessage(
            "parser state 'jump': a jump to itself, which would never end, for a packet that came"
                + " in on port 3");
    LoadedProgram always =
        with(
            "jump",
            "{'op':'primitive','parameters':[{'op':'_jump','parameters':["
                + "{'type':'field','value':['op','a']}]}]}");
    assertThat(send(always, JUMPS, 1)).hasSize(24);
    assertThatThrownBy(() -> send(always, JUMPS, 0)).isInstanceOf(ProgramFailure.class);
  }

  @Test
  void aHeaderOfVariableLengthHasToTellItsLength() {
    assertThatThrownBy(
            () -> with("drop", "{'op':'extract','parameters':[{'type':'regular','value':'w'}]}"))
        .isInstanceOf(ProgramException.class)
        .hasMessageEndingWith("nothing tells the length of 'w.data'");
  }
}
