package net.sluice.emulator.server.p4runtime.table;

import com.google.rpc.Code;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.StringType;
import net.sluice.emulator.server.p4runtime.value.TranslatedTypes;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.codegen.PipelineCompiler;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.table.ActionProfile;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.ActionProfileActionSet;
import p4.v1.P4RuntimeOuterClass.ActionProfileGroup;

/**
 * An action profile as P4Runtime sees it: members and groups by the controller's ids, and the
 * groups that entries brought along as action sets ("one shots"). A member of weight w in some
 * group stands w times in the pipeline's profile, as in bmv2's P4Runtime server.
 */
public final class ActionProfileBinding {

  /** Most members or weights in a group, whatever P4Info allows. */
  static final int MAX_GROUP = 1 << 16;

  /** A member. */
  static final class Member {
    final int id;
    BoundTable.ActionBinding action;
    long[] data;

    /** Its numbers in the pipeline, one for each time that a group may count it. */
    final List<Integer> handles = new ArrayList<>();

    /** Weights by group id. */
    final Map<Integer, Integer> weights = new HashMap<>();

    /** Entries that refer to it. */
    int entries;

    Member(int id) {
      this.id = id;
    }

    int copies() {
      return weights.values().stream().mapToInt(w -> w).max().orElse(1);
    }

    private Member copy() {
      Member copy = new Member(id);
      copy.action = action;
      copy.data = data;
      copy.handles.addAll(handles);
      copy.weights.putAll(weights);
      copy.entries = entries;
      return copy;
    }
  }

  /** A group; {@code message} is what the controller wrote. */
  static final class Group {
    final int id;
    final int handle;
    ActionProfileGroup message = ActionProfileGroup.getDefaultInstance();
    int entries;

    Group(int id, int handle) {
      this.id = id;
      this.handle = handle;
    }

    private Group copy() {
      Group copy = new Group(id, handle);
      copy.message = message;
      copy.entries = entries;
      return copy;
    }
  }

  /** A group that came with an entry: what the controller wrote, and its members' numbers. */
  record OneShot(ActionProfileActionSet message, List<Integer> handles) {}

  private final int id;
  private final ActionProfile profile;
  private final boolean selector;
  private final boolean countsMembers;
  private final boolean withoutWeights;
  private final int maxMemberWeight;
  private final long size;
  private final int maxGroupSize;
  private final Map<Integer, BoundTable.ActionBinding> actions = new LinkedHashMap<>();

  final TreeMap<Integer, Member> members = new TreeMap<>(Integer::compareUnsigned);
  final TreeMap<Integer, Group> groups = new TreeMap<>(Integer::compareUnsigned);
  final Map<Integer, Member> membersByHandle = new HashMap<>();
  final Map<Integer, Group> groupsByHandle = new HashMap<>();
  final Map<Integer, OneShot> oneShots = new HashMap<>();

  private final StringType portNames;

  private ActionProfileBinding(
      P4InfoOuterClass.ActionProfile info, ActionProfile profile, StringType portNames) {
    this.portNames = portNames;
    this.id = info.getPreamble().getId();
    this.profile = profile;
    this.selector = info.getWithSelector();
    this.size = info.getSize();
    this.maxGroupSize = info.getMaxGroupSize();
    this.withoutWeights = info.getWeightsDisallowed();
    this.countsMembers = info.hasSumOfMembers();
    this.maxMemberWeight = info.getSumOfMembers().getMaxMemberWeight();
  }

