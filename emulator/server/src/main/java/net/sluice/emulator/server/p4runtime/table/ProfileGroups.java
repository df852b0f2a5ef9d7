package net.sluice.emulator.server.p4runtime.table;

import com.google.rpc.Code;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.v1.P4RuntimeOuterClass.ActionProfileGroup;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Groups of action profiles with a selector (section 9.2.2). A {@code max_size} that is absent is
 * P4Info's {@code max_group_size} when a group is inserted and the group's own when it is modified,
 * as in bmv2's P4Runtime server; the specification wants it to be set.
 */
public record ProfileGroups(Parts<ActionProfileBinding> profiles) implements EntityKind {

  @Override
  public int p4Id(Entity entity) {
    return entity.getActionProfileGroup().getActionProfileId();
  }

  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    ActionProfileGroup entry = entity.getActionProfileGroup();
    ActionProfileBinding profile = profiles.get(entry.getActionProfileId());
    if (!profile.hasSelector()) {
      throw RpcException.invalid(profile.what() + " has no selector, and no groups");
    }
    int id = entry.getGroupId();
    if (id == 0) {
      throw RpcException.invalid("group_id is 0; a group of " + profile.what() + " has another");
    }
    String what = "group " + Integer.toUnsignedString(id) + " of " + profile.what();
    ActionProfileBinding.Group group = profile.groups.get(id);
    if (type == Update.Type.INSERT && group != null) {
      throw new RpcException(Code.ALREADY_EXISTS, what + " exists already");
    }
    if (type != Update.Type.INSERT && group == null) {
      throw new RpcException(Code.NOT_FOUND, what + " does not exist");
    }
    if (type == Update.Type.DELETE) {
      delete(profile, group, what, undo);
      return;
    }
    if (group == null) {
      profile.checkNoSets(what);
      checkMaxSize(profile, entry.getMaxSize(), what);
    } else if (entry.getMaxSize() == 0) {
      entry = entry.toBuilder().setMaxSize(group.message.getMaxSize()).build();
    } else if (entry.getMaxSize() != group.message.getMaxSize()) {
      throw RpcException.invalid(
          "%s: max_size is %s; it must stay %s as it was inserted",
          what, entry.getMaxSize(), group.message.getMaxSize());
    }
    Map<Integer, ActionProfileGroup.Member> wanted = members(profile, entry, what);
    long before = group == null ? 0 : profile.count(group.message);
    profile.checkRoomInGroups(profile.count(entry), before);
    profile.save(undo);
    if (group == null) {
      group = new ActionProfileBinding.Group(id, profile.profile().addGroup());
      profile.groups.put(id, group);
      profile.groupsByHandle.put(group.handle, group);
    }
    set(profile, group, wanted);
    ActionProfileGroup.Builder canonical = entry.toBuilder();
    for (ActionProfileGroup.Member.Builder member : canonical.getMembersBuilderList()) {
      WatchPorts.shorten(member, profile.portNames());
    }
    group.message = canonical.build();
  }

  private static void checkMaxSize(ActionProfileBinding profile, int maxSize, String what)
      throws RpcException {
    int most = profile.maxGroupSize();
    if (maxSize < 0 || most > 0 && maxSize > most) {
      throw RpcException.invalid(
          "%s: max_size is %s; it must be %s",
          what, maxSize, most > 0 ? "from 0 to " + most : "at least 0");
    }
    if (maxSize > ActionProfileBinding.MAX_GROUP) {
      throw new RpcException(
          Code.RESOURCE_EXHAUSTED,
          "%s: max_size is %s; at most %s is supported"
              .formatted(what, maxSize, ActionProfileBinding.MAX_GROUP));
    }
  }

  /** The members that a group shall have, checked, by id. */
  private static Map<Integer, ActionProfileGroup.Member> members(
      ActionProfileBinding profile, ActionProfileGroup entry, String what) throws RpcException {
    Map<Integer, ActionProfileGroup.Member> wanted = new LinkedHashMap<>();
    long count = 0;
    long weights = 0;
    for (ActionProfileGroup.Member member : entry.getMembersList()) {
      String id = Integer.toUnsignedString(member.getMemberId());
      WatchPorts.checkWeight(profile, member.getWeight(), "member " + id + " of " + what);
      WatchPorts.of(member, profile.portNames(), "member " + id + " of " + what);
      if (!profile.members.containsKey(member.getMemberId())) {
        throw new RpcException(
            Code.NOT_FOUND, what + ": " + profile.what() + " has no member " + id);
      }
      if (wanted.put(member.getMemberId(), member) != null) {
        throw RpcException.invalid(
            what + ": member " + id + " is given twice; give it a weight instead");
      }
      count += profile.countOf(member.getWeight());
      weights += profile.weightOf(member.getWeight());
    }
    int most = entry.getMaxSize() > 0 ? entry.getMaxSize() : profile.mostInGroup();
    if (count > most || weights > ActionProfileBinding.MAX_GROUP) {
      throw new RpcException(
          Code.RESOURCE_EXHAUSTED,
          what + ": its members and weights come to " + count + "; at most " + most + " fit");
    }
    return wanted;
  }

  /** Members change in the order of their ids, so that copies get the numbers bmv2 gives them. */
  private static void set(
      ActionProfileBinding profile,
      ActionProfileBinding.Group group,
      Map<Integer, ActionProfileGroup.Member> wanted)
      throws RpcException {
    TreeMap<Integer, ActionProfileBinding.Member> touched = new TreeMap<>(Integer::compareUnsigned);
    for (ActionProfileGroup.Member old : group.message.getMembersList()) {
      touched.put(old.getMemberId(), profile.members.get(old.getMemberId()));
    }
    wanted.keySet().forEach(id -> touched.put(id, profile.members.get(id)));
    int total = wanted.values().stream().mapToInt(m -> profile.weightOf(m.getWeight())).sum();
    int[] handles = new int[total];
    int[] ports = new int[total];
    int n = 0;
    for (ActionProfileBinding.Member member : touched.values()) {
      ActionProfileGroup.Member entry = wanted.get(member.id);
      if (entry == null) {
        member.weights.remove(group.id);
        continue;
      }
      int weight = profile.weightOf(entry.getWeight());
      member.weights.put(group.id, weight);
      ProfileMembers.addCopies(profile, member);
      int port = WatchPorts.of(entry, profile.portNames(), "");
      for (int i = 0; i < weight; i++) {
        handles[n] = member.handles.get(i);
        ports[n++] = port;
      }
    }
    profile.profile().setGroup(group.handle, handles, ports);
    touched.values().forEach(member -> ProfileMembers.removeCopies(profile, member));
  }

  private static void delete(
      ActionProfileBinding profile, ActionProfileBinding.Group group, String what, UndoLog undo)
      throws RpcException {
    if (group.entries > 0) {
      throw new RpcException(
          Code.FAILED_PRECONDITION,
          what + " is in use: " + group.entries + " table entries refer to it");
    }
    profile.save(undo);
    profile.profile().removeGroup(group.handle);
    profile.groups.remove(group.id);
    profile.groupsByHandle.remove(group.handle);
    TreeMap<Integer, ActionProfileBinding.Member> members = new TreeMap<>(Integer::compareUnsigned);
    for (ActionProfileGroup.Member old : group.message.getMembersList()) {
      members.put(old.getMemberId(), profile.members.get(old.getMemberId()));
    }
    for (ActionProfileBinding.Member member : members.values()) {
      member.weights.remove(group.id);
      ProfileMembers.removeCopies(profile, member);
    }
  }

  /** Asks for one, all of a profile, or all. */
  @Override
  public Query read(Entity entity) throws RpcException {
    ActionProfileGroup filter = entity.getActionProfileGroup();
    Collection<ActionProfileBinding> asked =
        ActionProfileBinding.asked(
            profiles, filter.getActionProfileId(), filter.getGroupId(), "group_id");
    return answer ->
        answer.addAll(
            asked.stream()
                .flatMap(
                    profile ->
                        profile.groups.values().stream()
                            .filter(g -> filter.getGroupId() == 0 || g.id == filter.getGroupId()))
                .map(group -> Entity.newBuilder().setActionProfileGroup(group.message).build())
                .toList());
  }
}
