package net.sluice.it.corpus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.sluice.it.p4.PortFrame;

/**
 * Reads registers through the data plane, because bmv2 has none to read over P4Runtime: a program
 * with an addition that answers packets which come in at a port of its own with a cell's value and
 * what was asked. All other packets pass the program as it was.
 */
final class RegisterProbe {

  /** Where packets that ask come in; no other port has a higher number. */
  static final int PORT = 500;

  private static final int ANSWERS = 1;
  private static final int ASKED_BYTES = 8;
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String ASKED = "$asked";
  private static final String ANSWER = "$answer";

  /** Above the ids of any program. */
  private static final int ID = 900_000;

  private static final String ASK =
      """
      {'name':'$ask','id':900001,'transition_key':[],
       'parser_ops':[{'op':'extract','parameters':[{'type':'regular','value':'$asked'}]}],
       'transitions':[{'type':'default','value':null,'mask':null,'next_state':null}]}
      """;

  private static final String FIRST =
      """
      {'name':'$first','id':900002,'parser_ops':[],
       'transition_key':[{'type':'field','value':['standard_metadata','ingress_port']}],
       'transitions':[
         {'type':'hexstr','value':'0x01f4','mask':null,'next_state':'$ask'},
         {'type':'default','value':null,'mask':null,'next_state':null}]}
      """;

  private static final String ECHO =
      """
      {'runtime_data':[],'primitives':[
        {'op':'assign','parameters':[
          {'type':'field','value':['standard_metadata','egress_spec']},
          {'type':'hexstr','value':'0x1'}]}]}
      """;

  private static final String READ =
      """
      {'runtime_data':[],'primitives':[
        {'op':'add_header','parameters':[{'type':'header','value':'%s'}]},
        {'op':'register_read','parameters':[
          {'type':'field','value':['%s','value']},
          {'type':'register_array','value':'%s'},
          {'type':'field','value':['$asked','cell']}]},
        {'op':'assign','parameters':[
          {'type':'field','value':['standard_metadata','egress_spec']},
          {'type':'hexstr','value':'0x1'}]}]}
      """;

  private static final String ASKS =
      """
      {'op':'==','left':{'type':'field','value':['$asked','register']},
       'right':{'type':'hexstr','value':'0x%x'}}
      """;

  private RegisterProbe() {}

