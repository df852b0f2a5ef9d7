package net.sluice.emulator.v1model.program;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.v1model.table.MatchKind;

/**
 * A P4 program for v1model as p4c's BMv2 back end describes it, validated: every reference is
 * resolved and every construct is one that the switch executes.
 *
 * @param headers all header and metadata instances
 * @param stacks header stacks, whose elements are among {@code headers}
 * @param unions header unions, whose members are among {@code headers}
 * @param errors parser errors by name
 * @param aliases fields by the names of {@code field_aliases}, such as {@code
 *     intrinsic_metadata.mcast_grp}
 * @param parser its states; the first is the start
 * @param deparserCalls primitives that the deparser runs first
 * @param deparser headers in the order they are emitted
 * @param copies copies of packets, and digests
 */
public record Program(
    List<Header> headers,
    List<HeaderStack> stacks,
    List<HeaderUnion> unions,
    Map<String, Integer> errors,
    Map<String, Header.Ref> aliases,
    List<ParserState> parser,
    List<ValueSetDef> valueSets,
    List<Primitive> deparserCalls,
    List<Header> deparser,
    List<Primitive.CounterDef> counters,
    List<Primitive.MeterDef> meters,
    List<Primitive.RegisterDef> registers,
    List<Calculation> calculations,
    List<Calculation.Checksum> checksums,
    List<Action> actions,
    List<ActionProfileDef> actionProfiles,
    Control ingress,
    Control egress,
    Replication copies) {

  /** The value of {@code next} at the end. */
  public static final int END = -1;

  /**
   * A state of the parser.
   *
   * @param key parts of the transition key
   * @param transitions tried in order
   * @param otherwise the default transition's state, {@link #END} to accept
   */
  public record ParserState(
      String name,
      List<ParserOp> ops,
      List<KeyPart> key,
      List<Transition> transitions,
      int otherwise) {}

  /** A step of a parser state. */
  public sealed interface ParserOp {}

  /** Extracts a header. */
  public record Extract(Header header) implements ParserOp {}

  /**
   * Extracts a header with a variable-length field.
   *
   * @param bits length of that field
   * @param maxBytes longest the whole header may be
   */
  public record ExtractVariable(Header header, Expr bits, int maxBytes) implements ParserOp {}

  /** The same for the next header of a stack. */
  public record ExtractNextVariable(HeaderStack stack, Expr bits, int maxBytes)
      implements ParserOp {}

  /** Extracts the next header of a stack. */
  public record ExtractNext(HeaderStack stack) implements ParserOp {}

  /**
   * Extracts a header with a variable-length field whose length its other fields give.
   *
   * @param bits length of that field, from the fields in front of it
   */
  public record ExtractMeasured(Header header, Expr bits) implements ParserOp {}

  /** The same for the next header of a stack; {@code bits} has one expression per header. */
  public record ExtractNextMeasured(HeaderStack stack, List<Expr> bits) implements ParserOp {}

  /** Sets a field by lookahead, without advancing. */
  public record SetLookahead(Header.Ref target, Lookahead source) implements ParserOp {}

  /** {@code verify}: ends parsing with an error unless the condition holds. */
  public record Verify(Expr condition, Expr error) implements ParserOp {}

  /** {@code advance}: skips bits, which must be whole bytes. */
  public record Advance(Expr bits) implements ParserOp {}

  /** Runs a primitive. */
  public record Do(Primitive primitive) implements ParserOp {}

  /** Part of a transition key. */
  public sealed interface KeyPart {
    /** Width, bits. */
    int widthBits();
  }

  /** A field. */
  public record FieldPart(Header.Ref ref) implements KeyPart {
    @Override
    public int widthBits() {
      return ref.field().widthBits();
    }
  }

  /** An expression, of which the low {@code widthBits} bits count. */
  public record ExprPart(Expr expr, int widthBits) implements KeyPart {}

  /** Lookahead bits, from {@code offsetBits}. */
  public record Lookahead(int offsetBits, int widthBits) implements KeyPart {}

  /**
   * A transition: a value and a mask for every part of the key.
   *
   * @param members the value set that the key must be in instead, or null; with one there are no
   *     values, and no masks if all bits count
   */
  public record Transition(
      List<BigInteger> values, List<BigInteger> masks, ValueSetDef members, int next) {}

  /**
   * A parser value set.
   *
   * @param index position among the program's value sets
   * @param widthsBits widths of the parts of the key in the first state that uses the set; others
   *     may divide the same bits differently
   * @param size most members
   */
  public record ValueSetDef(String name, int index, List<Integer> widthsBits, int size) {}

  /**
   * An action.
   *
   * @param index position in {@link Program#actions}
   * @param id number the JSON gives it
   */
  public record Action(
      String name, int index, int id, List<Parameter> parameters, List<Primitive> body) {}

  /** A parameter of an action, unsigned. */
  public record Parameter(String name, int widthBits) {}

  /**
   * A control: nodes in execution order, the first is the start; none if it does nothing. Every
   * edge leads to a later node, but for those of loops.
   */
  public record Control(String name, List<ControlNode> nodes) {}

  /** A step of a control. */
  public sealed interface ControlNode {
    /** P4 name. */
    String name();
  }

  /** A condition with the successor of each outcome, an index into {@link Control#nodes()}. */
  public record Conditional(String name, Expr condition, int ifTrue, int ifFalse)
      implements ControlNode {}

  /**
   * A table.
   *
   * @param kind match kind
   * @param meter direct meter, or null
   * @param actions its actions
   * @param next successor by action, parallel to {@code actions}
   * @param nextOnHit successor on a hit, or null if the action decides
   * @param nextOnMiss successor on a miss, or null if the action decides
   * @param nextOnNothing successor if no action runs, bmv2's {@code base_default_next}
   * @param profile action profile that its entries refer to, or null for direct actions
   * @param defaultEntry the declared default entry, or null for none
   * @param defaultActionConst whether the control plane may not change the default action
   * @param entries entries that the program declares
   * @param entriesConst whether the program's entries are all there may be
   * @param timeouts whether entries can have idle timeouts
   */
  public record Table(
      String name,
      MatchKind kind,
      List<KeyField> key,
      int size,
      boolean withCounters,
      DirectMeter meter,
      List<Action> actions,
      List<Integer> next,
      Integer nextOnHit,
      Integer nextOnMiss,
      int nextOnNothing,
      ActionProfileDef profile,
      ActionCall defaultEntry,
      boolean defaultActionConst,
      List<DeclaredEntry> entries,
      boolean entriesConst,
      boolean timeouts)
      implements ControlNode {}

  /**
   * An action profile.
   *
   * @param index position among the program's action profiles
   * @param size declared capacity, members or weights
   * @param selector the hash that picks a member of a group, or null if it has no groups
   */
  public record ActionProfileDef(String name, int index, int size, Calculation selector) {}

  /**
   * A direct meter.
   *
   * @param bytes whether it counts bytes, or else packets
   * @param rates how many rates an entry has
   * @param target where the colour is stored: 0 green, 1 yellow, 2 red
   */
  public record DirectMeter(String name, boolean bytes, int rates, Header.Ref target) {}

  /**
   * A field of a table's key.
   *
   * @param source a field's value, or whether a header is valid
   * @param staticMask mask on the field in every lookup, or null for none
   */
  public record KeyField(
      String name, MatchKind kind, Expr source, int widthBits, BigInteger staticMask) {}

  /** An action of a table, as an index into the table's actions, with its arguments. */
  public record ActionCall(int action, List<BigInteger> arguments) {}

  /**
   * An entry that the program declares.
   *
   * @param values values, or low ends of ranges, by key field
   * @param seconds masks, prefix lengths or high ends, by key field
   * @param priority higher wins
   */
  public record DeclaredEntry(
      List<BigInteger> values, List<BigInteger> seconds, int priority, ActionCall action) {}

  /**
   * The headers that become invalid when a header becomes valid: the other members of its union.
   */
  public List<Header> rivals(Header header) {
    List<Header> rivals = new ArrayList<>();
    for (HeaderUnion union : unions) {
      if (union.headers().contains(header)) {
        rivals.addAll(union.headers());
      }
    }
    rivals.remove(header);
    return rivals;
  }

  /** The primitives of all actions, in order; a choice is replaced by its alternatives. */
  public List<Primitive> steps() {
    List<Primitive> steps = new ArrayList<>();
    actions.forEach(action -> addSteps(action.body(), steps));
    return steps;
  }

  private static void addSteps(List<Primitive> body, List<Primitive> into) {
    for (Primitive step : body) {
      if (step instanceof Primitive.FirstOf firstOf) {
        addSteps(firstOf.choices(), into);
      } else {
        into.add(step);
      }
    }
  }

  /** The header of that name, or null. */
  public Header header(String name) {
    for (Header header : headers) {
      if (header.name().equals(name)) {
        return header;
      }
    }
    return null;
  }

  /**
   * The field of a name: by alias if there is one, else the field itself; null if the program has
   * none.
   */
  public Header.Ref known(String name) {
    return known(aliases, header(name.substring(0, name.indexOf('.'))), name);
  }

  public static Header.Ref known(Map<String, Header.Ref> aliases, Header header, String name) {
    Header.Ref alias = aliases.get(name);
    return alias != null || header == null
        ? alias
        : header.find(name.substring(name.indexOf('.') + 1));
  }
}
