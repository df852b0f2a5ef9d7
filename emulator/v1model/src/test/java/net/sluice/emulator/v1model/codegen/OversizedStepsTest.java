package net.sluice.emulator.v1model.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.program.ProgramLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Single expressions, primitives and headers whose code exceeds Java's limit for a method, traced
 * or not.
 */
@Tag("long")
class OversizedStepsTest {

  private static final BigInteger MASK_64 = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

  private static final BigInteger A = BigInteger.valueOf(0x1234);
  private static final BigInteger W = new BigInteger("f0e1d2c3b4a5968778695a4b3c2d1e0f", 16);

  private static String field(String header, String name) {
    return "{'type':'field','value':['" + header + "','" + name + "']}";
  }

  private static String hex(BigInteger value) {
    return "{'type':'hexstr','value':'0x" + value.toString(16) + "'}";
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

  private static String extract(String type, String name) {
    return "{'op':'extract','parameters':[{'type':'" + type + "','value':'" + name + "'}]}";
  }

  /** A header {@code in} and others of a type {@code big}; what the parser and an action do. */
  private static byte[] program(
      String fields, int bigs, List<String> operations, List<String> steps, String more) {
    StringBuilder headers = new StringBuilder();
    StringBuilder order = new StringBuilder("'in'");
    StringBuilder ids = new StringBuilder();
    for (int i = 0; i < bigs; i++) {
      String name = "'big[" + i + "]'";
      headers.append(",{'name':").append(name).append(",'id':").append(i + 2);
      headers.append(",'header_type':'big_t','metadata':false}");
      order.append(",").append(name);
      ids.append(i == 0 ? "" : ",").append(i + 2);
    }
    String text =
        "{'header_types':[{'name':'std_t','fields':[['ingress_port',9],['egress_spec',9],['egress_port',9],['instance_type',32],"
            + "['packet_length',32]]},{'name':'in_t','fields':[['a',16],['w',128],['out',64]]},{'name':'big_t','fields':["
            + fields
            + "]}],'headers':[{'name':'standard_metadata','id':0,'header_type':'std_t','metadata':true},"
            + "{'name':'in','id':1,'header_type':'in_t','metadata':false}"
            + headers
            + "],'header_stacks':[{'name':'big','header_type':'big_t','size':"
            + bigs
            + ",'header_ids':["
            + ids
            + "]}],"
            + more
            + "'parsers':[{'name':'parser','init_state':'start','parse_states':[{'name':'start','parser_ops':["
            + String.join(",", operations)
            + "],'transition_key':[],'transitions':[]}]}],'deparsers':[{'name':'deparser','order':["
            + order
            + "]}],'actions':[{'name':'act','id':0,'runtime_data':[],'primitives':["
            + String.join(",", steps)
            + "]}],'pipelines':[{'name':'ingress','init_table':'t','tables':[],'conditionals':[],"
            + "'action_calls':[{'name':'t','action_id':0,'next_node':null}]},"
            + "{'name':'egress','init_table':null,'tables':[],'conditionals':[]}]}";
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] pass(LoadedProgram program, byte[] bytes) {
    SwitchPacket packet = program.pipeline().acquire();
    packet.setBytes(bytes, 0, bytes.length);
    program.pipeline().ingress(packet, 0, 0);
    program.pipeline().egress(packet, 0);
    byte[] sent = packet.toByteArray();
    program.pipeline().release(packet);
    return sent;
  }

  private static void compilesTracedToo(byte[] json) {
    PipelineCompiler compiler = PipelineCompiler.compile(ProgramLoader.load(json));
    assertThat(compiler.instantiateTraced(compiler.newState(1))).isNotNull();
  }

  /** A tree of operations, and its value for the given {@code a} and {@code w}. */
  private record Tree(String json, BigInteger value) {}

  private static Tree tree(int depth, BigInteger a, BigInteger w, Random random) {
    if (depth == 0) {
      BigInteger constant = BigInteger.valueOf(random.nextInt(100));
      switch (random.nextInt(3)) {
        case 0:
          return new Tree(field("in", "a"), a);
        case 1:
          return new Tree(field("in", "w"), w);
        default:
          return new Tree(hex(constant), constant);
      }
    }
    Tree left = tree(depth - 1, a, w, random);
    Tree right = tree(depth - 1, a, w, random);
    switch (random.nextInt(6)) {
      case 0:
        return new Tree(both("+", left.json, right.json), left.value.add(right.value));
      case 1:
        return new Tree(both("-", left.json, right.json), left.value.subtract(right.value));
      case 2:
        return new Tree(both("&", left.json, right.json), left.value.and(right.value));
      case 3:
        return new Tree(both("|", left.json, right.json), left.value.or(right.value));
      case 4:
        String chosen =
            "{'type':'expression','value':{'op':'?','cond':"
                + both("<", left.json, right.json)
                + ",'left':"
                + left.json
                + ",'right':"
                + hex(BigInteger.TEN)
                + "}}";
        return depth > 9
            ? new Tree(both("^", left.json, right.json), left.value.xor(right.value))
            : new Tree(chosen, left.value.compareTo(right.value) < 0 ? left.value : BigInteger.TEN);
      default:
        return new Tree(both("^", left.json, right.json), left.value.xor(right.value));
    }
  }

  /** A program that stores a tree of thousands of operations, and the expected value. */
  record Expression(byte[] json, BigInteger value) {}

  static Expression anExpression() {
    Tree tree = tree(12, A, W, new Random(1));
    byte[] json =
        program(
            "['x',8]",
            1,
            List.of(extract("regular", "in")),
            List.of(
                step("assign", field("in", "out"), tree.json),
                step("assign", field("in", "w"), tree.json)),
            "");
    return new Expression(json, tree.value);
  }

  @Test
  void anExpressionOfThousandsOfOperations() {
    Expression expression = anExpression();
    LoadedProgram program = LoadedProgram.load(expression.json, 1);
    byte[] bytes = new byte[26];
    bytes[0] = 0x12;
    bytes[1] = 0x34;
    System.arraycopy(W.toByteArray(), 1, bytes, 2, 16);
    byte[] sent = pass(program, bytes);
    assertThat(new BigInteger(1, Arrays.copyOfRange(sent, 18, 26)))
        .isEqualTo(expression.value.and(MASK_64));
    BigInteger all = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);
    assertThat(new BigInteger(1, Arrays.copyOfRange(sent, 2, 18)))
        .isEqualTo(expression.value.and(all));
  }