  /** Pairs a P4Info's action profiles with those of a program. */
  public static Map<Integer, ActionProfileBinding> of(
      P4Info info, LoadedProgram program, TranslatedTypes types) throws RpcException {
    Map<Integer, P4InfoOuterClass.Action> byId = BoundTable.actionsById(info);
    Map<Integer, ActionProfileBinding> bindings = new LinkedHashMap<>();
    for (P4InfoOuterClass.ActionProfile declared : info.getActionProfilesList()) {
      String name = declared.getPreamble().getName();
      Program.ActionProfileDef def = find(program, name);
      boolean used =
          info.getTablesList().stream()
              .anyMatch(t -> t.getImplementationId() == declared.getPreamble().getId());
      if (def == null && !used) {
        // The compiler leaves out what no table uses; nothing can be written to it.
        ActionProfileBinding unused =
            new ActionProfileBinding(declared, new ActionProfile(name, 0, 0), types.ports());
        bindings.put(unused.id, unused);
        continue;
      }
      if (def == null) {
        throw RpcException.invalid("action profile '" + name + "' is missing in the device config");
      }
      if (declared.getWeightsDisallowed() && !declared.getWithSelector()) {
        throw RpcException.invalid(
            "action profile '"
                + name
                + "' has weights_disallowed in P4Info, which only one with a selector may have");
      }
      if (declared.getWithSelector() != (def.selector() != null)) {
        throw RpcException.invalid(
            "action profile '%s' has %s selector in P4Info and %s in the device config",
            name, declared.getWithSelector() ? "a" : "no", def.selector() == null ? "none" : "one");
      }
      ActionProfileBinding binding =
          new ActionProfileBinding(
              declared, program.state().profiles().get(def.index()), types.ports());
      for (P4InfoOuterClass.Table table : info.getTablesList()) {
        if (table.getImplementationId() == binding.id) {
          binding.addActions(table, byId, program, types);
        }
      }
      bindings.put(binding.id, binding);
    }
    return bindings;
  }

  private static Program.ActionProfileDef find(LoadedProgram program, String name) {
    for (Program.ActionProfileDef def : program.program().actionProfiles()) {
      if (def.name().equals(name)) {
        return def;
      }
    }
    return null;
  }

  private void addActions(
      P4InfoOuterClass.Table info,
      Map<Integer, P4InfoOuterClass.Action> byId,
      LoadedProgram program,
      TranslatedTypes types)
      throws RpcException {
    String name = info.getPreamble().getName();
    for (Program.Table table : program.tables()) {
      if (table.name().equals(name)) {
        for (BoundTable.ActionBinding action :
            BoundTable.actions(info, byId, types, table, "table '" + name + "'")) {
          Program.Action compiled = table.actions().get(action.index());
          actions.put(
              action.id(),
              action.withIndex(PipelineCompiler.profileIndex(program.program(), compiled)));
        }
      }
    }
  }

  int id() {
    return id;
  }

  /** How the bytes of watched ports are taken as strings; null for as numbers. */
  StringType portNames() {
    return portNames;
  }

  /** P4 name. */
  String name() {
    return profile.name();
  }

  /** Its name in messages. */
  String what() {
    return "action profile '" + name() + "'";
  }

  ActionProfile profile() {
    return profile;
  }

  /** Whether it has groups. */
  boolean hasSelector() {
    return selector;
  }

  /** Most that a group may have by P4Info, 0 if it does not say. */
  int maxGroupSize() {
    return maxGroupSize;
  }

  /** Most that a group may have which does not say itself. */
  int mostInGroup() {
    return maxGroupSize > 0 ? maxGroupSize : MAX_GROUP;
  }

  /** Most weight that one member may have, 0 if P4Info does not say. */
  int maxMemberWeight() {
    return maxMemberWeight;
  }

  /** Whether the controller gives no weights: every member of a group is as likely as another. */
  boolean withoutWeights() {
    return withoutWeights;
  }

  /** How often a member of a written weight stands in a group. */
  int weightOf(int written) {
    return withoutWeights ? 1 : written;
  }

  /** Share of {@link #maxGroupSize} and of the size that a member of a written weight takes. */
  int countOf(int written) {
    return countsMembers ? 1 : weightOf(written);
  }

  /** The same within a set of actions, which may say how it is counted. */
  int countOf(int written, ActionProfileActionSet set) {
    return switch (set.getSizeSemantics()) {
      case SUM_OF_MEMBERS -> 1;
      case SUM_OF_WEIGHTS -> weightOf(written);
      default -> countOf(written);
    };
  }

  /**
   * Refuses a member that does not fit any more; a selector's size limits its groups instead.
   *
   * @throws RpcException RESOURCE_EXHAUSTED
   */
  void checkRoomForMember() throws RpcException {
    if (!selector && size > 0 && members.size() >= size) {
      throw new RpcException(
          Code.RESOURCE_EXHAUSTED, what() + " is full: it takes " + size + " members");
    }
  }

