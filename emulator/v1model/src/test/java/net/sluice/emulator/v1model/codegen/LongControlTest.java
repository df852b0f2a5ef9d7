package net.sluice.emulator.v1model.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.Bits;
import net.sluice.emulator.v1model.LoadedProgram;
import org.junit.jupiter.api.Test;

/** A control of a thousand nodes, split into several methods, against an interpreter. */
class LongControlTest {

  private static final int STEPS = 500;

  /**
   * Step i looks at a bit of the packet; if it is set its table adds i + 1 and skips some steps.
   */
  private static int after(int step) {
    return Math.min(STEPS, step + 1 + step % 7 * (step % 11));
  }

  @Test
  void everyWayThroughIsTheRightOne() {
    LoadedProgram program = LoadedProgram.load(json().getBytes(StandardCharsets.UTF_8), 0);
    for (int bits = 0; bits < 256; bits++) {
      long expected = 0;
      for (int step = 0; step < STEPS; ) {
        boolean taken = (bits >> step % 8 & 1) != 0;
        expected += taken ? step + 1 : 0;
        step = taken ? after(step) : step + 1;
      }
      SwitchPacket packet = program.pipeline().acquire();
      byte[] bytes = new Bits().put(bits, 8).put(0, 32).bytes();
      packet.setBytes(bytes, 0, bytes.length);
      program.pipeline().ingress(packet, 0, 0);
      program.pipeline().egress(packet, 0);
      assertThat(Bits.get(packet.toByteArray(), 8, 32)).isEqualTo(BigInteger.valueOf(expected));
      program.pipeline().release(packet);
    }
  }

  private static String node(int step) {
    return step == STEPS ? "null" : "\"c" + step + "\"";
  }

  private static String json() {
    List<String> actions = new ArrayList<>();
    List<String> tables = new ArrayList<>();
    List<String> conditionals = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      String sum = "{'type':'field','value':['in','sum']}";
      actions.add(
          ("{'name':'a%s','id':%s,'runtime_data':[],'primitives':[{'op':'assign',"
                  + "'parameters':[%s,{'type':'expression','value':{'op':'+','left':%s,"
                  + "'right':{'type':'hexstr','value':'0x%s'}}}]}]}")
              .formatted(i, i, sum, sum, Integer.toHexString(i + 1)));
      tables.add(
          ("{'name':'t%s','key':[],'match_type':'exact','type':'simple','max_size':1,"
                  + "'action_ids':[%s],'actions':['a%s'],'next_tables':{'a%s':%s},"
                  + "'default_entry':{'action_id':%s,'action_const':true,'action_data':[]}}")
              .formatted(i, i, i, i, node(after(i)), i));
      conditionals.add(
          ("{'name':'c%s','expression':{'type':'expression','value':{'op':'d2b','left':null,"
                  + "'right':{'type':'expression','value':"
                  + "{'op':'&',"
                  + "'left':{'type':'field','value':['in','bits']},'right':{'type':'hexstr',"
                  + "'value':'0x%s'}}}}},'true_next':'t%s','false_next':%s}")
              .formatted(i, Integer.toHexString(1 << i % 8), i, node(i + 1)));
    }
    String text =
        "{'header_types':[{'name':'std_t','fields':[['ingress_port',9],['egress_spec',9],['egress_port',9],['instance_type',32],"
            + "['packet_length',32]]},{'name':'in_t','fields':[['bits',8],['sum',32]]}],"
            + "'headers':[{'name':'standard_metadata','header_type':'std_t','metadata':true},"
            + "{'name':'in','header_type':'in_t','metadata':false}],"
            + "'parsers':[{'name':'parser','init_state':'start','parse_states':[{'name':'start','parser_ops':[{'op':'extract',"
            + "'parameters':[{'type':'regular','value':'in'}]}],'transitions':[],'transition_key':[]}]}],"
            + "'deparsers':[{'name':'deparser','order':['in']}],'actions':["
            + String.join(",", actions)
            + "],"
            + "'pipelines':[{'name':'ingress','init_table':'c0','tables':["
            + String.join(",", tables)
            + "],'action_profiles':[],"
            + "'conditionals':["
            + String.join(",", conditionals)
            + "]},{'name':'egress','init_table':null,'tables':[],'action_profiles':[],'conditionals':[]}]}";
    return text.replace('\'', '"');
  }
}
