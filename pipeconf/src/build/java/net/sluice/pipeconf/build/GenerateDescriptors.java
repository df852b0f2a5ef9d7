package net.sluice.pipeconf.build;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes the descriptors of the P4 programs from their P4Info; run by the build before anything is
 * compiled, so it is one file that needs nothing but the JDK.
 *
 * <p>Arguments: the directory of the P4 sources, the package of the descriptors, the directory of
 * generated sources, that of generated resources, and each program as {@code PROGRAM=PREFIX}: its
 * directory below {@code p4c-out}, which begins with the architecture (a subdirectory of the
 * sources), and what its classes' names begin with. Before it writes anything it checks that the
 * compiled artefacts belong to the sources beside them: {@code p4c-out/ARCH/SOURCES.sha256} must
 * hold what {@code p4/compile.sh --stamp ARCH} prints. Exit code 0, or 1 with one line on standard
 * error that says what to do.
 *
 * <p>Into the package go a record per table ({@code PortRoleTable}) and per action ({@code
 * SetRoleAction}) whose components are their match fields, actions and parameters, {@code
 * SluiceProgram} with all tables and counters, and {@code SerializableEnums}. These hold no ids,
 * widths or sizes: programs share them as far as they have the same shape, and what a later program
 * has otherwise bears its prefix ({@code TnaPortRoleTable}). Tables and counters of the same
 * control instantiated several times, {@code name1.X} to {@code nameN.X} or {@code name1} to {@code
 * nameN}, are one component, a list. Class {@code PREFIXProgram} holds the numbers. Constant tables
 * and default-only actions have no descriptor, because no controller writes them.
 *
 * <p>Enumerations come from P4Info where it has them; those that no table or action uses are not in
 * P4Info and are read from the sources.
 *
 * <p>Into the resources goes the P4Info of each program without what readers of P4Runtime 1.3
 * cannot read.
 */
public final class GenerateDescriptors {
  private static final Pattern ENUM =
      Pattern.compile("\\benum\\s+bit<(\\d+)>\\s+(\\w+)\\s*\\{([^}]*)\\}");

  /**
   * What P4Info got after P4Runtime 1.3, and externs, whose messages only those can read who have
   * the vendor's; switches find the same in the program itself.
   */
  private static final Set<String> LEFT_OUT =
      Set.of("initial_default_action", "has_initial_entries", "externs");

  private static final Pattern MEMBER = Pattern.compile("(\\w+)\\s*=\\s*(\\d+)\\s*");

  private static final Map<String, String> MATCH_KINDS =
      Map.of("EXACT", "Exact", "LPM", "Lpm", "RANGE", "Range", "TERNARY", "Ternary");

  /** What makes another of the same control: its number, behind its name. */
  private static final Pattern NUMBERED = Pattern.compile("(\\w*?[A-Za-z_])(\\d+)(\\.\\w+)?");

  private final String packageName;
  private final Map<String, String> sources = new LinkedHashMap<>();
  private final Map<String, Map<String, Integer>> enums = new TreeMap<>();

  /** Of the program that is being added. */
  private String prefix;

  /** Ids of its meters of tables, which are written with the entries and have no descriptor. */
  private final Set<Long> directMeters = new TreeSet<>();

  private GenerateDescriptors(String packageName) {
    this.packageName = packageName;
  }

