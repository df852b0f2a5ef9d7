package net.sluice.emulator.v1model.codegen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.program.ProgramLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Actions, parser states and calculations whose code exceeds Java's limit for a method, traced or
 * not.
 */
class SplitCodeTest {

  private static final int MANY = 3_000;
  private static final int STATES = 5;
  private static final String SUM = "{'type':'field','value':['in','sum']}";
  private static final String BITS = "{'type':'field','value':['in','bits']}";

  private static String hex(int value) {
    return "{'type':'hexstr','value':'0x" + Integer.toHexString(value) + "'}";
  }

  private static String both(String op, String left, String right) {
    return "{'type':'expression','value':{'op':'"
        + op
        + "','left':"
        + left
        + ",'right':"
        + right
        + "}}";
  }

  private static String step(String op, String... parameters) {
    return "{'op':'" + op + "','parameters':[" + String.join(",", parameters) + "]}";
  }

  private static String add(int value) {
    return step("assign", SUM, both("+", SUM, hex(value)));
  }

  /** A program of a header of 16 bits and a sum of 32. */
  private static byte[] program(
      List<String> steps, List<String> operations, List<String> transitions, int inputs) {
    List<String> states = new ArrayList<>();
    states.add(
        "{'name':'start','parser_ops':["
            + String.join(",", operations)
            + "],'transition_key':["
            + (transitions.isEmpty() ? "" : BITS)
            + "],'transitions':["
            + String.join(",", transitions)
            + "]}");
    for (int i = 0; i < STATES; i++) {
      states.add(
          "{'name':'s"
              + i
              + "','parser_ops':["
              + step("set", SUM, both("+", SUM, hex(1_000_000 * (i + 1))))
              + "],'transition_key':[],'transitions':[]}");
    }
    String text =
        "{'header_types':[{'name':'std_t','fields':[['ingress_port',9],['egress_spec',9],['egress_port',9],['instance_type',32],"
            + "['packet_length',32]]},{'name':'in_t','fields':[['bits',16],['sum',32]]}],"
            + "'headers':[{'name':'standard_metadata','header_type':'std_t','metadata':true},"
            + "{'name':'in','header_type':'in_t','metadata':false}],'calculations':[{'name':'k','algo':'crc32','input':["
            + String.join(",", java.util.Collections.nCopies(inputs, BITS))
            + "]}],'parsers':[{'name':'parser','init_state':'start','parse_states':["
            + String.join(",", states)
            + "]}],'deparsers':[{'name':'deparser','order':['in']}],'actions':[{'name':'act','id':0,'runtime_data':[],'primitives':["
            + String.join(",", steps)
            + "]}],'pipelines':[{'name':'ingress','init_table':'t','action_profiles':[],'conditionals':[],'tables':[{'name':'t','key':[],"
            + "'match_type':'exact','type':'simple','max_size':1,'action_ids':[0],'actions':['act'],'next_tables':{'act':null},"
            + "'default_entry':{'action_id':0,'action_const':true,'action_data':[]}}]},"
            + "{'name':'egress','init_table':null,'tables':[],'action_profiles':[],'conditionals':[]}]}";
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static final String EXTRACT =
      "{'op':'extract','parameters':[{'type':'regular','value':'in'}]}";

  private static int sum(LoadedProgram program, int bits) {
    byte[] bytes = ByteBuffer.allocate(6).putShort((short) bits).array();
    SwitchPacket packet = program.pipeline().acquire();
    packet.setBytes(bytes, 0, bytes.length);
    program.pipeline().ingress(packet, 0, 0);
    program.pipeline().egress(packet, 0);
    int sum = ByteBuffer.wrap(packet.toByteArray()).getInt(2);
    program.pipeline().release(packet);
    return sum;
  }

  private static void compilesTracedToo(byte[] json) {
    PipelineCompiler compiler = PipelineCompiler.compile(ProgramLoader.load(json));
    assertThat(compiler.instantiateTraced(compiler.newState(1))).isNotNull();
  }

  @Tag("long")
  @Test
  void anActionOfThousandsOfBranches() {
    List<String> steps = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      steps.add(step("_jump_if_zero", both("&", BITS, hex(1 << i % 16)), hex(2 * i + 2)));
      steps.add(add(i + 1));
    }
    byte[] json = program(steps, List.of(EXTRACT), List.of(), 1);
    LoadedProgram program = LoadedProgram.load(json, 1);
    for (int bits : new int[] {0, 1, 0x8000, 0xffff, 0x1234, 0xaaaa}) {
      int expected = 0;
      for (int i = 0; i < MANY; i++) {
        expected += (bits >> i % 16 & 1) * (i + 1);
      }
      assertThat(sum(program, bits)).isEqualTo(expected);
    }
    compilesTracedToo(json);
  }

