package net.sluice.emulator.v1model.codegen;

import java.util.ArrayList;
import java.util.List;

/**
 * The source of a class whose constant pool would exceed 65,535 entries (JVM specification, section
 * 4.4): a chain of classes, each extending the one before. A caller is in the class of the method
 * it calls or in a later one.
 */
final class ClassChain {

  /** Characters of source in a class: a name with all that goes with it takes more than 15. */
  private static final int LONG = 250_000;

  private final List<String> units = new ArrayList<>();

  /**
   * Adds methods and constants, callers before callees.
   *
   * @param source each ends with a line that is not indented
   */
  void add(Code source) {
    StringBuilder unit = new StringBuilder();
    for (String line : source.toString().split("\n")) {
      unit.append(visible(line)).append('\n');
      boolean indented = line.startsWith(" ") || line.startsWith("//") || line.endsWith("{");
      if (!indented) {
        units.add(unit.toString());
        unit.setLength(0);
      }
    }
  }

  /** Members that other classes of the chain use or set can be neither private nor final. */
  private static String visible(String line) {
    boolean setLater = line.startsWith("private final ") && line.indexOf('=') < 0;
    return line.startsWith("private ")
        ? line.substring((setLater ? "private final " : "private ").length())
        : line;
  }

  /**
   * Writes all classes but the last and returns the name of the last one's superclass.
   *
   * @param name of the last class
   * @param base what the first one extends
   * @param parameter of their constructors, with its type
   */
  String write(String name, String base, String parameter, Code into) {
    String last = base;
    int count = 0;
    StringBuilder members = new StringBuilder();
    for (int i = units.size() - 1; i >= 0; i--) {
      members.append(units.get(i));
      if (members.length() > LONG || i == 0) {
        String here = name + count++;
        into.line("public abstract class " + here + " extends " + last + " {");
        into.line("public " + here + "(" + parameter + ") {");
        into.line("super(" + parameter.substring(parameter.indexOf(' ') + 1) + ");");
        into.line("}");
        members.toString().lines().forEach(into::line);
        into.line("}");
        members.setLength(0);
        last = here;
      }
    }
    return last;
  }
}
