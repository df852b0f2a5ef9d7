package net.sluice.emulator.v1model.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import net.sluice.emulator.v1model.program.Calculation;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.HeaderStack;
import net.sluice.emulator.v1model.program.HeaderUnion;
import net.sluice.emulator.v1model.program.InvalidProgramException;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.program.ProgramException;
import net.sluice.emulator.v1model.program.UnsupportedProgramException;

/**
 * Reads the JSON that p4c's BMv2 back end writes for v1model (format 2, as the behavioral-model
 * repository documents it) into a {@link Program}. A construct that the switch does not execute
 * ends loading with an {@link UnsupportedProgramException}, a malformed file with an {@link
 * InvalidProgramException}; both name the position.
 */
public final class ProgramLoader {

  private static final int MAJOR_VERSION = 2;
  private static final int NEWEST_MINOR_VERSION = 24;

  /** The limit for variable-length headers without a {@code max_length}: the longest packet. */
  private static final int LONGEST_BYTES = 65_535;

  private static final Set<String> KNOWN =
      Set.of(
          "program",
          "__meta__",
          "header_types",
          "headers",
          "header_stacks",
          "header_union_types",
          "header_unions",
          "header_union_stacks",
          "field_lists",
          "errors",
          "enums",
          "parsers",
          "parse_vsets",
          "deparsers",
          "meter_arrays",
          "counter_arrays",
          "register_arrays",
          "calculations",
          "learn_lists",
          "actions",
          "pipelines",
          "checksums",
          "force_arith",
          "extern_instances",
          "field_aliases",
          "config_options",
          "source_info");

  /** Lists that must be empty, with the name of an element for the error message. */
  private static final Map<String, String> UNSUPPORTED = Map.of("extern_instances", "extern");

  private final SymbolTable names = new SymbolTable();
  private final LocatedJson root;

  private ProgramLoader(LocatedJson root) {
    this.root = root;
  }

  /**
   * Loads a program.
   *
   * @param json the file's bytes
   * @throws ProgramException if it is malformed or uses something unsupported
   */
  public static Program load(byte[] json) {
    try {
      JsonNode root = new ObjectMapper().readTree(json);
      LegacyJson.bringUpToDate(root);
      return new ProgramLoader(new LocatedJson(root, "")).load();
    } catch (JsonProcessingException e) {
      throw new InvalidProgramException("the file", "not JSON: " + JsonErrors.text(e));
    } catch (IOException e) {
      throw new InvalidProgramException("the file", "unreadable: " + e.getMessage());
    }
  }

  private Program load() {
    root.onlyMembers(KNOWN);
    checkVersion();
    for (String list : new TreeSet<>(UNSUPPORTED.keySet())) {
      for (LocatedJson node : root.optionalList(list)) {
        throw node.unsupported(UNSUPPORTED.get(list));
      }
    }
    loadHeaders();
    loadStacks();
    loadUnions();
    Map<String, Header.Ref> aliases = aliases();
    names.aliases.putAll(aliases);
    checkStandardMetadata(aliases);
    loadCounters();
    loadRegisters();
    loadMeters();
    ExprLoader exprs = new ExprLoader(names);
    CalculationLoader.loadAll(names, root.optionalList("calculations"));
    ReplicationLoader copies = new ReplicationLoader(names);
    copies.loadLists(root.optionalList("field_lists"), root.optionalList("learn_lists"));
    ActionLoader actionLoader = new ActionLoader(names, exprs, copies);
    List<Program.Action> actions = actionLoader.loadAll(root.list("actions"));
    LocatedJson parser = only("parsers", "parser");
    ParserLoader parserLoader = new ParserLoader(names, exprs, actionLoader);
    parserLoader.valueSets(root.optionalList("parse_vsets"));
    List<Program.ParserState> states = parserLoader.load(parser);
    Program.Control ingress = control("ingress", exprs);
    Program.Control egress = control("egress", exprs);
    List<Calculation.Checksum> checksums = checksums(exprs);
    return new Program(
        List.copyOf(names.headers.values()),
        stacks(),
        List.copyOf(names.unions.values()),
        errors(),
        Map.copyOf(aliases),
        states,
        List.copyOf(names.valueSets.values()),
        deparserCalls(actionLoader),
        deparser(),
        List.copyOf(names.counters.values()),
        List.copyOf(names.meters.values()),
        List.copyOf(names.registers.values()),
        List.copyOf(names.calculations.values()),
        checksums,
        actions,
        List.copyOf(names.actionProfiles.values()),
        ingress,
        egress,
        copies.finish(names.known("intrinsic_metadata.mcast_grp")));
  }