  /** Fields of 5 to 77 bits. */
  private static String fields(int count) {
    List<String> fields = new ArrayList<>();
    int bits = 0;
    for (int i = 0; i < count; i++) {
      int width = 5 + i * 7 % 73;
      bits += width;
      fields.add("['f" + i + "'," + width + (i % 5 == 1 ? ",true" : "") + "]");
    }
    fields.add("['rest'," + (16 - bits % 8) + "]");
    return String.join(",", fields);
  }

  @Test
  void headersOfThousandsOfFieldsInAStack() {
    String same =
        both("==", "{'type':'header','value':'big[0]'}", "{'type':'header','value':'big[1]'}");
    String more =
        "'calculations':[{'name':'k','algo':'xor16','input':[{'type':'header','value':'big[0]'}]}],"
            + "'field_lists':[{'name':'l','id':1,'elements':["
            + "{'type':'field','value':['big[0]','f0']}]}],";
    int fields = 3_000;
    byte[] json =
        program(
            fields(fields),
            3,
            List.of(extract("regular", "in"), extract("stack", "big"), extract("stack", "big")),
            List.of(
                step(
                    "assign",
                    field("in", "out"),
                    "{'type':'expression','value':{'op':'b2d','left':null,'right':" + same + "}}"),
                step(
                    "modify_field_with_hash_based_offset",
                    field("in", "a"),
                    "{'type':'hexstr','value':'0x0'}",
                    "{'type':'calculation','value':'k'}",
                    "{'type':'hexstr','value':'0x10000'}"),
                step(
                    "push",
                    "{'type':'header_stack','value':'big'}",
                    "{'type':'hexstr','value':'0x1'}"),
                step("add_header", "{'type':'header','value':'big[0]'}"),
                step(
                    "assign_header",
                    "{'type':'header','value':'big[0]'}",
                    "{'type':'expression','value':{'type':'expression','value':{'op':'dereference_header_stack','left':"
                        + "{'type':'header_stack','value':'big'},'right':{'type':'hexstr','value':'0x2'}}}}"),
                step("clone_ingress_pkt_to_egress", hex(BigInteger.ONE), hex(BigInteger.ONE)),
                step("resubmit", hex(BigInteger.ZERO))),
            more);
    LoadedProgram program = LoadedProgram.load(json.clone(), 1);
    int bits = 0;
    for (int i = 0; i < fields; i++) {
      bits += 5 + i * 7 % 73;
    }
    int bytes = (bits + 16 - bits % 8) / 8;
    byte[] packet = new byte[26 + 2 * bytes];
    new Random(4).nextBytes(packet);
    byte[] first = Arrays.copyOfRange(packet, 26, 26 + bytes);
    byte[] second = Arrays.copyOfRange(packet, 26 + bytes, 26 + 2 * bytes);
    byte[] sent = pass(program, packet);
    assertThat(Arrays.copyOfRange(sent, 18, 26)).containsOnly(0);
    int xor = 0;
    for (int i = 0; i < bytes; i += 2) {
      xor ^= (first[i] & 0xff) << 8 | (i + 1 < bytes ? first[i + 1] & 0xff : 0);
    }
    assertThat((sent[0] & 0xff) << 8 | sent[1] & 0xff).isEqualTo(xor);
    assertThat(Arrays.copyOfRange(sent, 26, 26 + bytes)).isEqualTo(second);
    assertThat(Arrays.copyOfRange(sent, 26 + bytes, 26 + 2 * bytes)).isEqualTo(first);
    assertThat(Arrays.copyOfRange(sent, 26 + 2 * bytes, 26 + 3 * bytes)).isEqualTo(second);
    System.arraycopy(first, 0, packet, 26 + bytes, bytes);
    assertThat(pass(program, packet)[25]).isEqualTo((byte) 1);
    compilesTracedToo(json);
  }

