package net.sluice.emulator.server.p4runtime.variant;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.config.v1.P4InfoOuterClass.Action;
import p4.config.v1.P4InfoOuterClass.ActionRef;
import p4.config.v1.P4InfoOuterClass.Counter;
import p4.config.v1.P4InfoOuterClass.MatchField;
import p4.config.v1.P4InfoOuterClass.Meter;
import p4.config.v1.P4InfoOuterClass.MeterSpec;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Register;
import p4.config.v1.P4InfoOuterClass.Table;
import p4.config.v1.P4Types.P4BitstringLikeTypeSpec;

/**
 * A program in BMv2 JSON that has the tables, counters, meters and registers of a P4Info and does
 * nothing: what a server needs that keeps entries for a program it cannot run.
 */
final class StubProgram {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String METADATA = "standard_metadata";
  private static final String KEYS = "keys";
  private static final List<String> FIELDS = List.of("ingress_port", "egress_spec", "egress_port");
  private static final List<String> WIDE_FIELDS = List.of("instance_type", "packet_length");

  /** A block of the chip's SRAM has so many rows, and no smaller table has less. */
  private static final int ROWS = 1024;

  private static final int PORT_BITS = 9;
  private static final int WIDE_BITS = 32;

  private final P4Info info;
  private final double exactLoad;
  private final ObjectNode root = MAPPER.createObjectNode();
  private final Map<Integer, Integer> actionPlaces = new HashMap<>();

  private StubProgram(P4Info info, double exactLoad) {
    this.info = info;
    this.exactLoad = exactLoad;
  }

  /**
   * The program.
   *
   * @param exactLoad what part of its size an exact table of more than 1,024 entries takes, above 0
   *     to 1
   * @throws RpcException INVALID_ARGUMENT if P4Info has a match that the double does not model
   */
  static byte[] program(P4Info info, double exactLoad) throws RpcException {
    return new StubProgram(info, exactLoad).write();
  }