  private void checkVersion() {
    if (!root.has("__meta__") || !root.get("__meta__").has("version")) {
      return;
    }
    List<LocatedJson> version = root.get("__meta__").list("version");
    if (version.size() != 2) {
      throw root.get("__meta__").invalid("version must be two numbers");
    }
    int major = version.get(0).integer();
    int minor = version.get(1).integer();
    if (major != MAJOR_VERSION || minor > NEWEST_MINOR_VERSION) {
      throw root.get("__meta__").unsupported("format version " + major + "." + minor);
    }
  }

  private void loadHeaders() {
    Map<String, List<Header.Field>> types = new HashMap<>();
    Map<String, Integer> maxBytes = new HashMap<>();
    Map<String, LocatedJson> lengths = new HashMap<>();
    for (LocatedJson type : root.list("header_types")) {
      List<Header.Field> fields = new ArrayList<>();
      int offset = 0;
      for (LocatedJson field : type.list("fields")) {
        List<LocatedJson> parts = field.list();
        if (parts.size() < 2) {
          throw field.invalid("expected a name and a width");
        }
        if (parts.get(1).isText()) {
          if (maxBytes.containsKey(type.text("name"))) {
            throw field.invalid("a header can have one field of variable length");
          }
          fields.add(new Header.Field(parts.get(0).text(), fields.size(), 0, false, false, offset));
          boolean limited = type.has("max_length") && type.integer("max_length") != 0;
          maxBytes.put(type.text("name"), limited ? type.integer("max_length") : LONGEST_BYTES);
          if (type.has("length_exp")) {
            lengths.put(type.text("name"), type.get("length_exp"));
          }
          continue;
        }
        int width = parts.get(1).integer();
        if (width < 1) {
          throw field.invalid("width " + width + " must be at least 1");
        }
        boolean signed = parts.size() > 2 && parts.get(2).flag();
        boolean saturating = parts.size() > 3 && parts.get(3).flag();
        fields.add(
            new Header.Field(
                parts.get(0).text(), fields.size(), width, signed, saturating, offset));
        offset += width;
      }
      SymbolTable.add(types, type.text("name"), List.copyOf(fields), type, "header type");
    }
    for (LocatedJson node : root.list("headers")) {
      List<Header.Field> fields = SymbolTable.find(types, node.get("header_type"), "header type");
      Header header =
          new Header(node.text("name"), names.headers.size(), node.flag("metadata"), fields);
      if (!header.metadata() && header.widthBits() % 8 != 0) {
        throw node.invalid(
            "a header on the wire must be whole bytes, not " + header.widthBits() + " bits");
      }
      SymbolTable.add(names.headers, header.name(), header, node, "header");
      if (header.isVariable()) {
        names.maxBytes.put(header, maxBytes.get(node.text("header_type")));
        if (lengths.containsKey(node.text("header_type"))) {
          names.lengths.put(header, lengths.get(node.text("header_type")));
        }
      }
    }
  }

  private void loadStacks() {
    for (LocatedJson node : root.optionalList("header_stacks")) {
      Map<Integer, Header> byId = headersById();
      List<Header> elements = new ArrayList<>();
      for (LocatedJson id : node.list("header_ids")) {
        Header element = byId.get(id.integer());
        if (element == null || element.metadata()) {
          throw id.invalid("there is no header with id " + id.integer());
        }
        elements.add(element);
        ExprLoader.sameShape(elements.get(0), element, node);
      }
      if (elements.isEmpty() || elements.size() != node.integer("size")) {
        throw node.invalid(
            "size " + node.integer("size") + " but " + elements.size() + " header_ids");
      }
      String name = node.text("name");
      SymbolTable.add(
          names.stacks,
          name,
          new HeaderStack(name, names.stacks.size(), List.copyOf(elements)),
          node,
          "header stack");
    }
  }