  /** A program with the addition. */
  static byte[] program(byte[] json) {
    try {
      ObjectNode root = (ObjectNode) MAPPER.readTree(json);
      add(root);
      return MAPPER.writeValueAsBytes(root);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a program", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What cells of a register hold.
   *
   * @param register its name
   */
  static List<BigInteger> read(AnySwitch asked, String register, List<Integer> cells) {
    List<PortFrame> frames = new ArrayList<>();
    for (int cell : cells) {
      frames.add(asks(register, cell));
    }
    List<BigInteger> values = new ArrayList<>();
    for (List<PortFrame> answer : asked.pass(frames)) {
      if (answer.size() != 1 || answer.get(0).port() != ANSWERS) {
        throw new IllegalStateException("a register was not read: " + answer);
      }
      ByteString bytes = answer.get(0).bytes();
      values.add(new BigInteger(1, bytes.substring(0, bytes.size() - ASKED_BYTES).toByteArray()));
    }
    return values;
  }

  /** A packet that asks for a cell of a register. */
  static PortFrame asks(String register, int cell) {
    ByteBuffer bytes = ByteBuffer.allocate(ASKED_BYTES).putInt(register.hashCode()).putInt(cell);
    return new PortFrame(PORT, ByteString.copyFrom(bytes.array()));
  }

  /** A packet that asks for no register and comes back as it is. */
  static PortFrame echoed() {
    return new PortFrame(PORT, ByteString.copyFrom(new byte[ASKED_BYTES]));
  }

  /** Whether packets come through. */
  static boolean answers(AnySwitch asked) {
    return asked.pass(List.of(echoed())).get(0).size() == 1;
  }

  private static void add(ObjectNode root) {
    header(root, ASKED, 0, "register", "cell");
    ask((ObjectNode) root.get("parsers").get(0));
    ObjectNode ingress = pipeline(root, "ingress");
    ArrayNode order = ((ObjectNode) root.get("deparsers").get(0)).withArray("order");
    order.insert(0, ASKED);
    ObjectNode echo = node(ECHO);
    root.withArray("actions").add(echo.put("name", "$echo").put("id", ID - 2));
    call(ingress, "$echoed", ID - 2);
    String next = "$echoed";
    int number = 0;
    for (JsonNode register : root.get("register_arrays")) {
      String answer = ANSWER + number;
      header(root, answer, register.get("bitwidth").asInt(), "value");
      order.insert(0, answer);
      String name = register.get("name").asText();
      answer(root, ingress, number, name);
      String asks = "$asks" + number;
      String asked = ASKS.formatted(name.hashCode());
      condition(ingress, asks, ID + number, asked, "$call" + number, next);
      next = asks;
      number++;
    }
    first(ingress, next);
    first(pipeline(root, "egress"), null);
  }

  private static void ask(ObjectNode parser) {
    ArrayNode states = parser.withArray("parse_states");
    states.add(node(ASK));
    ObjectNode first = node(FIRST);
    ((ObjectNode) first.get("transitions").get(1)).set("next_state", parser.get("init_state"));
    states.add(first);
    parser.put("init_state", "$first");
  }

  private static void answer(ObjectNode root, ObjectNode ingress, int number, String register) {
    ObjectNode action = node(READ.formatted(ANSWER + number, ANSWER + number, register));
    action.put("name", "$read" + number).put("id", ID + number);
    root.withArray("actions").add(action);
    call(ingress, "$call" + number, ID + number);
  }

  private static void call(ObjectNode ingress, String name, int id) {
    ObjectNode call = node("{'next_node':null}");
    ingress
        .withArray("action_calls")
        .add(call.put("name", name).put("id", id).put("action_id", id));
  }

  /** Makes a pipeline begin with whether a packet asks. */
  private static void first(ObjectNode pipeline, String ifSo) {
    String name = "$" + pipeline.get("name").asText();
    JsonNode original = pipeline.get("init_table");
    condition(
        pipeline,
        name,
        ID - 1,
        "{'op':'valid','left':null,'right':{'type':'header','value':'$asked'}}",
        ifSo,
        original == null || original.isNull() ? null : original.asText());
    pipeline.put("init_table", name);
  }

  private static void condition(
      ObjectNode pipeline, String name, int id, String expression, String then, String otherwise) {
    ObjectNode condition = node("{'expression':{'type':'expression','value':" + expression + "}}");
    condition.put("name", name).put("id", id);
    condition.put("true_next", then).put("false_next", otherwise);
    pipeline.withArray("conditionals").add(condition);
  }

  /** Adds a header of fields of 32 bits, or of one of another width behind what fills it up. */
  private static void header(ObjectNode root, String name, int widthBits, String... fields) {
    ArrayNode types = root.withArray("header_types");
    ObjectNode type = node("{'fields':[],'max_length':null}");
    if (widthBits % 8 != 0) {
      type.withArray("fields").addArray().add("pad").add(8 - widthBits % 8).add(false);
    }
    for (String field : fields) {
      type.withArray("fields")
          .addArray()
          .add(field)
          .add(widthBits == 0 ? 32 : widthBits)
          .add(false);
    }
    types.add(type.put("name", name + "_t").put("id", types.size()));
    ArrayNode headers = root.withArray("headers");
    ObjectNode header = node("{'metadata':false,'pi_omit':true}");
    // bmv2 wants these numbered without a gap.
    headers.add(header.put("name", name).put("id", headers.size()).put("header_type", name + "_t"));
  }

  private static ObjectNode pipeline(ObjectNode root, String name) {
    for (JsonNode pipeline : root.get("pipelines")) {
      if (pipeline.get("name").asText().equals(name)) {
        return (ObjectNode) pipeline;
      }
    }
    throw new IllegalArgumentException("no pipeline " + name);
  }

  private static ObjectNode node(String json) {
    try {
      return (ObjectNode) MAPPER.readTree(json.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }
}
