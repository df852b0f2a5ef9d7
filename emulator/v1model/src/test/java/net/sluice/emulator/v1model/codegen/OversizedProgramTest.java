package net.sluice.emulator.v1model.codegen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.LoadedProgram;
import org.junit.jupiter.api.Test;

/** Actions of thousands of steps: straight ones are cut into methods, others are refused. */
class OversizedProgramTest {

  private static final int MANY = 3_000;
  private static final String SUM = "{'type':'field','value':['in','sum']}";
  private static final String BITS = "{'type':'field','value':['in','bits']}";
  private static final String WIDE = "{'type':'field','value':['in','wide']}";

  private static String hex(int value) {
    return "{'type':'hexstr','value':'0x%x'}".formatted(value);
  }

  private static String both(String op, String left, String right) {
    return "{'type':'expression','value':{'op':'%s','left':%s,'right':%s}}"
        .formatted(op, left, right);
  }

  private static String step(String op, String... parameters) {
    return "{'op':'%s','parameters':[%s]}".formatted(op, String.join(",", parameters));
  }

  private static String add(int value) {
    return step("assign", SUM, both("+", SUM, hex(value)));
  }

  /** A program with one action, which always runs. */
  private static LoadedProgram load(List<String> steps) {
    String text =
        """
        {'header_types':[{'name':'std_t','fields':[['ingress_port',9],['egress_spec',9],
        ['egress_port',9],['instance_type',32],['packet_length',32]]},
        {'name':'in_t','fields':[['bits',16],['sum',32],['wide',128]]}],
        'headers':[{'name':'standard_metadata','header_type':'std_t','metadata':true},
        {'name':'in','header_type':'in_t','metadata':false}],
        'parsers':[{'name':'parser','init_state':'start','parse_states':[{'name':'start',
        'parser_ops':[{'op':'extract','parameters':[{'type':'regular','value':'in'}]}],
        'transition_key':[],'transitions':[]}]}],
        'deparsers':[{'name':'deparser','order':['in']}],
        'actions':[{'name':'act','id':0,'runtime_data':[],'primitives':[%s]}],
        'pipelines':[{'name':'ingress','init_table':'t','action_profiles':[],'conditionals':[],
        'tables':[{'name':'t','key':[],'match_type':'exact','type':'simple','max_size':1,
        'action_ids':[0],'actions':['act'],'next_tables':{'act':null},
        'default_entry':{'action_id':0,'action_const':true,'action_data':[]}}]},
        {'name':'egress','init_table':null,'tables':[],'action_profiles':[],'conditionals':[]}]}
        """
            .formatted(String.join(",", steps))
            .replace('\'', '"');
    return LoadedProgram.load(text.getBytes(UTF_8), 1);
  }

  @Test
  void anActionOfThousandsOfStepsWorks() {
    List<String> steps = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      steps.add(add(i));
    }
    LoadedProgram program = load(steps);
    SwitchPacket packet = program.pipeline().acquire();
    packet.setBytes(new byte[22], 0, 22);
    program.pipeline().ingress(packet, 0, 0);
    program.pipeline().egress(packet, 0);
    assertThat(ByteBuffer.wrap(packet.toByteArray()).getInt(2)).isEqualTo(MANY * (MANY - 1) / 2);
    program.pipeline().release(packet);
  }

  @Test
  void anActionOfThousandsOfBranchesIsRefused() {
    List<String> steps = new ArrayList<>();
    for (int i = 0; i < 2 * MANY; i++) {
      steps.add(step("_jump_if_zero", both("&", BITS, hex(1 << i % 16)), hex(2 * i + 2)));
      steps.add(add(i + 1));
    }
    assertThatThrownBy(() -> load(steps))
        .hasMessageStartingWith("unsupported program: more than 64 KiB of code in one part at ");
  }

  private static String tree(int depth) {
    return depth == 0 ? WIDE : both(depth % 2 == 0 ? "+" : "*", tree(depth - 1), tree(depth - 1));
  }

  /** Compiled, it would need 3 GB. */
  @Test
  void anExpressionOfThousandsOfOperationsIsRefused() {
    assertThatThrownBy(() -> load(List.of(step("assign", WIDE, tree(12)))))
        .hasMessage(
            "unsupported program: more than 64 KiB of code in one part at a method of more than"
                + " 2000 variables");
  }
}
