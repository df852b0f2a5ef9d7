package net.sluice.emulator.server.p4runtime.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.StringType;
import net.sluice.emulator.server.p4runtime.value.TranslatedTypes;
import net.sluice.emulator.v1model.codegen.PipelineCompiler;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.table.MatchKind;
import net.sluice.emulator.v1model.table.MatchTable;
import net.sluice.emulator.v1model.table.WordLayout;
import p4.config.v1.P4InfoOuterClass;

/** A table as P4Runtime numbers it and as the pipeline has it. */
public final class BoundTable {

  /**
   * An action of a table; {@code parameterIds} is parallel to the fields of {@code layout}, and so
   * is {@code strings}, which has null for those that are written as numbers.
   */
  record ActionBinding(
      int id,
      String name,
      int index,
      WordLayout layout,
      int[] parameterIds,
      StringType[] strings,
      boolean allowedInEntries,
      boolean allowedAsDefault) {

    /** The same under another index. */
    ActionBinding withIndex(int other) {
      return new ActionBinding(
          id, name, other, layout, parameterIds, strings, allowedInEntries, allowedAsDefault);
    }

    /** The action of entries that refer to an action profile. */
    static ActionBinding internal(int index) {
      return new ActionBinding(
          0, "", index, WordLayout.of(List.of()), new int[0], new StringType[0], true, false);
    }
  }

  private final int id;
  private final String name;
  private final MatchTable table;
  private final int[] fieldIds;
  private final MatchKind[] kinds;
  private final List<ActionBinding> actions;
  private final boolean entriesConst;
  private final boolean defaultConst;
  private final boolean prioritized;
  private final int size;
  private final int directCounterId;
  private final int directMeterId;
  private final ProfileUses profile;
  private final boolean timeouts;
  private final StringType[] strings;

  private BoundTable(
      int id,
      MatchTable table,
      int[] fieldIds,
      MatchKind[] kinds,
      List<ActionBinding> actions,
      boolean entriesConst,
      boolean defaultConst,
      int size,
      int directCounterId,
      int directMeterId,
      ProfileUses profile,
      boolean timeouts,
      StringType[] strings) {
    this.id = id;
    this.strings = strings;
    this.profile = profile;
    this.size = size;
    this.name = table.name();
    this.table = table;
    this.fieldIds = fieldIds;
    this.kinds = kinds;
    this.actions = actions;
    this.entriesConst = entriesConst;
    this.defaultConst = defaultConst;
    this.prioritized =
        Arrays.stream(kinds).anyMatch(k -> k != MatchKind.EXACT && k != MatchKind.LPM);
    this.directCounterId = directCounterId;
    this.directMeterId = directMeterId;
    this.timeouts = timeouts;
  }

  /**
   * Pairs a table's P4Info with the compiled table of the same name.
   *
   * @param actionsById the P4Info's actions
   * @param profiles the P4Info's action profiles, by id
   * @param types the P4Info's translated types
   * @throws RpcException INVALID_ARGUMENT if the two do not describe the same table
   */
  public static BoundTable bind(
      P4InfoOuterClass.Table info,
      Map<Integer, P4InfoOuterClass.Action> actionsById,
      Map<Integer, ActionProfileBinding> profiles,
      TranslatedTypes types,
      Program.Table compiled,
      MatchTable table)
      throws RpcException {
    String what = "table '" + compiled.name() + "'";
    List<WordLayout.Field> fields = table.layout().fields();
    if (info.getMatchFieldsCount() != fields.size()) {
      throw RpcException.invalid(
          "%s has %s match fields in P4Info and %s in the device config",
          what, info.getMatchFieldsCount(), fields.size());
    }
    int[] fieldIds = new int[fields.size()];
    MatchKind[] kinds = new MatchKind[fields.size()];
    StringType[] strings = new StringType[fields.size()];
    for (int i = 0; i < fieldIds.length; i++) {
      P4InfoOuterClass.MatchField field = info.getMatchFields(i);
      kinds[i] = kind(field, fields.get(i), what);
      fieldIds[i] = field.getId();
      strings[i] = strings(field, kinds[i], types, what);
    }
    List<ActionBinding> actions = actions(info, actionsById, types, compiled, what);
    return new BoundTable(
        info.getPreamble().getId(),
        table,
        fieldIds,
        kinds,
        actions,
        entriesConst(info, compiled, table),
        info.getConstDefaultActionId() != 0
            || compiled.defaultActionConst()
            || compiled.profile() != null,
        (int) Math.min(info.getSize(), table.limit()),
        0,
        0,
        profile(info, profiles, compiled, what),
        timeouts(info, compiled, what),
        strings);
  }