  private void loadUnions() {
    Map<Integer, HeaderUnion> byId = new HashMap<>();
    Map<Integer, Header> headers = headersById();
    for (LocatedJson node : root.optionalList("header_unions")) {
      List<Header> members = new ArrayList<>();
      for (LocatedJson id : node.list("header_ids")) {
        Header member = headers.get(id.integer());
        if (member == null || member.metadata()) {
          throw id.invalid("there is no header with id " + id.integer());
        }
        members.add(member);
      }
      HeaderUnion union = new HeaderUnion(node.text("name"), List.copyOf(members));
      SymbolTable.add(names.unions, union.name(), union, node, "header union");
      byId.put(node.integer("id"), union);
    }
    Map<String, List<LocatedJson>> types = new HashMap<>();
    for (LocatedJson type : root.optionalList("header_union_types")) {
      SymbolTable.add(types, type.text("name"), type.list("headers"), type, "header union type");
    }
    for (LocatedJson node : root.optionalList("header_union_stacks")) {
      List<HeaderUnion> elements = new ArrayList<>();
      for (LocatedJson id : node.list("header_union_ids")) {
        HeaderUnion element = byId.get(id.integer());
        if (element == null) {
          throw id.invalid("there is no header union with id " + id.integer());
        }
        elements.add(element);
      }
      if (elements.isEmpty()) {
        throw node.invalid("a stack needs at least one element");
      }
      List<String> members = new ArrayList<>();
      for (LocatedJson pair :
          SymbolTable.find(types, node.get("union_type"), "header union type")) {
        members.add(pair.list().get(0).text());
      }
      for (HeaderUnion element : elements) {
        if (element.headers().size() != members.size()) {
          throw node.invalid("union '" + element.name() + "' does not have the members " + members);
        }
      }
      names.unionStackMembers.put(node.text("name"), List.copyOf(members));
      SymbolTable.add(
          names.unionStacks, node.text("name"), List.copyOf(elements), node, "header union stack");
    }
  }

  private Map<Integer, Header> headersById() {
    Map<Integer, Header> byId = new HashMap<>();
    for (LocatedJson header : root.list("headers")) {
      if (header.has("id")) {
        byId.put(header.integer("id"), names.header(header.get("name")));
      }
    }
    return byId;
  }

  /** Stacks of headers, then those of unions, which are used for index and name only. */
  private List<HeaderStack> stacks() {
    List<HeaderStack> stacks = new ArrayList<>(names.stacks.values());
    names.unionStacks.forEach(
        (name, unions) -> stacks.add(new HeaderStack(name, stacks.size(), List.of())));
    return List.copyOf(stacks);
  }

  private Map<String, Header.Ref> aliases() {
    Map<String, Header.Ref> aliases = new HashMap<>();
    for (LocatedJson pair : root.optionalList("field_aliases")) {
      List<LocatedJson> parts = pair.list();
      if (parts.size() != 2) {
        throw pair.invalid("expected a name and a field");
      }
      aliases.put(parts.get(0).text(), names.field(parts.get(1)));
    }
    return aliases;
  }

  private void checkStandardMetadata(Map<String, Header.Ref> aliases) {
    for (String field :
        List.of("ingress_port", "packet_length", "instance_type", "egress_spec", "egress_port")) {
      Header header = names.headers.get("standard_metadata");
      if (!aliases.containsKey("standard_metadata." + field)
          && (header == null || header.find(field) == null)) {
        throw new InvalidProgramException(
            "headers", "'standard_metadata." + field + "' is missing; is this v1model?");
      }
    }
  }

  private void loadCounters() {
    for (LocatedJson node : root.optionalList("counter_arrays")) {
      // A direct counter is part of its table.
      if (!node.flagOr("is_direct", false)) {
        int size = node.integer("size");
        if (size < 1) {
          throw node.invalid("size " + size + " must be at least 1");
        }
        String name = node.text("name");
        SymbolTable.add(
            names.counters,
            name,
            new Primitive.CounterDef(name, names.counters.size(), size),
            node,
            "counter array");
      }
    }
  }

  private void loadRegisters() {
    for (LocatedJson node : root.optionalList("register_arrays")) {
      int size = node.integer("size");
      int width = node.integer("bitwidth");
      if (size < 1 || width < 1) {
        throw node.invalid("size " + size + " and bitwidth " + width + " must be at least 1");
      }
      String name = node.text("name");
      SymbolTable.add(
          names.registers,
          name,
          new Primitive.RegisterDef(name, names.registers.size(), size, width),
          node,
          "register array");
    }
  }

