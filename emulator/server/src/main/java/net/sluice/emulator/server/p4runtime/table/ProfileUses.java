package net.sluice.emulator.server.p4runtime.table;

import com.google.rpc.Code;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.v1.P4RuntimeOuterClass.ActionProfileAction;
import p4.v1.P4RuntimeOuterClass.ActionProfileActionSet;
import p4.v1.P4RuntimeOuterClass.TableAction;

/**
 * References of one table's entries into its action profile: a member, a group, or a group of their
 * own that comes and goes with the entry.
 */
final class ProfileUses {

  private static final long NOT_YET = -1;

  private final ActionProfileBinding profile;
  private final BoundTable.ActionBinding memberUse;
  private final BoundTable.ActionBinding groupUse;

  /**
   * @param memberAction what the pipeline calls the action of an entry that refers to a member
   * @param groupAction and to a group
   */
  ProfileUses(ActionProfileBinding profile, int memberAction, int groupAction) {
    this.profile = profile;
    this.memberUse = BoundTable.ActionBinding.internal(memberAction);
    this.groupUse = BoundTable.ActionBinding.internal(groupAction);
  }

  /**
   * Checks what an entry refers to.
   *
   * @param data takes the number of the member or group, if it has one yet
   * @throws RpcException INVALID_ARGUMENT if it is not for this table, NOT_FOUND if there is no
   *     such member or group
   */
  BoundTable.ActionBinding read(String table, TableAction action, long[] data) throws RpcException {
    Arrays.fill(data, 0);
    switch (action.getTypeCase()) {
      case ACTION_PROFILE_MEMBER_ID:
        data[0] = member(action.getActionProfileMemberId()).handles.get(0);
        return memberUse;
      case ACTION_PROFILE_GROUP_ID:
        checkSelector(table, action);
        data[0] = group(action.getActionProfileGroupId()).handle;
        return groupUse;
      case ACTION_PROFILE_ACTION_SET:
        checkSelector(table, action);
        canonical(action.getActionProfileActionSet(), table);
        profile.checkOnlySets(table);
        data[0] = NOT_YET;
        return groupUse;
      default:
        throw RpcException.invalid(
            "table '%s' takes %s of %s; the entry gives %s",
            table,
            profile.hasSelector() ? "a member, a group or a set of actions" : "a member",
            profile.what(),
            action.getTypeCase());
    }
  }

  private void checkSelector(String table, TableAction action) throws RpcException {
    if (!profile.hasSelector()) {
      throw RpcException.invalid(
          "table '%s' takes a member of %s, which has no selector; the entry gives %s",
          table, profile.what(), action.getTypeCase());
    }
  }

  private ActionProfileBinding.Member member(int id) throws RpcException {
    ActionProfileBinding.Member member = profile.members.get(id);
    if (member == null) {
      throw new RpcException(
          Code.NOT_FOUND, profile.what() + " has no member " + Integer.toUnsignedString(id));
    }
    return member;
  }

  private ActionProfileBinding.Group group(int id) throws RpcException {
    ActionProfileBinding.Group group = profile.groups.get(id);
    if (group == null) {
      throw new RpcException(
          Code.NOT_FOUND, profile.what() + " has no group " + Integer.toUnsignedString(id));
    }
    return group;
  }

  /** Checks a set of actions and writes its values in their shortest form. */
  private ActionProfileActionSet canonical(ActionProfileActionSet set, String table)
      throws RpcException {
    checkModes(set, table);
    ActionProfileActionSet.Builder built = set.toBuilder().clearActionProfileActions();
    long weights = 0;
    long count = 0;
    for (int i = 0; i < set.getActionProfileActionsCount(); i++) {
      ActionProfileAction action = set.getActionProfileActions(i);
      String what = "action " + (i + 1) + " of the set of an entry of table '" + table + "'";
      WatchPorts.checkWeight(profile, action.getWeight(), what);
      WatchPorts.of(action, profile.portNames(), what);
      long[] data = profile.newData();
      BoundTable.ActionBinding bound = profile.readAction(action.getAction(), data);
      ActionProfileAction.Builder canonical = built.addActionProfileActionsBuilder();
      canonical.mergeFrom(action).setAction(ActionArguments.write(bound, data));
      WatchPorts.shorten(canonical, profile.portNames());
      weights += profile.weightOf(action.getWeight());
      count += profile.countOf(action.getWeight(), set);
    }
    int most = profile.mostInGroup();
    if (count > most || weights > ActionProfileBinding.MAX_GROUP) {
      throw RpcException.invalid(
          "the set of an entry of table '%s' comes to %s; a group of %s takes at most %s",
          table, count, profile.what(), most);
    }
    return built.build();
  }

