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
 * Writes the class of constants of one P4 program from its P4Info; run by the build before anything
 * is compiled, so it is one file that needs nothing but the JDK.
 *
 * <p>Arguments: the directory of the P4 sources, the architecture (a subdirectory of them), the
 * fully qualified name of the class, the directory of generated sources, and the P4Info to write
 * without the fields that P4Runtime 1.3 does not have. Before it writes anything it checks that the
 * compiled artefacts belong to the sources beside them: {@code p4c-out/ARCH/SOURCES.sha256} must
 * hold what {@code p4/compile.sh --stamp} prints. Exit code 0, or 1 with one line on standard error
 * that says what to do.
 *
 * <p>Enumerations come from P4Info where it has them; those that no table or action uses are not in
 * P4Info and are read from the sources.
 */
public final class GeneratePipelineConstants {
  private static final Pattern ENUM =
      Pattern.compile("\\benum\\s+bit<(\\d+)>\\s+(\\w+)\\s*\\{([^}]*)\\}");

  /** What P4Info got after P4Runtime 1.3; switches find the same in the program itself. */
  private static final Set<String> LATER_FIELDS =
      Set.of("initial_default_action", "has_initial_entries");

  private static final Pattern MEMBER = Pattern.compile("(\\w+)\\s*=\\s*(\\d+)\\s*");

  private final StringBuilder out = new StringBuilder();

  private GeneratePipelineConstants() {}

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
    int dot = className.lastIndexOf('.');
    String text =
        new GeneratePipelineConstants()
            .generate(
                className.substring(0, dot), className.substring(dot + 1), stamp, p4Info, enums);
    write(output.resolve(className.replace('.', '/') + ".java"), text);
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

  // ---- the class

  private String generate(
      String packageName,
      String className,
      String stamp,
      Message p4Info,
      Map<String, Map<String, Integer>> enums) {
    line("package " + packageName + ";");
    line("");
    line("/** Numbers and widths of the P4 program, generated from its P4Info. */");
    line("@javax.annotation.processing.Generated(\"GeneratePipelineConstants\")");
    line("public final class " + className + " {");
    line("  private " + className + "() {}");
    constant("The architecture it is compiled for.", "ARCH", p4Info.one("pkg_info").text("arch"));
    constant("SHA-256 of its sources.", "SOURCES_SHA256", stamp);
    for (Message table : p4Info.all("tables")) {
      Message preamble = table.one("preamble");
      String name = constantName(preamble.text("alias"));
      String tableName = preamble.text("name");
      constant("Table " + tableName + ".", "TABLE_" + name, preamble.number("id"));
      constant("Its name.", "TABLE_" + name + "_NAME", tableName);
      constant("Its entries.", "TABLE_" + name + "_SIZE", table.number("size"));
      for (Message field : table.all("match_fields")) {
        String match = "MATCH_" + name + "_" + constantName(field.text("name"));
        String kind = field.text("match_type");
        constant("Field of " + tableName + ", " + kind + ".", match, field.number("id"));
        constant("Its width.", match + "_BITS", field.number("bitwidth"));
      }
    }
    for (Message action : p4Info.all("actions")) {
      Message preamble = action.one("preamble");
      String name = constantName(preamble.text("alias"));
      constant("Action " + preamble.text("name") + ".", "ACTION_" + name, preamble.number("id"));
      for (Message param : action.all("params")) {
        String constant = "PARAM_" + name + "_" + constantName(param.text("name"));
        constant("Parameter of " + preamble.text("name") + ".", constant, param.number("id"));
        constant("Its width.", constant + "_BITS", param.number("bitwidth"));
      }
    }
    for (String kind : List.of("counters", "registers")) {
      for (Message array : p4Info.all(kind)) {
        Message preamble = array.one("preamble");
        String name =
            (kind.equals("counters") ? "COUNTER_" : "REGISTER_")
                + constantName(preamble.text("alias"));
        constant("Array " + preamble.text("name") + ".", name, preamble.number("id"));
        constant("Its cells.", name + "_SIZE", array.number("size"));
      }
    }
    enums.forEach(
        (type, members) ->
            members.forEach(
                (member, value) ->
                    constant(
                        "Member of " + type + ".",
                        "ENUM_" + constantName(type) + "_" + member,
                        value)));
    line("}");
    return out.toString();
  }

  private void constant(String doc, String name, long value) {
    line("");
    line("  /** " + doc + " */");
    line("  public static final int " + name + " = " + Math.toIntExact(value) + ";");
  }

  private void constant(String doc, String name, String value) {
    line("");
    line("  /** " + doc + " */");
    line("  public static final String " + name + " = \"" + value + "\";");
  }

  private void line(String text) {
    out.append(text).append('\n');
  }

  /** {@code PortRole}, {@code port_role} and {@code PortRole_t} as in a constant's name. */
  private static String constantName(String name) {
    return name.replaceAll("_t$", "")
        .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
        .replace('.', '_')
        .toUpperCase(Locale.ROOT);
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