  /** How the strings of a match field are taken, or null if it is matched as a number. */
  private static StringType strings(
      P4InfoOuterClass.MatchField field, MatchKind kind, TranslatedTypes types, String what)
      throws RpcException {
    StringType strings = types.strings(field.getTypeName());
    if (strings != null && kind != MatchKind.EXACT && kind != MatchKind.OPTIONAL) {
      throw RpcException.invalid(
          "%s: match field '%s' is %s on strings of type '%s'; strings are matched EXACT or"
              + " OPTIONAL",
          what, field.getName(), kind, field.getTypeName().getName());
    }
    return strings;
  }

  /** The actions that a P4Info lists for a table, with their indexes in the table. */
  static List<ActionBinding> actions(
      P4InfoOuterClass.Table info,
      Map<Integer, P4InfoOuterClass.Action> actionsById,
      TranslatedTypes types,
      Program.Table compiled,
      String what)
      throws RpcException {
    List<ActionBinding> actions = new ArrayList<>();
    for (P4InfoOuterClass.ActionRef ref : info.getActionRefsList()) {
      P4InfoOuterClass.Action action = actionsById.get(ref.getId());
      if (action == null) {
        throw RpcException.invalid(
            what + " refers to action " + ref.getId() + ", which P4Info does not have");
      }
      actions.add(bind(action, ref.getScope(), types, compiled, what));
    }
    return List.copyOf(actions);
  }

  private static ProfileUses profile(
      P4InfoOuterClass.Table info,
      Map<Integer, ActionProfileBinding> profiles,
      Program.Table compiled,
      String what)
      throws RpcException {
    ActionProfileBinding profile = profiles.get(info.getImplementationId());
    String declared =
        info.getImplementationId() == 0
            ? null
            : profile == null ? "with id " + info.getImplementationId() : profile.name();
    String existing = compiled.profile() == null ? null : compiled.profile().name();
    if (!Objects.equals(declared, existing)) {
      throw RpcException.invalid(
          "%s has %s in P4Info and %s in the device config",
          what,
          declared == null ? "no action profile" : "action profile '" + declared + "'",
          existing == null ? "none" : "'" + existing + "'");
    }
    return profile == null
        ? null
        : new ProfileUses(
            profile,
            PipelineCompiler.memberAction(compiled),
            PipelineCompiler.groupAction(compiled));
  }

  /**
   * Whether the program's entries are all there may be. The device config does not tell them from
   * entries that a table only begins with; P4Info does.
   */
  private static boolean entriesConst(
      P4InfoOuterClass.Table info, Program.Table compiled, MatchTable table) {
    if (!info.getIsConstTable() && !compiled.entries().isEmpty()) {
      // The compiler leaves room for these entries only.
      table.makeMutable((int) Math.min(info.getSize(), Integer.MAX_VALUE));
    }
    return info.getIsConstTable();
  }

  private static boolean timeouts(P4InfoOuterClass.Table info, Program.Table compiled, String what)
      throws RpcException {
    boolean wanted =
        info.getIdleTimeoutBehavior() != P4InfoOuterClass.Table.IdleTimeoutBehavior.NO_TIMEOUT;
    if (wanted && !compiled.timeouts()) {
      throw RpcException.invalid(
          what + " has idle timeouts in P4Info and no support_timeout in the device config");
    }
    return wanted;
  }

  /** The kind that P4Info gives a field; an optional one is ternary to the compiler. */
  private static MatchKind kind(
      P4InfoOuterClass.MatchField info, WordLayout.Field compiled, String what)
      throws RpcException {
    for (MatchKind kind : MatchKind.values()) {
      boolean same =
          kind == compiled.kind()
              || kind == MatchKind.OPTIONAL && compiled.kind() == MatchKind.TERNARY;
      if (same
          && kind.name().equals(info.getMatchType().name())
          && TranslatedTypes.agree(info.getBitwidth(), info.hasTypeName(), compiled.widthBits())) {
        return kind;
      }
    }
    throw RpcException.invalid(
        "%s: match field '%s' is %s on %s bits in P4Info and %s on %s bits in the device config",
        what,
        info.getName(),
        info.getMatchType(),
        info.getBitwidth(),
        compiled.kind(),
        compiled.widthBits());
  }