  /** Fails the build with one line. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super(message);
    }
  }

  /** See the class. */
  public static void main(String[] args) throws IOException {
    if (args.length < 5) {
      System.err.println(
          "usage: P4_DIRECTORY PACKAGE SOURCE_DIRECTORY RESOURCE_DIRECTORY PROGRAM=PREFIX...");
      System.exit(2);
    }
    try {
      run(
          Path.of(args[0]),
          args[1],
          Path.of(args[2]),
          Path.of(args[3]),
          List.of(args).subList(4, args.length));
    } catch (Refused e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private static void run(
      Path p4, String packageName, Path sources, Path resources, List<String> programs)
      throws IOException {
    GenerateDescriptors generator = new GenerateDescriptors(packageName);
    Map<Path, String> files = new LinkedHashMap<>();
    for (String each : programs) {
      String program = each.substring(0, each.indexOf('='));
      String architecture = program.replaceAll("/.*", "");
      String stamp = checkStamp(p4, architecture);
      String name = program + "/sluice.p4info.txtpb";
      TextProto parser = new TextProto(name, Files.readString(p4.resolve("p4c-out").resolve(name)));
      Message p4Info = parser.parse();
      generator.add(each.substring(each.indexOf('=') + 1), stamp, p4Info);
      generator.addEnums(name, enums(p4Info, sources(p4, architecture)));
      files.put(resources.resolve(name), parser.textWithoutLeftOut());
    }
    generator.writeEnums();
    Path directory = sources.resolve(packageName.replace('.', '/'));
    generator.sources.forEach((name, text) -> files.put(directory.resolve(name + ".java"), text));
    for (Map.Entry<Path, String> file : files.entrySet()) {
      write(file.getKey(), file.getValue());
    }
  }

  /** Leaves the file alone when nothing changed, so that what depends on it is not built again. */
  private static void write(Path file, String text) throws IOException {
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
  }

  // ---- the stamp

  private static String checkStamp(Path p4, String architecture) throws IOException {
    String remedy =
        architecture.equals("v1model")
            ? "run ./sluice p4 (needs p4c-bm2-ss on PATH) and build again"
            : "run ./sluice p4 --" + architecture + " (needs p4c on PATH) and build again";
    Path stampFile = p4.resolve("p4c-out").resolve(architecture).resolve("SOURCES.sha256");
    if (!Files.exists(stampFile)) {
      throw new Refused(
          "p4/p4c-out/"
              + architecture
              + "/SOURCES.sha256 is missing: the P4 program is not"
              + " compiled; "
              + remedy);
    }
    String stamped = Files.readString(stampFile).strip();
    String actual = sourcesSha256(sources(p4, architecture));
    if (!stamped.equals(actual)) {
      throw new Refused(
          "p4/p4c-out/"
              + architecture
              + " was compiled from other P4 sources (SOURCES.sha256 is "
              + stamped
              + ", the sources are "
              + actual
              + "); "
              + remedy);
    }
    return actual;
  }

  /** The sources of the program: relative name with slashes to path, in the order of the names. */
  private static Map<String, Path> sources(Path p4, String architecture) throws IOException {
    Map<String, Path> found = new TreeMap<>();
    for (String directory : List.of("shared", architecture)) {
      Path root = p4.resolve(directory);
      if (!Files.isDirectory(root)) {
        continue;
      }
      try (Stream<Path> files = Files.walk(root)) {
        files
            .filter(Files::isRegularFile)
            .forEach(file -> found.put(p4.relativize(file).toString().replace('\\', '/'), file));
      }
    }
    found.keySet().removeIf(name -> !name.endsWith(".p4") && !name.endsWith(".inc"));
    // A model is made of what it models, not the other way round.
    found.keySet().removeIf(name -> name.startsWith(architecture + "/model/"));
    return found;
  }

  /** SHA-256 of what {@code sha256sum} prints for the sources: a line of hash and name for each. */
  private static String sourcesSha256(Map<String, Path> sources) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Map.Entry<String, Path> source : sources.entrySet()) {
      lines.append(sha256(Files.readAllBytes(source.getValue())));
      lines.append("  ").append(source.getKey()).append('\n');
    }
    return sha256(lines.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  // ---- enumerations

  private static Map<String, Map<String, Integer>> enums(Message p4Info, Map<String, Path> sources)
      throws IOException {
    Map<String, Map<String, Integer>> enums = new TreeMap<>();
    for (Path source : sources.values()) {
      Matcher found = ENUM.matcher(Files.readString(source));
      while (found.find()) {
        Map<String, Integer> members = new LinkedHashMap<>();
        for (String member : found.group(3).replaceAll("//[^\n]*", "").split(",", 0)) {
          Matcher parts = MEMBER.matcher(member.strip());
          if (!parts.matches()) {
            throw new Refused(
                source.getFileName()
                    + ": enum "
                    + found.group(2)
                    + " has an unreadable member: "
                    + member.strip());
          }
          members.put(parts.group(1), Integer.parseInt(parts.group(2)));
        }
        enums.put(found.group(2), members);
      }
    }
    for (Message typeInfo : p4Info.all("type_info")) {
      for (Message entry : typeInfo.all("serializable_enums")) {
        Map<String, Integer> members = new LinkedHashMap<>();
        for (Message member : entry.one("value").all("members")) {
          int value = 0;
          for (char octet : member.text("value").toCharArray()) {
            value = value << 8 | octet;
          }
          members.put(member.text("name"), value);
        }
        enums.put(entry.text("key"), members);
      }
    }
    return enums;
  }

  // ---- the classes

  /** A component of the record of all tables and counters. */
  private static final class Component {
    private final String name;
    private final boolean list;
    private final List<Message> entities = new ArrayList<>();

    Component(String name, boolean list) {
      this.name = name;
      this.list = list;
    }
  }

  /** What a record is called and the expression that creates it. */
  private static final class Created {
    private final String type;
    private final String value;

    Created(String type, String value) {
      this.type = type;
      this.value = value;
    }
  }

  /** Adds the classes of a program. */
  private void add(String programPrefix, String stamp, Message p4Info) {
    prefix = programPrefix;
    directMeters.clear();
    for (Message meter : p4Info.all("direct_meters")) {
      directMeters.add(meter.one("preamble").number("id"));
    }
    Map<Long, Message> declared = new LinkedHashMap<>();
    for (Message action : p4Info.all("actions")) {
      declared.put(action.one("preamble").number("id"), action);
    }
    String architecture = p4Info.one("pkg_info").text("arch");
    List<String> components =
        new ArrayList<>(List.of("String architecture", "String sourcesSha256"));
    List<String> values = new ArrayList<>(List.of(quoted(architecture), quoted(stamp)));
    Map<String, String> actions = new LinkedHashMap<>();
    List<Message> written = new ArrayList<>(p4Info.all("tables"));
    written.removeIf(table -> table.is("is_const_table", "true"));
    List<Component> tables = components(written);
    for (Component component : tables) {
      Set<String> types = new TreeSet<>();
      List<String> created = new ArrayList<>();
      for (Message table : component.entities) {
        Created one = table(table, declared, actions);
        types.add(one.type);
        created.add(one.value);
      }
      if (types.size() > 1) {
        throw new Refused("tables " + component.name + " are of several shapes: " + types);
      }
      components.add(type(component, types.iterator().next()) + " " + component.name);
      values.add(value(component, created));
    }
    List<Component> counters = components(p4Info.all("counters"));
    for (Component component : counters) {
      List<String> created = new ArrayList<>();
      for (Message counter : component.entities) {
        created.add(
            "new CounterDescriptor(" + identity(counter) + ", " + counter.number("size") + ")");
      }
      components.add(type(component, "CounterDescriptor") + " " + component.name);
      values.add(value(component, created));
    }
    String record =
        record(
            "SluiceProgram",
            "The tables and counters of the program, whatever it is compiled for.",
            components,
            "ProgramDescriptor",
            flat("TableDescriptor", "tables", tables)
                + flat("CounterDescriptor", "counters", counters));
    String programClass = prefix + "Program";
    StringBuilder body = new StringBuilder();
    body.append("  /** The program as compiled for ").append(architecture).append(". */\n");
    body.append("  public static final ").append(record).append(" DESCRIPTOR = create();\n\n");
    body.append("  private ").append(programClass).append("() {}\n\n");
    body.append("  private static ").append(record).append(" create() {\n");
    actions.forEach(
        (name, value) -> body.append("    var " + name + " =\n        " + value + ";\n"));
    body.append("    return new ").append(record).append("(\n        ");
    body.append(String.join(",\n        ", values)).append(");\n  }\n");
    sources.put(
        programClass,
        source(
            "Ids, widths and sizes of the program compiled for " + architecture + ".",
            "final class " + programClass,
            body.toString()));
  }

  /** Each of its own, but one for those that are numbered from 1 without a gap. */
  private static List<Component> components(List<Message> entities) {
    Map<String, List<Integer>> numbers = new LinkedHashMap<>();
    for (Message entity : entities) {
      Matcher numbered = NUMBERED.matcher(alias(entity));
      if (numbered.matches()) {
        numbers
            .computeIfAbsent(family(numbered), unused -> new ArrayList<>())
            .add(Integer.parseInt(numbered.group(2)));
      }
    }
    Map<String, Component> components = new LinkedHashMap<>();
    for (Message entity : entities) {
      Matcher numbered = NUMBERED.matcher(alias(entity));
      boolean list =
          numbered.matches()
              && numbers
                  .get(family(numbered))
                  .equals(
                      IntStream.rangeClosed(1, numbers.get(family(numbered)).size())
                          .boxed()
                          .collect(Collectors.toList()));
      String name = camelCase(list ? family(numbered) : lastName(entity));
      components.computeIfAbsent(name, n -> new Component(n, list)).entities.add(entity);
    }
    return new ArrayList<>(components.values());
  }

  /** What those of several numbers are called together. */
  private static String family(Matcher numbered) {
    return numbered.group(3) == null ? numbered.group(1) : numbered.group(3).substring(1);
  }

  private static String type(Component component, String of) {
    return component.list ? "java.util.List<" + of + ">" : of;
  }

  private static String value(Component component, List<String> created) {
    if (component.list) {
      return "java.util.List.of(\n            " + String.join(",\n            ", created) + ")";
    }
    if (created.size() > 1) {
      throw new Refused("there are " + created.size() + " of " + component.name);
    }
    return created.get(0);
  }

  /** Writes the record of a table and of its actions; the expression that creates it. */
  private Created table(Message table, Map<Long, Message> declared, Map<String, String> actions) {
    if (table.has("direct_resource_ids")
        && !directMeters.contains(table.number("direct_resource_ids"))) {
      throw new Refused(
          "table "
              + alias(table)
              + " has direct resources other than a meter, which have no descriptor yet");
    }
    List<String> components = identityAnd("int size");
    List<String> values =
        new ArrayList<>(List.of(identity(table), Long.toString(table.number("size"))));
    List<String> fields = new ArrayList<>();
    for (Message field : table.all("match_fields")) {
      String kind = MATCH_KINDS.get(field.text("match_type"));
      if (kind == null) {
        throw new Refused(
            "table "
                + alias(table)
                + " matches "
                + field.text("name")
                + " by "
                + field.text("match_type")
                + ", which has no descriptor yet");
      }
      String name = camelCase(field.text("name"));
      components.add("MatchField." + kind + " " + name);
      values.add("new MatchField." + kind + "(" + value(field) + ")");
      fields.add(name);
    }
    List<String> names = new ArrayList<>();
    for (Message ref : table.all("action_refs")) {
      Message action = declared.get(ref.number("id"));
      if (!ref.is("scope", "DEFAULT_ONLY")) {
        String name = camelCase(lastName(action));
        Created created = action(action);
        components.add(created.type + " " + name);
        names.add(name);
        values.add(camelCase(alias(action)));
        actions.put(camelCase(alias(action)), created.value);
      }
    }
    String type =
        record(
            className(lastName(table)) + "Table",
            "Table {@code " + lastName(table) + "}.",
            components,
            "TableDescriptor",
            list("MatchField", "matchFields", fields) + list("ActionDescriptor", "actions", names));
    return new Created(type, create(type, values));
  }

  /** Writes the record of an action; the expression that creates it. */
  private Created action(Message action) {
    List<String> components = identityAnd();
    List<String> values = new ArrayList<>(List.of(identity(action)));
    List<String> params = new ArrayList<>();
    for (Message param : action.all("params")) {
      params.add(camelCase(param.text("name")));
      components.add("ParamDescriptor " + camelCase(param.text("name")));
      values.add("new ParamDescriptor(" + value(param) + ")");
    }
    String type =
        record(
            className(lastName(action)) + "Action",
            "Action {@code " + lastName(action) + "}.",
            components,
            "ActionDescriptor",
            list("ParamDescriptor", "params", params));
    return new Created(type, create(type, values));
  }

  private void addEnums(String program, Map<String, Map<String, Integer>> more) {
    more.forEach(
        (type, members) -> {
          Map<String, Integer> known = enums.putIfAbsent(type, members);
          if (known != null && !known.equals(members)) {
            throw new Refused(
                program + ": enum " + type + " is " + members + ", in another program " + known);
          }
        });
  }

  private void writeEnums() {
    StringBuilder body = new StringBuilder("  private SerializableEnums() {}\n");
    enums.forEach(
        (type, members) ->
            members.forEach(
                (member, value) -> {
                  body.append("\n  /** Member of ").append(type).append(". */\n");
                  body.append("  public static final int ").append(constantName(type)).append('_');
                  body.append(member).append(" = ").append(value).append(";\n");
                }));
    sources.put(
        "SerializableEnums",
        source(
            "Values of the program's enumerations.",
            "final class SerializableEnums",
            body.toString()));
  }

  /** Writes a record that has that name, or if another of it is there, the prefix before it. */
  private String record(
      String name, String doc, List<String> components, String type, String methods) {
    for (String each : List.of(name, prefix + name)) {
      String header =
          "record " + each + "(\n        " + String.join(",\n        ", components) + ")\n";
      String text = source(doc, header + "    implements " + type, methods);
      String known = sources.putIfAbsent(each, text);
      if (known == null || known.equals(text)) {
        return each;
      }
    }
    throw new Refused(prefix + name + " would be two records of different components");
  }

  private String source(String doc, String header, String body) {
    return String.join(
        "\n",
        "package " + packageName + ";",
        "",
        "/** " + doc + " */",
        "@javax.annotation.processing.Generated(\"GenerateDescriptors\")",
        "public " + header + " {",
        body + "}",
        "");
  }

  /** The method that lists all there are, lists of them too. */
  private static String flat(String type, String name, List<Component> components) {
    if (components.stream().noneMatch(component -> component.list)) {
      return list(type, name, components.stream().map(c -> c.name).collect(Collectors.toList()));
    }
    return "  @Override\n  public java.util.List<"
        + type
        + "> "
        + name
        + "() {\n    return java.util.stream.Stream.<java.util.List<? extends "
        + type
        + ">>of(\n            "
        + components.stream()
            .map(c -> c.list ? c.name : "java.util.List.of(" + c.name + ")")
            .collect(Collectors.joining(",\n            "))
        + ")\n        .<"
        + type
        + ">flatMap(java.util.List::stream)\n        .toList();\n  }\n";
  }

  private static String list(String type, String name, List<String> components) {
    return "  @Override\n  public java.util.List<"
        + type
        + "> "
        + name
        + "() {\n    return java.util.List.of("
        + String.join(", ", components)
        + ");\n  }\n";
  }

  private static List<String> identityAnd(String... more) {
    List<String> components = new ArrayList<>(List.of("int id", "String name"));
    components.addAll(List.of(more));
    return components;
  }

  private static String create(String type, List<String> values) {
    return "new " + type + "(\n            " + String.join(",\n            ", values) + ")";
  }

  /** The last part of the alias, which is longer where several controls have one of that name. */
  private static String lastName(Message entity) {
    return alias(entity).replaceAll(".*\\.", "");
  }

  private static String alias(Message entity) {
    return entity.one("preamble").text("alias");
  }

  /** Id and name of a table, an action or a counter, as arguments. */
  private static String identity(Message entity) {
    Message preamble = entity.one("preamble");
    return preamble.number("id") + ", " + quoted(preamble.text("name"));
  }

  /** Id, name and width of a match field or parameter, as arguments. */
  private static String value(Message value) {
    return value.number("id") + ", " + quoted(value.text("name")) + ", " + value.number("bitwidth");
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  /** {@code PortRole}, {@code port_role} and {@code PortRole_t} as in a constant's name. */
  private static String constantName(String name) {
    return name.replaceAll("_t$", "")
        .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
        .toUpperCase(Locale.ROOT);
  }

  /** {@code PortRole} and {@code port_role} as {@code PortRole}. */
  private static String className(String name) {
    return Pattern.compile("(?:^|[_.])(\\w)")
        .matcher(name)
        .replaceAll(first -> first.group(1).toUpperCase(Locale.ROOT));
  }

  /** {@code PortRole} and {@code port_role} as {@code portRole}. */
  private static String camelCase(String name) {
    String capitalized = className(name);
    return capitalized.substring(0, 1).toLowerCase(Locale.ROOT) + capitalized.substring(1);
  }

  // ---- the text format of protocol buffers, as far as P4Info needs it

  /** A message: each field's values in order, either {@code Message} or {@code String}. */
  private static final class Message {
    private final String path;
    private final Map<String, List<Object>> fields = new LinkedHashMap<>();

    Message(String path) {
      this.path = path;
    }

    void add(String field, Object value) {
      fields.computeIfAbsent(field, unused -> new ArrayList<>()).add(value);
    }

    boolean has(String field) {
      return fields.containsKey(field);
    }

    boolean is(String field, String value) {
      return fields.getOrDefault(field, List.of()).equals(List.of(value));
    }

    List<Message> all(String field) {
      List<Message> messages = new ArrayList<>();
      for (Object value : fields.getOrDefault(field, List.of())) {
        if (!(value instanceof Message)) {
          throw new Refused(path + "." + field + " is no message");
        }
        messages.add((Message) value);
      }
      return messages;
    }

    Message one(String field) {
      List<Message> messages = all(field);
      if (messages.size() != 1) {
        throw new Refused(path + " has " + messages.size() + " " + field + ", not one");
      }
      return messages.get(0);
    }

    String text(String field) {
      List<Object> values = fields.getOrDefault(field, List.of());
      if (values.size() != 1 || !(values.get(0) instanceof String)) {
        throw new Refused(path + " has no single value " + field);
      }
      return (String) values.get(0);
    }

    long number(String field) {
      String text = text(field);
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new Refused(path + "." + field + " is " + text + ", not a number");
      }
    }
  }

  /**
   * Reads {@code name: scalar} and {@code name { ... }}, where a name may be a type in brackets;
   * comments begin with a hash sign.
   */
  private static final class TextProto {
    private static final Pattern TOKEN =
        Pattern.compile(
            "\\G(?:\\s|#[^\n]*)*(?:(\\w[\\w.+-]*|\\[[\\w./]+])|(\"(?:[^\"\\\\]|\\\\.)*\")|([{}:]))");

    private final Matcher tokens;
    private final String name;
    private final String text;
    private final StringBuilder kept = new StringBuilder();
    private int keptUntil;
    private int position;

    TextProto(String name, String text) {
      this.name = name;
      this.text = text;
      this.tokens = TOKEN.matcher(text);
    }

    Message parse() {
      Message message = new Message(name);
      fields(message, false);
      return message;
    }

    String textWithoutLeftOut() {
      return kept + text.substring(keptUntil);
    }

    private String next() {
      if (tokens.find(position)) {
        position = tokens.end();
        for (int group = 1; group <= 3; group++) {
          if (tokens.group(group) != null) {
            return tokens.group(group);
          }
        }
      }
      if (!text.substring(position).replaceAll("#[^\n]*", "").isBlank()) {
        long lineNumber = text.substring(0, position).lines().count();
        throw new Refused(name + " is unreadable after line " + lineNumber);
      }
      return "";
    }

    private void fields(Message into, boolean nested) {
      while (true) {
        int start = position;
        String field = next();
        if (field.equals("}") && nested || field.isEmpty() && !nested) {
          return;
        }
        if (!field.matches("[A-Za-z\\[].*")) {
          throw new Refused(into.path + ": a field name was expected, not '" + field + "'");
        }
        String separator = next();
        String value = separator.equals(":") ? next() : separator;
        if (value.equals("{")) {
          Message message = new Message(into.path + "." + field);
          fields(message, true);
          into.add(field, message);
        } else if (separator.equals(":") && !value.isEmpty() && !value.equals("}")) {
          into.add(field, value.startsWith("\"") ? unquote(value) : value);
        } else {
          throw new Refused(into.path + "." + field + " has no value");
        }
        if (LEFT_OUT.contains(field)) {
          kept.append(text, keptUntil, start);
          keptUntil = position;
        }
      }
    }

    /** One character per octet; escapes are octal, hexadecimal or a single letter. */
    private static String unquote(String quoted) {
      StringBuilder octets = new StringBuilder();
      for (int i = 1; i < quoted.length() - 1; i++) {
        char c = quoted.charAt(i);
        if (c != '\\') {
          octets.append(c);
          continue;
        }
        c = quoted.charAt(++i);
        int letter = "abfnrtv".indexOf(c);
        if (c == 'x') {
          int end = i + 1;
          while (end < i + 3 && Character.digit(quoted.charAt(end), 16) >= 0) {
            end++;
          }
          octets.append((char) Integer.parseInt(quoted.substring(i + 1, end), 16));
          i = end - 1;
        } else if (c >= '0' && c <= '7') {
          int end = i;
          while (end < i + 3 && quoted.charAt(end) >= '0' && quoted.charAt(end) <= '7') {
            end++;
          }
          octets.append((char) Integer.parseInt(quoted.substring(i, end), 8));
          i = end - 1;
        } else {
          octets.append(letter >= 0 ? "\u0007\b\f\n\r\t\u000b".charAt(letter) : c);
        }
      }
      return octets.toString();
    }
  }
}
