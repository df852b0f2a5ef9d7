package net.sluice.emulator.v1model.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.load.ProgramLoader;
import net.sluice.emulator.v1model.program.CellUses;
import net.sluice.emulator.v1model.program.Program;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cells that are loaded together because packets use them at the same index. */
class SharedIndexCellsTest {

  private static final String BITS = field("in", "bits");
  private static final String FIRST = field("md", "first");
  private static final String SECOND = field("md", "second");
  private static final String SUM = field("in", "sum");

  private static String field(String header, String name) {
    return "{'type':'field','value':['" + header + "','" + name + "']}";
  }

  private static String array(String type, String name) {
    return "{'type':'" + type + "_array','value':'" + name + "'}";
  }

  private static String step(String op, String... parameters) {
    return "{'op':'" + op + "','parameters':[" + String.join(",", parameters) + "]}";
  }

  /** Two temporary variables of the same origin, as p4c makes one for each index. */
  private static String indexOf(String target) {
    return step(
        "assign",
        target,
        "{'type':'expression','value':{'op':'&','left':"
            + BITS
            + ",'right':{'type':'hexstr','value':'0xffff'}}}");
  }

  private static String count(String counter, String index) {
    return step("count", array("counter", counter), index);
  }

  private static String read(String register, String index) {
    return step("register_read", SUM, array("register", register), index);
  }

  private static byte[] program(int size, List<String> steps) {
    String text =
        "{'header_types':[{'name':'std_t','fields':[['ingress_port',9],['egress_spec',9],['egress_port',9],['instance_type',32],"
            + "['packet_length',32]]},{'name':'in_t','fields':[['bits',16],['sum',32]]},"
            + "{'name':'md_t','fields':[['first',32],['second',32],['third',32]]}],"
            + "'headers':[{'name':'standard_metadata','header_type':'std_t','metadata':true},"
            + "{'name':'in','header_type':'in_t','metadata':false},{'name':'md','header_type':'md_t','metadata':true}],"
            + "'calculations':[{'name':'k','algo':'crc32','input':["
            + BITS
            + "]}],'counter_arrays':[{'name':'packets','id':0,'is_direct':false,'size':SIZE},{'name':'small','id':1,'is_direct':false,'size':64}],"
            + "'register_arrays':[{'name':'word','id':0,'size':SIZE,'bitwidth':32},{'name':'wide','id':1,'size':SIZE,'bitwidth':100},"
            + "{'name':'byte','id':2,'size':SIZE,'bitwidth':8},{'name':'more','id':3,'size':SIZE1,'bitwidth':32}],"
            + "'parsers':[{'name':'parser','init_state':'start','parse_states':[{'name':'start','parser_ops':["
            + "{'op':'extract','parameters':[{'type':'regular','value':'in'}]}],'transition_key':[],'transitions':[]}]}],"
            + "'deparsers':[{'name':'deparser','order':['in']}],'actions':[{'name':'act','id':0,'runtime_data':[],'primitives':["
            + String.join(",", steps)
            + "]}],'pipelines':[{'name':'ingress','init_table':'t','action_profiles':[],'conditionals':[],'tables':[{'name':'t','key':[],"
            + "'match_type':'exact','type':'simple','max_size':1,'action_ids':[0],'actions':['act'],'next_tables':{'act':null},"
            + "'default_entry':{'action_id':0,'action_const':true,'action_data':[]}}]},"
            + "{'name':'egress','init_table':null,'tables':[],'action_profiles':[],'conditionals':[]}]}";
    return text.replace("SIZE1", Integer.toString(size + 1))
        .replace("SIZE", Integer.toString(size))
        .replace('\'', '"')
        .getBytes(StandardCharsets.UTF_8);
  }

