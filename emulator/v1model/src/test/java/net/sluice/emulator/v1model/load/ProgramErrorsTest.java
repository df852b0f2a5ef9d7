package net.sluice.emulator.v1model.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.TestProgram;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.program.ProgramException;
import net.sluice.emulator.v1model.program.UnsupportedProgramException;
import org.junit.jupiter.api.Test;

/** Error messages of programs that cannot be loaded: a good one, broken in one place at a time. */
class ProgramErrorsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<String> messages = new ArrayList<>();

  private void breaking(Consumer<ObjectNode> damage) {
    try {
      ObjectNode program = (ObjectNode) JSON.readTree(TestProgram.resource("constructs.json"));
      damage.accept(program);
      byte[] bytes = JSON.writeValueAsBytes(program);
      ProgramException e =
          catchThrowableOfType(ProgramException.class, () -> LoadedProgram.load(bytes, 0));
      messages.add(e == null ? "loaded" : e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode parse(String json) {
    try {
      return JSON.readTree(json.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ArrayNode array(JsonNode program, String pointer) {
    return (ArrayNode) program.at(pointer);
  }

  private static ObjectNode object(JsonNode program, String pointer) {
    return (ObjectNode) program.at(pointer);
  }

  private static JsonNode named(JsonNode list, String name) {
    for (JsonNode node : list) {
      if (node.path("name").asText().equals(name)) {
        return node;
      }
    }
    throw new IllegalArgumentException(name);
  }

  private static ObjectNode table(JsonNode program, String name) {
    return (ObjectNode) named(program.at("/pipelines/0/tables"), name);
  }

  /** Makes this primitive the only one of the action that branches. */
  private void primitive(String json) {
    breaking(
        p ->
            ((ObjectNode) named(p.get("actions"), "In.branching"))
                .set("primitives", parse("[" + json + "]")));
  }

  private void assign(String value) {
    primitive(
        "{'op':'assign','parameters':[{'type':'field','value':['probe','result']}," + value + "]}");
  }

  /** Adds a field list or digest. */
  private void fields(String list, String id, String elements) {
    breaking(
        p -> p.set(list, parse("[{'name':'kept','id':" + id + ",'elements':" + elements + "}]")));
  }

  @Test
  void everyComplaintNamesTheConstructAndThePlace() {
    breaking(p -> p.putArray("weather").add("rain"));
    breaking(p -> p.remove("headers"));
    breaking(p -> object(p, "/__meta__").set("version", parse("[2, 99]")));
    breaking(p -> object(p, "/__meta__").set("version", parse("[1, 0]")));
    for (String list :
        List.of(
            "header_stacks",
            "header_unions",
            "header_union_stacks",
            "parse_vsets",
            "meter_arrays",
            "learn_lists",
            "field_lists",
            "extern_instances")) {
      breaking(p -> p.putArray(list).addObject().put("name", "thing"));
    }
    breaking(
        p ->
            array(p, "/header_types/1/fields")
                .add(parse("['options', '*']"))
                .add(parse("['b', '*']")));
    breaking(p -> array(p, "/header_types/1/fields").add(parse("['more', 0]")));
    breaking(
        p ->
            ((ArrayNode) named(p.get("header_types"), "ethernet_t").get("fields"))
                .add(parse("['odd', 3, false]")));
    breaking(p -> ((ObjectNode) named(p.get("headers"), "vlan")).put("header_type", "nowhere_t"));
    breaking(p -> array(p, "/headers").add(named(p.get("headers"), "vlan")));
    breaking(
        p ->
            ((ObjectNode) named(p.get("headers"), "standard_metadata"))
                .put("name", "other_metadata"));
    breaking(p -> ((ObjectNode) p.at("/register_arrays/0")).put("bitwidth", 0));
    breaking(p -> ((ObjectNode) p.at("/calculations/0")).put("algo", "md5"));
    breaking(p -> ((ObjectNode) p.at("/checksums/0")).put("type", "udp"));
    breaking(
        p -> {
          ((ObjectNode) p.at("/checksums/0")).put("type", "ipv4");
          ((ObjectNode) p.at("/checksums/0")).set("target", parse("['probe', 'result']"));
        });
    breaking(p -> ((ObjectNode) p.at("/parsers/0")).put("init_state", "nowhere"));
    breaking(
        p -> ((ObjectNode) p.at("/parsers/0/parse_states/0/parser_ops/0")).put("op", "extract_VL"));
    breaking(
        p ->
            ((ObjectNode) p.at("/parsers/0/parse_states/0/parser_ops/0/parameters/0"))
                .put("type", "stack"));
    breaking(
        p ->
            ((ObjectNode) p.at("/parsers/0/parse_states/0/transition_key/0"))
                .put("type", "stack_field"));
    breaking(
        p ->
            ((ObjectNode) p.at("/parsers/0/parse_states/0/transitions/0"))
                .put("type", "parse_vset"));
    breaking(
        p ->
            ((ObjectNode) p.at("/parsers/0/parse_states/0/transitions/0")).put("value", "0x18100"));
    breaking(
        p ->
            ((ObjectNode) p.at("/parsers/0/parse_states/0/transitions/0"))
                .put("next_state", "nowhere"));
    breaking(
        p ->
            object(p, "/deparsers/0")
                .putArray("primitives")
                .add(parse("{'op':'emit','parameters':[]}")));
    breaking(p -> table(p, "In.lpm_table").put("type", "indirect"));
    breaking(p -> table(p, "In.lpm_table").put("direct_meters", "m"));
    breaking(p -> table(p, "In.lpm_table").put("match_type", "selector"));
    breaking(p -> table(p, "In.lpm_table").put("match_type", "exact"));
    breaking(p -> object(table(p, "In.lpm_table"), "/default_entry").put("action_id", 999));
    breaking(p -> object(table(p, "In.keyless"), "/default_entry").putArray("action_data"));
    breaking(
        p ->
            object(table(p, "In.keyless"), "/default_entry")
                .set("action_data", parse("['0x10000000000000000']")));
    breaking(
        p ->
            object(table(p, "In.lpm_table"), "/key/0")
                .set("target", parse("['probe', 'nothing']")));
    breaking(
        p -> {
          array(p, "/header_types/1/fields").add(parse("['options', '*']"));
          object(table(p, "In.lpm_table"), "/key/0")
              .set("target", parse("['standard_metadata', 'options']"));
        });
    breaking(p -> object(table(p, "In.exact_wide"), "/key/0").put("match_type", "range"));
    breaking(
        p ->
            object(table(p, "In.constant_table"), "/entries/0/match_key/0").put("mask", "not hex"));
    breaking(
        p ->
            object(table(p, "In.constant_table"), "/entries/0/match_key/0")
                .put("match_type", "exact"));
    breaking(p -> object(table(p, "In.lpm_table"), "/key/0").putArray("target"));
    breaking(p -> array(p, "/pipelines/0/action_profiles").addObject().put("name", "profile"));
    breaking(
        p -> {
          array(p, "/pipelines/0/action_profiles").add(parse("{'name':'profile','max_size':4}"));
          table(p, "In.lpm_table").put("type", "indirect_ws").put("action_profile", "profile");
        });
    breaking(
        p -> {
          array(p, "/pipelines/0/action_profiles").add(parse("{'name':'profile','max_size':4}"));
          table(p, "In.constant_table").put("type", "indirect").put("action_profile", "profile");
        });
    primitive("{'op':'resubmit','parameters':[]}");
    primitive("{'op':'clone_ingress_pkt_to_egress','parameters':[]}");
    primitive("{'op':'recirculate','parameters':[{'type':'hexstr','value':'0x7'}]}");
    primitive(
        "{'op':'generate_digest','parameters':[{'type':'hexstr','value':'0x0'},{'type':'hexstr','value':'0x1'}]}");
    for (String list : List.of("field_lists", "learn_lists")) {
      fields(list, list.equals("field_lists") ? "-1" : "0", "[]");
      fields(list, "1", "[{'type':'header','value':'vlan'}]");
      fields(list, "1", "[{'type':'field','value':['vlan','nothing']}]");
      fields(list, "1", "[{'type':'hexstr','value':'0x10','bitwidth':4}]");
      fields(list, "1", "[]},{'name':'again','id':1,'elements':[]");
    }
    primitive("{'op':'execute_meter','parameters':[]}");
    primitive("{'op':'drop','parameters':[{'type':'hexstr','value':'0x1'}]}");
    primitive("{'op':'add_header','parameters':[{'type':'header','value':'standard_metadata'}]}");
    primitive(
        "{'op':'assign_header','parameters':[{'type':'header','value':'vlan'},{'type':'header','value':'ipv4'}]}");
    primitive(
        "{'op':'count','parameters':[{'type':'counter_array','value':'none'},{'type':'hexstr','value':'0x1'}]}");
    assign("{'type':'stack_field','value':['s','f']}");
    assign("{'type':'runtime_data','value':0}");
    assign(
        "{'type':'expression','value':{'op':'size_stack','left':null,'right':{'type':'hexstr','value':'0x1'}}}");
    assign(
        "{'type':'expression','value':{'op':'valid_union','left':null,'right':{'type':'header','value':'vlan'}}}");
    assign(
        "{'type':'expression','value':{'op':'access_union_header','left':{'type':'hexstr','value':'0x1'},'right':0}}");
    assign(
        "{'type':'expression','value':{'op':'dereference_union_stack','left':{'type':'header_stack','value':'s'},'right':{'type':'hexstr','value':'0x1'}}}");
    assign("{'type':'register','value':['In.nothing',{'type':'hexstr','value':'0x1'}]}");
    assign("{'type':'register','value':['In.cells8']}");
    for (String format : List.of("{} and", "no brace", "open {")) {
      primitive(
          "{'op':'log_msg','parameters':[{'type':'string','value':'"
              + format
              + "'},{'type':'parameters_vector','value':["
              + "{'type':'hexstr','value':'0x1'},{'type':'hexstr','value':'0x2'}]}]}");
    }
    primitive("{'op':'assert','parameters':[{'type':'header','value':'vlan'}]}");
    primitive(
        "{'op':'push','parameters':[{'type':'header_union_stack','value':'us'},{'type':'hexstr','value':'0x1'}]}");
    assign(
        "{'type':'expression','value':{'op':'+','left':{'type':'bool','value':true},'right':{'type':'hexstr','value':'0x1'}}}");
    assertThat(String.join("\n", messages) + "\n")
        .isEqualTo(
            new String(TestProgram.resource("program-errors.golden.txt"), StandardCharsets.UTF_8));
  }

  /** Members of constructs that a later compiler knows and the program does not use. */
  @Test
  void unknownMembersArePassedOverOnlyIfTheyAreEmpty() throws IOException {
    byte[] known = TestProgram.resource("constructs.json");
    ObjectNode program = (ObjectNode) new ObjectMapper().readTree(known);
    ArrayNode weather = program.putArray("weather");
    program.putObject("climate");
    program.putNull("season");
    assertThat(load(program)).usingRecursiveComparison().isEqualTo(ProgramLoader.load(known));
    weather.add("rain");
    assertThatThrownBy(() -> load(program))
        .isInstanceOf(UnsupportedProgramException.class)
        .hasMessageContaining("member 'weather'");
  }

  private static Program load(ObjectNode program) {
    return ProgramLoader.load(program.toString().getBytes(StandardCharsets.UTF_8));
  }
}