  @Test
  void moreFieldsThanAClassCanName() {
    int fields = 8_000;
    int constants = 500;
    List<String> all = new ArrayList<>();
    for (int i = 0; i < fields; i++) {
      all.add("['f" + i + "',8]");
    }
    List<String> steps = new ArrayList<>();
    steps.add(step("clone_ingress_pkt_to_egress", hex(BigInteger.ONE), hex(BigInteger.ONE)));
    steps.add(
        step("push", "{'type':'header_stack','value':'big'}", "{'type':'hexstr','value':'0x1'}"));
    for (int i = 0; i < constants; i++) {
      BigInteger constant = BigInteger.ONE.shiftLeft(200).add(BigInteger.valueOf(i));
      String left = both("*", field("in", "w"), hex(constant));
      String out = field("in", "out");
      steps.add(
          step("assign", out, both("+", out, both(">>", left, hex(BigInteger.valueOf(200))))));
    }
    String lists =
        "'field_lists':[{'name':'l','id':1,'elements':[{'type':'field','value':['big[0]','f0']}]}],";
    byte[] json =
        program(
            String.join(",", all),
            3,
            List.of(extract("regular", "in"), extract("stack", "big"), extract("stack", "big")),
            steps,
            lists);
    LoadedProgram program = LoadedProgram.load(json, 1);
    byte[] packet = new byte[26 + 2 * fields];
    new Random(9).nextBytes(packet);
    Arrays.fill(packet, 2, 26, (byte) 0);
    packet[17] = 1;
    byte[] sent = pass(program, packet);
    assertThat(new BigInteger(1, Arrays.copyOfRange(sent, 18, 26)).intValueExact())
        .isEqualTo(constants);
    assertThat(Arrays.copyOfRange(sent, 26, sent.length))
        .isEqualTo(Arrays.copyOfRange(packet, 26, packet.length));
  }
}