  /**
   * Refuses a member or a group while there are sets of actions: a profile is programmed in one of
   * the two ways.
   *
   * @param added what would be added
   * @throws RpcException INVALID_ARGUMENT
   */
  void checkNoSets(String added) throws RpcException {
    if (!oneShots.isEmpty()) {
      throw RpcException.invalid(
          "%s cannot be added while entries have sets of actions (%s have): both ways of"
              + " programming a selector do not mix",
          added, oneShots.size());
    }
  }

  /**
   * Refuses a set of actions while there are members or groups.
   *
   * @throws RpcException INVALID_ARGUMENT
   */
  void checkOnlySets(String table) throws RpcException {
    if (!members.isEmpty() || !groups.isEmpty()) {
      throw RpcException.invalid(
          "a set of actions cannot be given to an entry of table '%s' while %s has members"
              + " or groups (%s and %s): both ways of programming a selector do not mix",
          table, what(), members.size(), groups.size());
    }
  }

  /**
   * Refuses groups that would grow too large together.
   *
   * @param more what would be added to all groups
   * @param less what would be taken away
   * @throws RpcException RESOURCE_EXHAUSTED
   */
  void checkRoomInGroups(long more, long less) throws RpcException {
    if (size == 0 || more <= less) {
      return;
    }
    long total = more - less;
    for (Group group : groups.values()) {
      total += count(group.message);
    }
    for (OneShot oneShot : oneShots.values()) {
      total += count(oneShot.message());
    }
    if (total > size) {
      throw new RpcException(
          Code.RESOURCE_EXHAUSTED,
          "%s is full: all groups together would have %s%s, it takes %s"
              .formatted(what(), total, countsMembers ? " members" : " weights", size));
    }
  }

  long count(ActionProfileGroup group) {
    return group.getMembersList().stream().mapToLong(m -> countOf(m.getWeight())).sum();
  }

  long count(ActionProfileActionSet set) {
    return set.getActionProfileActionsList().stream()
        .mapToLong(a -> countOf(a.getWeight(), set))
        .sum();
  }

  /**
   * Reads an action that a member may have.
   *
   * @param data takes its arguments
   */
  BoundTable.ActionBinding readAction(Action action, long[] data) throws RpcException {
    BoundTable.ActionBinding found = actions.get(action.getActionId());
    if (found == null) {
      throw RpcException.invalid(
          what() + " has no action with id " + Integer.toUnsignedString(action.getActionId()));
    }
    if (!found.allowedInEntries()) {
      throw new RpcException(
          Code.PERMISSION_DENIED,
          what() + ": action '" + found.name() + "' is for the default entry only");
    }
    ActionArguments.read(action, found, data);
    return found;
  }

  /** Room for a member's action data. */
  long[] newData() {
    return new long[profile.dataWords()];
  }

  /** Notes the state of now in a log, once a batch. */
  void save(UndoLog undo) {
    if (undo != null) {
      undo.addOnce(this, this::snapshot);
    }
  }

  private Runnable snapshot() {
    Runnable pipeline = profile.snapshot();
    List<Member> savedMembers = members.values().stream().map(Member::copy).toList();
    List<Group> savedGroups = groups.values().stream().map(Group::copy).toList();
    Map<Integer, OneShot> savedOneShots = new HashMap<>(oneShots);
    return () -> {
      pipeline.run();
      members.clear();
      membersByHandle.clear();
      for (Member member : savedMembers) {
        members.put(member.id, member);
        member.handles.forEach(handle -> membersByHandle.put(handle, member));
      }
      groups.clear();
      groupsByHandle.clear();
      for (Group group : savedGroups) {
        groups.put(group.id, group);
        groupsByHandle.put(group.handle, group);
      }
      oneShots.clear();
      oneShots.putAll(savedOneShots);
    };
  }

  /**
   * The action profiles that a read request means: one, or all for the id 0.
   *
   * @param within what it asks for in there, 0 for everything
   * @param field that {@code within} is of
   */
  static Collection<ActionProfileBinding> asked(
      Parts<ActionProfileBinding> profiles, int id, int within, String field) throws RpcException {
    if (id != 0) {
      return List.of(profiles.get(id));
    }
    if (within != 0) {
      throw RpcException.invalid(
          "action_profile_id is 0, which means every action profile; no %s can go with it", field);
    }
    return profiles.all();
  }
}