  private static ActionBinding bind(
      P4InfoOuterClass.Action info,
      P4InfoOuterClass.ActionRef.Scope scope,
      TranslatedTypes types,
      Program.Table compiled,
      String what)
      throws RpcException {
    String name = info.getPreamble().getName();
    for (int i = 0; i < compiled.actions().size(); i++) {
      Program.Action action = compiled.actions().get(i);
      if (action.name().equals(name)) {
        if (info.getParamsCount() != action.parameters().size()) {
          throw RpcException.invalid(
              "%s: action '%s' has %s parameters in P4Info and %s in the device config",
              what, name, info.getParamsCount(), action.parameters().size());
        }
        int[] ids = new int[info.getParamsCount()];
        StringType[] strings = new StringType[ids.length];
        for (int p = 0; p < ids.length; p++) {
          if (!TranslatedTypes.agree(
              info.getParams(p).getBitwidth(),
              info.getParams(p).hasTypeName(),
              action.parameters().get(p).widthBits())) {
            throw RpcException.invalid(
                "%s: parameter '%s' of action '%s' has %s bits in P4Info and %s in the"
                    + " device config",
                what,
                info.getParams(p).getName(),
                name,
                info.getParams(p).getBitwidth(),
                action.parameters().get(p).widthBits());
          }
          ids[p] = info.getParams(p).getId();
          strings[p] = types.strings(info.getParams(p).getTypeName());
        }
        return new ActionBinding(
            info.getPreamble().getId(),
            name,
            i,
            PipelineCompiler.parameters(action),
            ids,
            strings,
            scope != P4InfoOuterClass.ActionRef.Scope.DEFAULT_ONLY,
            scope != P4InfoOuterClass.ActionRef.Scope.TABLE_ONLY);
      }
    }
    throw RpcException.invalid(what + " has no action '" + name + "' in the device config");
  }

  /** The same with its direct counter's id. */
  public BoundTable withDirectCounter(int counterId) {
    return with(counterId, directMeterId);
  }

  /** The same with its direct meter's id. */
  public BoundTable withDirectMeter(int meterId) {
    return with(directCounterId, meterId);
  }

  private BoundTable with(int counterId, int meterId) {
    return new BoundTable(
        id,
        table,
        fieldIds,
        kinds,
        actions,
        entriesConst,
        defaultConst,
        size,
        counterId,
        meterId,
        profile,
        timeouts,
        strings);
  }

  /** Whether entries can have an idle timeout. */
  public boolean hasTimeouts() {
    return timeouts;
  }

  boolean hasDirectMeter() {
    return directMeterId != 0;
  }

  public int id() {
    return id;
  }

  String name() {
    return name;
  }

  public MatchTable table() {
    return table;
  }

  WordLayout layout() {
    return table.layout();
  }

  /** How a key field is matched, in P4Runtime's terms. */
  MatchKind kind(int index) {
    return kinds[index];
  }

  int fieldId(int index) {
    return fieldIds[index];
  }

  /** How the strings of a key field are taken; null if it is matched as a number. */
  StringType strings(int index) {
    return strings[index];
  }

  /** The key field with an id, as an index; -1 if there is none. */
  int fieldIndex(int fieldId) {
    for (int i = 0; i < fieldIds.length; i++) {
      if (fieldIds[i] == fieldId) {
        return i;
      }
    }
    return -1;
  }

  /** The action with an id, or null. */
  ActionBinding action(int actionId) {
    for (ActionBinding action : actions) {
      if (action.id() == actionId) {
        return action;
      }
    }
    return null;
  }

  /** The action that the pipeline numbers so, or null if P4Info does not have it. */
  ActionBinding actionAt(int index) {
    for (ActionBinding action : actions) {
      if (action.index() == index) {
        return action;
      }
    }
    return null;
  }

  /** The profile that its entries refer to instead of having actions, or null. */
  ProfileUses profile() {
    return profile;
  }

  /** Whether the program's entries are all there may be. */
  public boolean entriesConst() {
    return entriesConst;
  }

  /** Entries that the table takes. */
  int size() {
    return size;
  }

  boolean isFull() {
    return table.size() >= size;
  }

  /** Whether the default entry cannot be modified. */
  public boolean defaultConst() {
    return defaultConst;
  }

  /** Whether entries need a priority. */
  boolean prioritized() {
    return prioritized;
  }

  boolean hasDirectCounter() {
    return directCounterId != 0;
  }

  /** Pairs of what a P4Info lists, by id. */
  public static Map<Integer, P4InfoOuterClass.Action> actionsById(P4InfoOuterClass.P4Info info) {
    Map<Integer, P4InfoOuterClass.Action> byId = new HashMap<>();
    for (P4InfoOuterClass.Action action : info.getActionsList()) {
      byId.put(action.getPreamble().getId(), action);
    }
    return byId;
  }
}
