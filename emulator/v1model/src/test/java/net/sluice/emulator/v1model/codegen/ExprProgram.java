package net.sluice.emulator.v1model.codegen;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import net.sluice.emulator.v1model.LoadedProgram;

/**
 * A program that extracts a header {@code in} and emits one whose fields are the values of
 * expressions over it.
 */
final class ExprProgram {

  private ExprProgram() {}

  static LoadedProgram load(
      List<RandomExpr.Input> inputs,
      List<RandomExpr.Input> outputs,
      List<RandomExpr.Number> numbers) {
    return LoadedProgram.load(json(inputs, outputs, numbers).getBytes(StandardCharsets.UTF_8), 0);
  }

  /** Bits that make the fields whole bytes. */
  static int padding(List<RandomExpr.Input> fields) {
    int bits = fields.stream().mapToInt(RandomExpr.Input::widthBits).sum();
    return (8 - bits % 8) % 8;
  }

  private static String headerType(String name, List<RandomExpr.Input> fields) {
    String list =
        fields.stream()
            .map(f -> "[\"" + f.name() + "\"," + f.widthBits() + "," + f.signed() + "]")
            .collect(Collectors.joining(","));
    int padding = padding(fields);
    return "{\"name\":\"%s\",\"id\":0,\"fields\":[%s%s]}"
        .formatted(name, list, padding > 0 ? ",[\"pad\"," + padding + ",false]" : "");
  }

  private static String json(
      List<RandomExpr.Input> inputs,
      List<RandomExpr.Input> outputs,
      List<RandomExpr.Number> numbers) {
    StringBuilder assigns = new StringBuilder();
    for (int i = 0; i < outputs.size(); i++) {
      assigns
          .append(",{\"op\":\"assign\",\"parameters\":[{\"type\":\"field\",\"value\":[\"out\",\"o")
          .append(i)
          .append("\"]},")
          .append(numbers.get(i).json())
          .append("]}");
    }
    String standard =
        "{\"name\":\"std_t\",\"id\":9,\"fields\":[[\"ingress_port\",9,false],[\"egress_spec\",9,false],"
            + "[\"egress_port\",9,false],[\"instance_type\",32,false],[\"packet_length\",32,false]]}";
    return "{\"header_types\":["
        + standard
        + ","
        + headerType("in_t", inputs)
        + ","
        + headerType("out_t", outputs)
        + "],\"headers\":[{\"name\":\"standard_metadata\",\"id\":0,\"header_type\":\"std_t\",\"metadata\":true},"
        + "{\"name\":\"in\",\"id\":1,\"header_type\":\"in_t\",\"metadata\":false},"
        + "{\"name\":\"out\",\"id\":2,\"header_type\":\"out_t\",\"metadata\":false}],"
        + "\"parsers\":[{\"name\":\"parser\",\"id\":0,\"init_state\":\"start\",\"parse_states\":[{\"name\":\"start\",\"id\":0,"
        + "\"parser_ops\":[{\"op\":\"extract\",\"parameters\":[{\"type\":\"regular\",\"value\":\"in\"}]}],"
        + "\"transitions\":[],\"transition_key\":[]}]}],"
        + "\"deparsers\":[{\"name\":\"deparser\",\"id\":0,\"order\":[\"out\",\"in\"]}],"
        + "\"actions\":[{\"name\":\"act\",\"id\":0,\"runtime_data\":[],\"primitives\":["
        + "{\"op\":\"add_header\",\"parameters\":[{\"type\":\"header\",\"value\":\"out\"}]}"
        + assigns
        + "]}],\"pipelines\":[{\"name\":\"ingress\",\"init_table\":\"t\",\"tables\":[{\"name\":\"t\",\"id\":0,\"key\":[],"
        + "\"match_type\":\"exact\",\"type\":\"simple\",\"max_size\":1,\"action_ids\":[0],\"actions\":[\"act\"],"
        + "\"next_tables\":{\"act\":null},\"default_entry\":{\"action_id\":0,\"action_const\":true,\"action_data\":[]}}],"
        + "\"action_profiles\":[],\"conditionals\":[]},"
        + "{\"name\":\"egress\",\"init_table\":null,\"tables\":[],\"action_profiles\":[],\"conditionals\":[]}]}";
  }
}
