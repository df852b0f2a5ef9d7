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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes the descriptors of one P4 program from its P4Info; run by the build before anything is
 * compiled, so it is one file that needs nothing but the JDK.
 *
 * <p>Arguments: the directory of the P4 sources, the architecture (a subdirectory of them), the
 * fully qualified name of the class with the program's numbers, the directory of generated sources,
 * and the P4Info to write without the fields that P4Runtime 1.3 does not have. Before it writes
 * anything it checks that the compiled artefacts belong to the sources beside them: {@code
 * p4c-out/ARCH/SOURCES.sha256} must hold what {@code p4/compile.sh --stamp} prints. Exit code 0, or
 * 1 with one line on standard error that says what to do.
 *
 * <p>Into the package of that class go a record per table ({@code PortRoleTable}) and per action
 * ({@code SetRoleAction}) whose components are their match fields, actions and parameters, {@code
 * SluiceProgram} with all tables and counters, and {@code SerializableEnums}. These hold no ids,
 * widths or sizes: programs for two architectures share them. The class named by the argument holds
 * the numbers. Constant tables and default-only actions have no descriptor, because no controller
 * writes them.
 *
 * <p>Enumerations come from P4Info where it has them; those that no table or action uses are not in
 * P4Info and are read from the sources.
 */
public final class GenerateDescriptors {
  private static final Pattern ENUM =
      Pattern.compile("\\benum\\s+bit<(\\d+)>\\s+(\\w+)\\s*\\{([^}]*)\\}");

  /** What P4Info got after P4Runtime 1.3; switches find the same in the program itself. */
  private static final Set<String> LATER_FIELDS =
      Set.of("initial_default_action", "has_initial_entries");

  private static final Pattern MEMBER = Pattern.compile("(\\w+)\\s*=\\s*(\\d+)\\s*");

  private static final Map<String, String> MATCH_KINDS =
      Map.of("EXACT", "Exact", "LPM", "Lpm", "RANGE", "Range");

  private final String packageName;
  private final String programClass;
  private final Message p4Info;
  private final Map<String, String> sources = new LinkedHashMap<>();