  @Test
  void anActionOfThousandsOfStepsInALoop() {
    List<String> steps = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      steps.add(add(1));
      // To the first or the last step of all, to the next, and beyond the end.
      steps.add(
          i == 7
              ? step("_jump_if_zero", BITS, both("+", hex(2 * MANY + 2), BITS))
              : step("_jump_if_zero", hex(1), hex(0)));
    }
    steps.add(step("assign", BITS, both("-", BITS, hex(1))));
    steps.add(step("_jump", hex(0)));
    steps.add(add(5));
    steps.add(step("_jump", hex(-1)));
    LoadedProgram program = LoadedProgram.load(program(steps, List.of(EXTRACT), List.of(), 1), 1);
    for (int rounds : new int[] {0, 1, 3}) {
      assertThat(sum(program, rounds)).isEqualTo(rounds * MANY + 8 + 5);
    }
  }

  @Test
  void aParserStateOfThousandsOfOperationsAndTransitions() {
    List<String> operations = new ArrayList<>(List.of(EXTRACT));
    List<String> transitions = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      operations.add(step("set", SUM, both("+", SUM, hex(i))));
      transitions.add(
          "{'type':'hexstr','value':'0x%04x','mask':null,'next_state':'s%d'}"
              .formatted(i, i % STATES));
    }
    transitions.add("{'type':'default','value':null,'mask':null,'next_state':null}");
    byte[] json = program(List.of(), operations, transitions, 1);
    LoadedProgram program = LoadedProgram.load(json, 1);
    int all = MANY * (MANY - 1) / 2;
    for (int bits : new int[] {0, 49, 50, 51, 1234, MANY - 1}) {
      assertThat(sum(program, bits)).isEqualTo(all + 1_000_000 * (bits % STATES + 1));
    }
    assertThat(sum(program, MANY)).isEqualTo(all);
    compilesTracedToo(json);
  }

  @Test
  void aParserOfThousandsOfStates() {
    List<String> transitions = new ArrayList<>();
    StringBuilder more = new StringBuilder();
    int states = 2 * MANY;
    for (int i = 0; i < states; i++) {
      transitions.add(
          "{'type':'hexstr','value':'0x%04x','mask':null,'next_state':'m%d'}".formatted(i, i));
      more.append(",{'name':'m").append(i).append("','parser_ops':[");
      more.append(step("set", SUM, hex(i + 7))).append("],'transition_key':[],'transitions':[]}");
    }
    String text = new String(program(List.of(), List.of(EXTRACT), transitions, 1), UTF_8);
    int end = text.indexOf("]}],\"deparsers\"");
    text = text.substring(0, end) + more.toString().replace('\'', '"') + text.substring(end);
    LoadedProgram program = LoadedProgram.load(text.getBytes(UTF_8), 1);
    for (int bits : new int[] {0, 999, 1000, 4321, states - 1}) {
      assertThat(sum(program, bits)).isEqualTo(bits + 7);
    }
  }

  @Test
  void aCalculationOverThousandsOfFields() {
    List<String> steps =
        List.of(
            step(
                "modify_field_with_hash_based_offset",
                SUM,
                hex(0),
                "{'type':'calculation','value':'k'}",
                "{'type':'hexstr','value':'0x100000000'}"));
    LoadedProgram program =
        LoadedProgram.load(program(steps, List.of(EXTRACT), List.of(), 2 * MANY), 1);
    CRC32 crc = new CRC32();
    for (int i = 0; i < 2 * MANY; i++) {
      crc.update(0x12);
      crc.update(0x34);
    }
    assertThat(sum(program, 0x1234)).isEqualTo((int) crc.getValue());
  }
}
