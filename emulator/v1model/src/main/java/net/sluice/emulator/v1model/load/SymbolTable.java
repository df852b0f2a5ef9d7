package net.sluice.emulator.v1model.load;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sluice.emulator.v1model.program.Calculation;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.HeaderStack;
import net.sluice.emulator.v1model.program.HeaderUnion;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;

/** The symbols of a program while it is being loaded: its parts by name. */
final class SymbolTable {

  final Map<String, Header> headers = new LinkedHashMap<>();
  final Map<String, HeaderUnion> unions = new LinkedHashMap<>();
  final Map<String, List<HeaderUnion>> unionStacks = new LinkedHashMap<>();

  /** The member names of a union stack's type, in order. */
  final Map<String, List<String>> unionStackMembers = new HashMap<>();

  /** Longest a header with a variable-length field may be, bytes. */
  final Map<Header, Integer> maxBytes = new HashMap<>();

  /** The expression for the length of a header's variable-length field. */
  final Map<Header, LocatedJson> lengths = new HashMap<>();

  final Map<String, HeaderStack> stacks = new LinkedHashMap<>();
  final Map<String, Primitive.CounterDef> counters = new LinkedHashMap<>();
  final Map<String, Primitive.MeterDef> meters = new LinkedHashMap<>();
  final Map<String, Program.DirectMeter> directMeters = new LinkedHashMap<>();
  final Map<String, Program.ValueSetDef> valueSets = new LinkedHashMap<>();
  final Map<String, Primitive.RegisterDef> registers = new LinkedHashMap<>();
  final Map<String, Calculation> calculations = new LinkedHashMap<>();
  final Map<String, Program.ActionProfileDef> actionProfiles = new LinkedHashMap<>();
  final Map<Integer, Program.Action> actionsById = new HashMap<>();

  /** Fields by alias. */
  final Map<String, Header.Ref> aliases = new HashMap<>();

  /** Fields that the program writes. */
  final Set<Header.Ref> written = new HashSet<>();

  Header header(LocatedJson name) {
    return find(headers, name, "header");
  }

  /** A header that must exist. */
  Header header(String name, LocatedJson at) {
    Header found = headers.get(name);
    if (found == null) {
      throw at.invalid("there is no header '" + name + "'");
    }
    return found;
  }

  HeaderStack stack(LocatedJson name) {
    return find(stacks, name, "header stack");
  }

  /**
   * A stack of unions as one of headers, the unions' first members; its index follows those of
   * header stacks.
   */
  HeaderStack unionStackIndex(LocatedJson name) {
    List<HeaderUnion> unions = find(unionStacks, name, "header union stack");
    int index = stacks.size() + List.copyOf(unionStacks.keySet()).indexOf(name.text());
    return new HeaderStack(
        name.text(), index, unions.stream().map(u -> u.headers().get(0)).toList());
  }

  /** A field of fixed length. */
  Header.Ref field(LocatedJson pair) {
    Header.Ref ref = anyField(pair);
    if (ref.field().widthBits() == 0) {
      throw pair.unsupported(
          "variable-length field '" + ref.name() + "' as a key, alias or digest");
    }
    return ref;
  }

  Header.Ref anyField(LocatedJson pair) {
    var parts = pair.list();
    if (parts.size() != 2) {
      throw pair.invalid("expected a header name and a field name");
    }
    Header.Ref alias = aliases.get(parts.get(0).text() + "." + parts.get(1).text());
    if (alias != null) {
      return alias;
    }
    Header header = header(parts.get(0));
    Header.Ref ref = header.find(parts.get(1).text());
    if (ref == null) {
      throw pair.invalid(
          "header '" + header.name() + "' has no field '" + parts.get(1).text() + "'");
    }
    return ref;
  }

  /**
   * The field of a name: by alias if there is one, else of the header instance of that name, as
   * bmv2 finds its intrinsic metadata; null if the program has none.
   */
  Header.Ref known(String name) {
    return Program.known(aliases, headers.get(name.substring(0, name.indexOf('.'))), name);
  }

  static <T> T find(Map<String, T> all, LocatedJson name, String what) {
    T found = all.get(name.text());
    if (found == null) {
      throw name.invalid("there is no " + what + " '" + name.text() + "'");
    }
    return found;
  }

  static <T> void add(Map<String, T> all, String name, T value, LocatedJson at, String what) {
    if (all.put(name, value) != null) {
      throw at.invalid("there are two " + what + "s named '" + name + "'");
    }
  }
}