  private byte[] write() throws RpcException {
    ArrayNode types = root.putArray("header_types");
    ArrayNode headers = root.putArray("headers");
    ArrayNode standard = header(types, headers, METADATA);
    FIELDS.forEach(field -> field(standard, field, PORT_BITS));
    WIDE_FIELDS.forEach(field -> field(standard, field, WIDE_BITS));
    ArrayNode keys = header(types, headers, KEYS);
    ObjectNode parser = root.putArray("parsers").addObject().put("name", "parser");
    parser.put("id", 0).put("init_state", "start");
    ObjectNode start =
        parser.putArray("parse_states").addObject().put("name", "start").put("id", 0);
    start.putArray("parser_ops");
    start.putArray("transition_key");
    ObjectNode accept = start.putArray("transitions").addObject().put("type", "default");
    accept.putNull("value").putNull("mask").putNull("next_state");
    ObjectNode deparser = root.putArray("deparsers").addObject().put("name", "deparser");
    deparser.put("id", 0).putArray("order");
    arrays();
    actions();
    ArrayNode pipelines = root.putArray("pipelines");
    ObjectNode ingress = pipeline(pipelines, "ingress");
    ArrayNode tables = ingress.putArray("tables");
    ingress.put("init_table", name(0));
    for (int i = 0; i < info.getTablesCount(); i++) {
      table(tables.addObject(), i, keys);
    }
    ObjectNode egress = pipeline(pipelines, "egress");
    egress.putNull("init_table").putArray("tables");
    try {
      return MAPPER.writeValueAsBytes(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ArrayNode header(ArrayNode types, ArrayNode headers, String name) {
    ObjectNode type = types.addObject().put("name", name).put("id", types.size());
    headers.addObject().put("name", name).put("header_type", name).put("metadata", true);
    return type.putArray("fields");
  }

  private static void field(ArrayNode fields, String name, int bits) {
    fields.addArray().add(name).add(bits).add(false);
  }

  private static ObjectNode pipeline(ArrayNode pipelines, String name) {
    ObjectNode pipeline = pipelines.addObject().put("name", name).put("id", pipelines.size());
    pipeline.putArray("conditionals");
    return pipeline;
  }

  private void arrays() {
    ArrayNode counters = root.putArray("counter_arrays");
    for (Counter counter : info.getCountersList()) {
      counters
          .addObject()
          .put("name", counter.getPreamble().getName())
          .put("size", counter.getSize());
    }
    ArrayNode meters = root.putArray("meter_arrays");
    for (Meter meter : info.getMetersList()) {
      meters
          .addObject()
          .put("name", meter.getPreamble().getName())
          .put("size", meter.getSize())
          .put("rate_count", 2)
          .put("type", meter.getSpec().getUnit() == MeterSpec.Unit.BYTES ? "bytes" : "packets");
    }
    ArrayNode registers = root.putArray("register_arrays");
    for (Register register : info.getRegistersList()) {
      registers
          .addObject()
          .put("name", register.getPreamble().getName())
          .put("size", register.getSize())
          .put("bitwidth", bits(register.getTypeSpec().getBitstring()));
    }
  }

  /** A signed number takes as many bits as an unsigned one. */
  private static int bits(P4BitstringLikeTypeSpec type) {
    return type.hasInt() ? type.getInt().getBitwidth() : type.getBit().getBitwidth();
  }

  private void actions() {
    ArrayNode actions = root.putArray("actions");
    for (Action action : info.getActionsList()) {
      actionPlaces.put(action.getPreamble().getId(), actions.size());
      ObjectNode written = actions.addObject().put("name", action.getPreamble().getName());
      written.put("id", actions.size() - 1);
      ArrayNode params = written.putArray("runtime_data");
      action
          .getParamsList()
          .forEach(
              param ->
                  params
                      .addObject()
                      .put("name", param.getName())
                      .put("bitwidth", param.getBitwidth()));
      written.putArray("primitives");
    }
    actions.addObject().put("name", KEYS).put("id", actions.size() - 1);
    ObjectNode none = (ObjectNode) actions.get(actions.size() - 1);
    none.putArray("runtime_data");
    none.putArray("primitives");
  }

  private String name(int table) {
    return table < info.getTablesCount() ? info.getTables(table).getPreamble().getName() : null;
  }

  private void table(ObjectNode written, int at, ArrayNode fields) throws RpcException {
    Table table = info.getTables(at);
    MatchField.MatchType kind = MatchField.MatchType.EXACT;
    ArrayNode key = written.putArray("key");
    for (MatchField field : table.getMatchFieldsList()) {
      kind = stronger(kind, field, table);
      String target = table.getPreamble().getName() + "." + field.getName();
      field(fields, target, field.getBitwidth());
      ObjectNode part = key.addObject().put("match_type", text(field.getMatchType()));
      part.put("name", field.getName()).putNull("mask");
      part.putArray("target").add(KEYS).add(target);
    }
    boolean exact = kind == MatchField.MatchType.EXACT;
    written.put("name", name(at)).put("id", at).put("match_type", text(kind));
    written.put("type", "simple").put("support_timeout", false).putNull("direct_meters");
    written.put("max_size", exact ? exactSize(table.getSize()) : (int) table.getSize());
    written.put("with_counters", table.getDirectResourceIdsCount() > 0);
    ArrayNode ids = written.putArray("action_ids");
    ArrayNode names = written.putArray("actions");
    ObjectNode next = written.putObject("next_tables");
    for (ActionRef ref : table.getActionRefsList()) {
      int place = actionPlaces.get(ref.getId());
      String action = info.getActions(place).getPreamble().getName();
      ids.add(place);
      names.add(action);
      next.put(action, name(at + 1));
    }
    written.put("base_default_next", name(at + 1));
    defaultEntry(table, ids, names, next, written.putObject("default_entry"), at);
  }

  private int exactSize(long size) {
    return (int) Math.min(size, Math.max(ROWS, (long) (size * exactLoad)));
  }

  /** Where P4Info does not tell what the table does by default, that is nothing. */
  private void defaultEntry(
      Table table, ArrayNode ids, ArrayNode names, ObjectNode next, ObjectNode entry, int at) {
    int none = info.getActionsCount();
    Integer place = actionPlaces.get(table.getConstDefaultActionId());
    if (place == null || info.getActions(place).getParamsCount() > 0) {
      ids.add(none);
      names.add(KEYS);
      next.put(KEYS, name(at + 1));
      place = none;
    }
    entry.put("action_id", place).put("action_const", table.getConstDefaultActionId() != 0);
    entry.put("action_entry_const", false).putArray("action_data");
  }

  /** BMv2's kind of a table: that of its least exact field. */
  private static MatchField.MatchType stronger(
      MatchField.MatchType kind, MatchField field, Table table) throws RpcException {
    List<MatchField.MatchType> order =
        List.of(
            MatchField.MatchType.EXACT,
            MatchField.MatchType.LPM,
            MatchField.MatchType.TERNARY,
            MatchField.MatchType.RANGE);
    if (!order.contains(field.getMatchType())) {
      throw RpcException.invalid(
          "table '%s': match field '%s' is %s; EXACT, LPM, TERNARY and RANGE are supported",
          table.getPreamble().getName(), field.getName(), field.getMatchType());
    }
    return order.indexOf(field.getMatchType()) > order.indexOf(kind) ? field.getMatchType() : kind;
  }

  private static String text(MatchField.MatchType kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
