package net.sluice.emulator.v1model.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.load.ProgramLoader;
import net.sluice.emulator.v1model.runtime.ProgramFailure;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Loops in controls and actions: over more nodes than a method has, and without an end, which fails
 * with the name of the place. The program {@code loops} has the rest.
 */
class ControlLoopsTest {

  private static final int NODES = 450;

  private static String assign(String value) {
    return "{'op':'assign','parameters':[{'type':'field','value':['in','sum']},{'type':'expression','value':{'op':'+','left':"
        + "{'type':'field','value':['in','sum']},'right':{'type':'hexstr','value':'"
        + value
        + "'}}}]}";
  }

  /** A header of 16 bits and a sum of 32; calls of the action, and what leads back. */
  private static byte[] program(List<String> steps, List<String> calls, String conditional) {
    String text =
        "{'header_types':[{'name':'std_t','fields':[['ingress_port',9],['egress_spec',9],['egress_port',9],['instance_type',32],"
            + "['packet_length',32]]},{'name':'in_t','fields':[['bits',16],['sum',32]]}],"
            + "'headers':[{'name':'standard_metadata','header_type':'std_t','metadata':true},"
            + "{'name':'in','header_type':'in_t','metadata':false}],'parsers':[{'name':'parser','init_state':'start','parse_states':["
            + "{'name':'start','parser_ops':[{'op':'extract','parameters':[{'type':'regular','value':'in'}]}],'transition_key':[],"
            + "'transitions':[]}]}],'deparsers':[{'name':'deparser','order':['in']}],"
            + "'actions':[{'name':'act','id':0,'runtime_data':[],'primitives':["
            + String.join(",", steps)
            + "]}],'pipelines':[{'name':'ingress','init_table':'c0','tables':[],'action_calls':["
            + String.join(",", calls)
            + "],'conditionals':["
            + conditional
            + "]},{'name':'egress','init_table':null,'tables':[],'conditionals':[]}]}";
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static String call(int node, String next) {
    return "{'name':'c" + node + "','action_id':0,'next_node':" + next + "}";
  }

  /** Whether the sum is below the bits times 0x1000. */
  private static String below(String yes, String no) {
    return "{'name':'below','expression':{'type':'expression','value':{'op':'<','left':{'type':'field','value':['in','sum']},'right':"
        + "{'type':'expression','value':{'op':'*','left':{'type':'field','value':['in','bits']},'right':"
        + "{'type':'hexstr','value':'0x1000'}}}}},'true_next':"
        + yes
        + ",'false_next':"
        + no
        + "}";
  }

  private static int sum(LoadedProgram program, int bits) {
    byte[] bytes = ByteBuffer.allocate(6).putShort((short) bits).array();
    SwitchPacket packet = program.pipeline().acquire();
    packet.setBytes(bytes, 0, bytes.length);
    program.pipeline().ingress(packet, 5, 0);
    program.pipeline().egress(packet, 0);
    return ByteBuffer.wrap(packet.toByteArray()).getInt(2);
  }

  @Test
  void aLoopOverMoreNodesThanAMethodHas() {
    List<String> calls = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      calls.add(call(i, i == NODES - 1 ? "'below'" : "'c" + (i + 1) + "'"));
    }
    byte[] json = program(List.of(assign("0x1")), calls, below("'c100'", "null"));
    LoadedProgram program = LoadedProgram.load(json, 1);
    for (int bits : new int[] {0, 1, 2, 9}) {
      int expected = NODES;
      while (expected < bits * 0x1000) {
        expected += NODES - 100;
      }
      assertThat(sum(program, bits)).isEqualTo(expected);
    }
    PipelineCompiler compiler = PipelineCompiler.compile(ProgramLoader.load(json));
    assertThat(compiler.instantiateTraced(compiler.newState(1))).isNotNull();
  }

  @Tag("long")
  @Test
  void aControlOfThousandsOfNodes() {
    List<String> calls = new ArrayList<>();
    int nodes = 5_000;
    for (int i = 0; i < nodes; i++) {
      calls.add(call(i, i == nodes - 1 ? "null" : "'c" + (i + 1) + "'"));
    }
    LoadedProgram program = LoadedProgram.load(program(List.of(assign("0x2")), calls, ""), 1);
    assertThat(sum(program, 0)).isEqualTo(2 * nodes);
  }

  @Test
  void aControlThatNeverEndsSaysWhere() {
    List<String> calls = List.of(call(0, "'below'"));
    LoadedProgram program =
        LoadedProgram.load(program(List.of(assign("0x0")), calls, below("'c0'", "null")), 1);
    assertThat(sum(program, 0)).isZero();
    assertThatThrownBy(() -> sum(program, 1))
        .isInstanceOf(ProgramFailure.class)
        .hasMessage(
            "control 'ingress': a loop back to 'c0', taken 1048576 times for one packet, which"
                + " counts as never ending, for a packet that came in on port 5");
    LoadedProgram itself =
        LoadedProgram.load(program(List.of(), calls, below("'below'", "null")), 1);
    assertThatThrownBy(() -> sum(itself, 1)).hasMessageContaining("a loop back to 'below'");
    assertThat(sum(itself, 0)).isZero();
  }

  @Test
  void anActionThatNeverEndsSaysSo() {
    String jump = "{'op':'_jump','parameters':[{'type':'hexstr','value':'0x0'}]}";
    LoadedProgram program =
        LoadedProgram.load(program(List.of(assign("0x1"), jump), List.of(call(0, "null")), ""), 1);
    assertThatThrownBy(() -> sum(program, 1))
        .isInstanceOf(ProgramFailure.class)
        .hasMessage(
            "action 'act': a jump, taken 1048576 times for one packet, which counts as never"
                + " ending, for a packet that came in on port 5");
    List<String> steps = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      steps.add(assign("0x1"));
    }
    steps.add(jump.replace("0x0", "0xbb8"));
    LoadedProgram split = LoadedProgram.load(program(steps, List.of(call(0, "null")), ""), 1);
    assertThatThrownBy(() -> sum(split, 1)).hasMessageStartingWith("action 'act': a jump, taken");
  }
}