  private void loadMeters() {
    for (LocatedJson node : root.optionalList("meter_arrays")) {
      String name = node.text("name");
      int rates = node.integer("rate_count");
      if (rates < 0) {
        throw node.invalid("rate_count " + rates + " must be at least 0");
      }
      String type = node.text("type");
      if (!type.equals("bytes") && !type.equals("packets")) {
        throw node.unsupported("meter of type '" + type + "'");
      }
      boolean bytes = type.equals("bytes");
      if (node.flagOr("is_direct", false)) {
        Program.DirectMeter meter =
            new Program.DirectMeter(name, bytes, rates, names.anyField(node.get("result_target")));
        names.written.add(meter.target());
        SymbolTable.add(names.directMeters, name, meter, node, "direct meter");
      } else {
        int size = node.integer("size");
        if (size < 1) {
          throw node.invalid("size " + size + " must be at least 1");
        }
        Primitive.MeterDef meter =
            new Primitive.MeterDef(name, names.meters.size(), size, bytes, rates);
        SymbolTable.add(names.meters, name, meter, node, "meter array");
      }
    }
  }

  private List<Calculation.Checksum> checksums(ExprLoader exprs) {
    List<Calculation.Checksum> checksums = new ArrayList<>();
    for (LocatedJson node : root.optionalList("checksums")) {
      Header.Ref target = names.anyField(node.get("target"));
      Expr condition = node.has("if_cond") ? exprs.condition(node.get("if_cond"), List.of()) : null;
      Calculation calculation;
      switch (node.text("type")) {
        case "generic" ->
            calculation =
                SymbolTable.find(names.calculations, node.get("calculation"), "calculation");
        case "ipv4" -> {
          calculation = CalculationLoader.addIpv4(names, target, node);
          Expr valid = new Expr.Valid(target.header());
          condition = condition == null ? valid : new Expr.Operation(Expr.Op.AND, valid, condition);
        }
        default -> throw node.unsupported("checksum of type '" + node.text("type") + "'");
      }
      checksums.add(
          new Calculation.Checksum(
              node.text("name"),
              target,
              calculation,
              condition,
              node.flagOr("verify", true),
              node.flagOr("update", true)));
    }
    return List.copyOf(checksums);
  }

  private Map<String, Integer> errors() {
    Map<String, Integer> errors = new LinkedHashMap<>();
    for (LocatedJson pair : root.optionalList("errors")) {
      List<LocatedJson> parts = pair.list();
      if (parts.size() != 2) {
        throw pair.invalid("expected a name and a number");
      }
      errors.put(parts.get(0).text(), parts.get(1).integer());
    }
    return Map.copyOf(errors);
  }

  private List<Header> deparser() {
    LocatedJson node = only("deparsers", "deparser");
    List<Header> order = new ArrayList<>();
    for (LocatedJson name : node.list("order")) {
      order.add(names.header(name));
    }
    return List.copyOf(order);
  }

  /** The primitives that the deparser runs before it emits headers. */
  private List<Primitive> deparserCalls(ActionLoader actions) {
    List<Primitive> calls = new ArrayList<>();
    for (LocatedJson node : only("deparsers", "deparser").optionalList("primitives")) {
      calls.add(Jumps.alone(actions.primitive(node, List.of())));
    }
    return List.copyOf(calls);
  }

  private LocatedJson only(String list, String name) {
    List<LocatedJson> nodes = root.list(list);
    if (nodes.size() != 1 || !nodes.get(0).text("name").equals(name)) {
      throw root.get(list).invalid("expected exactly one, named '" + name + "'");
    }
    return nodes.get(0);
  }

  private Program.Control control(String name, ExprLoader exprs) {
    LocatedJson found = null;
    for (LocatedJson node : root.list("pipelines")) {
      if (node.text("name").equals(name)) {
        found = node;
      } else if (!Set.of("ingress", "egress").contains(node.text("name"))) {
        throw node.unsupported("pipeline '" + node.text("name") + "'");
      }
    }
    if (found == null) {
      throw root.get("pipelines").invalid("there is no pipeline '" + name + "'");
    }
    return new ControlLoader(names, exprs).load(found);
  }
}