  private GenerateDescriptors(String className, Message p4Info) {
    int dot = className.lastIndexOf('.');
    this.packageName = className.substring(0, dot);
    this.programClass = className.substring(dot + 1);
    this.p4Info = p4Info;
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
    if (args.length != 5) {
      System.err.println("usage: P4_DIRECTORY ARCHITECTURE CLASS SOURCE_DIRECTORY P4INFO");
      System.exit(2);
    }
    try {
      run(Path.of(args[0]), args[1], args[2], Path.of(args[3]), Path.of(args[4]));
    } catch (Refused e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private static void run(
      Path p4, String architecture, String className, Path output, Path p4InfoOutput)
      throws IOException {
    Path artefacts = p4.resolve("p4c-out").resolve(architecture);
    String stamp = checkStamp(p4, architecture, artefacts);
    TextProto parser = new TextProto(Files.readString(artefacts.resolve("sluice.p4info.txtpb")));
    Message p4Info = parser.parse("sluice.p4info.txtpb");
    Map<String, Map<String, Integer>> enums = enums(p4Info, sources(p4, architecture));
    Path directory = output.resolve(className.replace('.', '/')).getParent();
    for (Map.Entry<String, String> source :
        new GenerateDescriptors(className, p4Info).generate(stamp, enums).entrySet()) {
      write(directory.resolve(source.getKey() + ".java"), source.getValue());
    }
    write(p4InfoOutput, parser.textWithoutLaterFields());
  }

  /** Leaves the file alone when nothing changed, so that what depends on it is not built again. */
  private static void write(Path file, String text) throws IOException {
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
  }

  // ---- the stamp

  private static String checkStamp(Path p4, String architecture, Path artefacts)
      throws IOException {
    String remedy = "run ./sluice p4 (needs p4c-bm2-ss on PATH) and build again";
    Path stampFile = artefacts.resolve("SOURCES.sha256");
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

  /** Text of each class by its name. */
  private Map<String, String> generate(String stamp, Map<String, Map<String, Integer>> enums) {
    Map<Long, Message> declared = new LinkedHashMap<>();
    for (Message action : p4Info.all("actions")) {
      declared.put(action.one("preamble").number("id"), action);
    }
    String architecture = p4Info.one("pkg_info").text("arch");
    List<String> components =
        new ArrayList<>(List.of("String architecture", "String sourcesSha256"));
    List<String> values = new ArrayList<>(List.of(quoted(architecture), quoted(stamp)));
    List<String> tables = new ArrayList<>();
    Map<String, String> actions = new LinkedHashMap<>();
    for (Message table : p4Info.all("tables")) {
      if (!table.is("is_const_table", "true")) {
        String name = camelCase(alias(table));
        components.add(className(alias(table)) + "Table " + name);
        values.add(table(table, declared, actions));
        tables.add(name);
      }
    }
    List<String> counters = new ArrayList<>();
    for (Message counter : p4Info.all("counters")) {
      String name = camelCase(alias(counter));
      components.add("CounterDescriptor " + name);
      values.add(
          "new CounterDescriptor(" + identity(counter) + ", " + counter.number("size") + ")");
      counters.add(name);
    }
    record(
        "SluiceProgram",
        "The tables and counters of the program, whatever it is compiled for.",
        components,
        "ProgramDescriptor",
        list("TableDescriptor", "tables", tables)
            + list("CounterDescriptor", "counters", counters));
    StringBuilder body = new StringBuilder();
    body.append("  /** The program as compiled for ").append(architecture).append(". */\n");
    body.append("  public static final SluiceProgram DESCRIPTOR = create();\n\n");
    body.append("  private ").append(programClass).append("() {}\n\n");
    body.append("  private static SluiceProgram create() {\n");
    actions.forEach(
        (name, value) -> body.append("    var " + name + " =\n        " + value + ";\n"));
    body.append("    return new SluiceProgram(\n        ");
    body.append(String.join(",\n        ", values)).append(");\n  }\n");
    source(
        programClass,
        "Ids, widths and sizes of the program compiled for " + architecture + ".",
        "final class " + programClass,
        body.toString());
    enums(enums);
    return sources;
  }

  /** Writes the record of a table and of its actions; the expression that creates it. */
  private String table(Message table, Map<Long, Message> declared, Map<String, String> actions) {
    if (table.has("direct_resource_ids")) {
      throw new Refused(
          "table " + alias(table) + " has direct resources, which have no descriptor yet");
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
        String name = camelCase(alias(action));
        components.add(className(alias(action)) + "Action " + name);
        names.add(name);
        actions.put(name, action(action));
      }
    }
    values.addAll(names);
    record(
        className(alias(table)) + "Table",
        "Table {@code " + alias(table) + "}.",
        components,
        "TableDescriptor",
        list("MatchField", "matchFields", fields) + list("ActionDescriptor", "actions", names));
    return create(className(alias(table)) + "Table", values);
  }

  /** Writes the record of an action; the expression that creates it. */
  private String action(Message action) {
    List<String> components = identityAnd();
    List<String> values = new ArrayList<>(List.of(identity(action)));
    List<String> params = new ArrayList<>();
    for (Message param : action.all("params")) {
      params.add(camelCase(param.text("name")));
      components.add("ParamDescriptor " + camelCase(param.text("name")));
      values.add("new ParamDescriptor(" + value(param) + ")");
    }
    record(
        className(alias(action)) + "Action",
        "Action {@code " + alias(action) + "}.",
        components,
        "ActionDescriptor",
        list("ParamDescriptor", "params", params));
    return create(className(alias(action)) + "Action", values);
  }

  private void enums(Map<String, Map<String, Integer>> enums) {
    StringBuilder body = new StringBuilder("  private SerializableEnums() {}\n");
    enums.forEach(
        (type, members) ->
            members.forEach(
                (member, value) -> {
                  body.append("\n  /** Member of ").append(type).append(". */\n");
                  body.append("  public static final int ").append(constantName(type)).append('_');
                  body.append(member).append(" = ").append(value).append(";\n");
                }));
    source(
        "SerializableEnums",
        "Values of the program's enumerations.",
        "final class SerializableEnums",
        body.toString());
  }

  private void record(
      String name, String doc, List<String> components, String type, String methods) {
    String header =
        "record " + name + "(\n        " + String.join(",\n        ", components) + ")\n";
    source(name, doc, header + "    implements " + type, methods);
  }

  private void source(String name, String doc, String header, String body) {
    sources.put(
        name,
        String.join(
            "\n",
            "package " + packageName + ";",
            "",
            "/** " + doc + " */",
            "@javax.annotation.processing.Generated(\"GenerateDescriptors\")",
            "public " + header + " {",
            body + "}",
            ""));
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

  /** Reads {@code name: scalar} and {@code name { ... }}; comments begin with a hash sign. */
  private static final class TextProto {
    private static final Pattern TOKEN =
        Pattern.compile("\\G(?:\\s|#[^\n]*)*(?:(\\w[\\w.+-]*)|(\"(?:[^\"\\\\]|\\\\.)*\")|([{}:]))");

    private final Matcher tokens;
    private final String text;
    private final StringBuilder kept = new StringBuilder();
    private int keptUntil;
    private int position;

    TextProto(String text) {
      this.text = text;
      this.tokens = TOKEN.matcher(text);
    }

    Message parse(String name) {
      Message message = new Message(name);
      fields(message, false);
      return message;
    }

    String textWithoutLaterFields() {
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
        throw new Refused("P4Info is unreadable after line " + lineNumber);
      }
      return "";
    }

    private void fields(Message into, boolean nested) {
      while (true) {
        int start = position;
        String name = next();
        if (name.equals("}") && nested || name.isEmpty() && !nested) {
          return;
        }
        if (!Character.isLetter(name.isEmpty() ? '}' : name.charAt(0))) {
          throw new Refused(into.path + ": a field name was expected, not '" + name + "'");
        }
        String separator = next();
        String value = separator.equals(":") ? next() : separator;
        if (value.equals("{")) {
          Message message = new Message(into.path + "." + name);
          fields(message, true);
          into.add(name, message);
        } else if (separator.equals(":") && !value.isEmpty() && !value.equals("}")) {
          into.add(name, value.startsWith("\"") ? unquote(value) : value);
        } else {
          throw new Refused(into.path + "." + name + " has no value");
        }
        if (LATER_FIELDS.contains(name)) {
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