  private static void checkModes(ActionProfileActionSet set, String table) throws RpcException {
    checkMode(
        "action_selection_mode",
        set.getActionSelectionModeValue(),
        "1 (HASH) or 2 (RANDOM)",
        table);
    checkMode(
        "size_semantics",
        set.getSizeSemanticsValue(),
        "1 (SUM_OF_WEIGHTS) or 2 (SUM_OF_MEMBERS)",
        table);
    if (set.hasGroupAction()) {
      throw new RpcException(
          Code.UNIMPLEMENTED,
          "group_action of the set of an entry of table '"
              + table
              + "' is set; only the action of the member that is picked is executed");
    }
  }

  private static void checkMode(String field, int value, String allowed, String table)
      throws RpcException {
    if (value < 0 || value > 2) {
      throw RpcException.invalid(
          "%s %s of the set of an entry of table '%s' must be 0 (as the selector has it), %s",
          field, value, table, allowed);
    }
  }

  /**
   * Notes that an entry refers to what {@link #read} has checked, or makes its group.
   *
   * @param data gets the group's number
   * @param replaced what the entry refers to so far, null if it is new
   * @throws RpcException RESOURCE_EXHAUSTED if the group does not fit
   */
  void acquire(String table, TableAction action, long[] data, long[] replaced, UndoLog undo)
      throws RpcException {
    switch (action.getTypeCase()) {
      case ACTION_PROFILE_MEMBER_ID:
        profile.save(undo);
        member(action.getActionProfileMemberId()).entries++;
        return;
      case ACTION_PROFILE_GROUP_ID:
        profile.save(undo);
        group(action.getActionProfileGroupId()).entries++;
        return;
      default:
        ActionProfileActionSet set = canonical(action.getActionProfileActionSet(), table);
        ActionProfileBinding.OneShot old =
            replaced == null ? null : profile.oneShots.get((int) replaced[0]);
        profile.checkRoomInGroups(
            profile.count(set), old == null ? 0 : profile.count(old.message()));
        profile.save(undo);
        data[0] = add(set);
    }
  }

  /** Members first, then the group: the numbers they get are those that bmv2 gives them. */
  private int add(ActionProfileActionSet set) throws RpcException {
    List<Integer> handles = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    for (ActionProfileAction action : set.getActionProfileActionsList()) {
      long[] data = profile.newData();
      BoundTable.ActionBinding bound = profile.readAction(action.getAction(), data);
      for (int i = profile.weightOf(action.getWeight()); i > 0; i--) {
        handles.add(profile.profile().addMember(bound.index(), data));
        ports.add(WatchPorts.of(action, profile.portNames(), ""));
      }
    }
    int group = profile.profile().addGroup();
    profile
        .profile()
        .setGroup(
            group,
            handles.stream().mapToInt(h -> h).toArray(),
            ports.stream().mapToInt(p -> p).toArray());
    profile
        .profile()
        .setRandom(
            group,
            set.getActionSelectionMode() == ActionProfileActionSet.ActionSelectionMode.RANDOM);
    profile.oneShots.put(group, new ActionProfileBinding.OneShot(set, handles));
    return group;
  }

  /** Notes that an entry does not refer any more to what it did. */
  void release(int action, long reference, UndoLog undo) {
    profile.save(undo);
    int handle = (int) reference;
    if (action == memberUse.index()) {
      profile.membersByHandle.get(handle).entries--;
      return;
    }
    ActionProfileBinding.OneShot oneShot = profile.oneShots.remove(handle);
    if (oneShot == null) {
      profile.groupsByHandle.get(handle).entries--;
      return;
    }
    profile.profile().removeGroup(handle);
    oneShot.handles().forEach(profile.profile()::removeMember);
  }

  /** An entry's reference, as the controller wrote it. */
  TableAction write(int action, long reference) {
    TableAction.Builder built = TableAction.newBuilder();
    int handle = (int) reference;
    if (action == memberUse.index()) {
      return built.setActionProfileMemberId(profile.membersByHandle.get(handle).id).build();
    }
    ActionProfileBinding.OneShot oneShot = profile.oneShots.get(handle);
    return oneShot == null
        ? built.setActionProfileGroupId(profile.groupsByHandle.get(handle).id).build()
        : built.setActionProfileActionSet(oneShot.message()).build();
  }
}