  /** The loads in the generated source. */
  private static List<String> loads(int size, String... steps) {
    return PipelineCompiler.compile(ProgramLoader.load(program(size, List.of(steps))))
        .source()
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("touched += "))
        .map(line -> line.substring("touched += ".length()).replaceAll("\\bl?[a-z]\\d+\\]", "i]"))
        .toList();
  }

  @Test
  void cellsOfTheSameOriginAreLoadedWithTheFirst() {
    assertThat(
            loads(
                10_000,
                indexOf(FIRST),
                count("packets", FIRST),
                indexOf(SECOND),
                read("word", SECOND),
                read("wide", BITS),
                read("byte", FIRST)))
        .containsExactly("r0[i] + r1[2 * i] + r2[i];");
  }

  @Test
  void othersAreNot() {
    // Small enough for a cache.
    assertThat(loads(8_191, count("packets", BITS), read("word", BITS))).isEmpty();
    // Another size.
    assertThat(loads(10_000, count("packets", BITS), read("more", BITS))).isEmpty();
    // Two hashes, as those of a sketch.
    String hash = "{'type':'calculation','value':'k'}";
    String zero = "{'type':'hexstr','value':'0x0'}";
    String base = "{'type':'hexstr','value':'0x2000'}";
    assertThat(
            loads(
                10_000,
                step("modify_field_with_hash_based_offset", FIRST, zero, hash, base),
                step("modify_field_with_hash_based_offset", SECOND, zero, hash, base),
                read("word", FIRST),
                read("wide", SECOND)))
        .isEmpty();
    // An index that is computed in two ways.
    assertThat(
            loads(
                10_000,
                indexOf(FIRST),
                step("assign", FIRST, SECOND),
                read("word", FIRST),
                read("byte", BITS)))
        .isEmpty();
    // The same cell every time.
    assertThat(loads(10_000, read("word", zero), read("byte", zero))).isEmpty();
  }

  /** Too long for recursion on a thread's stack. */
  @Tag("long")
  @Test
  void aVeryLongWayIsNotFollowed() {
    aLongWayFromVariableToVariableIsFollowedOnlySoFar(30_000, "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"0 | touched += r0[i];", "50 | touched += r0[i];", "300 | ''"})
  void aLongWayFromVariableToVariableIsFollowedOnlySoFar(int links, String loads) {
    StringBuilder fields = new StringBuilder("['third',32]");
    List<String> steps = new ArrayList<>(List.of(indexOf(FIRST)));
    String last = FIRST;
    for (int i = 0; i < links; i++) {
      fields.append(",['v").append(i).append("',32]");
      steps.add(step("assign", field("md", "v" + i), last));
      last = field("md", "v" + i);
    }
    steps.add(count("packets", last));
    steps.add(read("word", FIRST));
    String text = new String(program(10_000, steps), StandardCharsets.UTF_8);
    Program program =
        ProgramLoader.load(
            text.replace("[\"third\",32]", fields.toString().replace('\'', '"'))
                .getBytes(StandardCharsets.UTF_8));
    CellUses.Use counter =
        CellUses.of(program).stream()
            .filter(CellUses.OfCounter.class::isInstance)
            .findFirst()
            .orElseThrow();
    Code into = new Code();
    new SharedIndexCells(program).load(counter, "i", into);
    assertThat(into.toString().strip()).isEqualTo(loads);
  }

  @Test
  void whatIsReadAndCountedStaysTheSame() {
    LoadedProgram program =
        LoadedProgram.load(
            program(
                10_000,
                List.of(
                    indexOf(FIRST),
                    count("packets", FIRST),
                    read("word", BITS),
                    step("register_write", array("register", "byte"), BITS, BITS),
                    step("register_write", array("register", "wide"), BITS, SUM))),
            1);
    program.state().registers().get(0).ints()[9_999] = 77;
    for (int bits : new int[] {9_999, 10_000, 0xffff, 9_999}) {
      byte[] bytes = ByteBuffer.allocate(6).putShort((short) bits).array();
      SwitchPacket packet = program.pipeline().acquire();
      packet.setBytes(bytes, 0, bytes.length);
      program.pipeline().ingress(packet, 0, 0);
      program.pipeline().egress(packet, 0);
      assertThat(ByteBuffer.wrap(packet.toByteArray()).getInt(2)).isEqualTo(bits < 10_000 ? 77 : 0);
      program.pipeline().release(packet);
    }
    assertThat(program.state().counters().get(0).packets(9_999)).isEqualTo(2);
    assertThat(program.state().registers().get(2).get(9_999)).isEqualTo(9_999 & 0xff);
    assertThat(program.state().registers().get(1).get(9_999)).isEqualTo(77);
  }
}
