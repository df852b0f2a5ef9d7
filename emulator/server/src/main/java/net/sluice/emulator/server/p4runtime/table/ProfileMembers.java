package net.sluice.emulator.server.p4runtime.table;

import com.google.rpc.Code;
import java.util.Collection;
import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.v1.P4RuntimeOuterClass.ActionProfileMember;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/** Members of action profiles (section 9.2.1). */
public record ProfileMembers(Parts<ActionProfileBinding> profiles) implements EntityKind {

  @Override
  public int p4Id(Entity entity) {
    return entity.getActionProfileMember().getActionProfileId();
  }

  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    ActionProfileMember entry = entity.getActionProfileMember();
    ActionProfileBinding profile = profiles.get(entry.getActionProfileId());
    int id = entry.getMemberId();
    if (id == 0) {
      throw RpcException.invalid("member_id is 0; a member of " + profile.what() + " has another");
    }
    String what = "member " + Integer.toUnsignedString(id) + " of " + profile.what();
    ActionProfileBinding.Member member = profile.members.get(id);
    if (type == Update.Type.INSERT && member != null) {
      throw new RpcException(Code.ALREADY_EXISTS, what + " exists already");
    }
    if (type != Update.Type.INSERT && member == null) {
      throw new RpcException(Code.NOT_FOUND, what + " does not exist");
    }
    if (type == Update.Type.DELETE) {
      delete(profile, member, what, undo);
      return;
    }
    if (!entry.hasAction()) {
      throw RpcException.invalid("the action is missing; " + what + " needs one");
    }
    long[] data = profile.newData();
    BoundTable.ActionBinding action = profile.readAction(entry.getAction(), data);
    if (type == Update.Type.INSERT) {
      profile.checkNoSets(what);
      profile.checkRoomForMember();
      profile.save(undo);
      member = new ActionProfileBinding.Member(id);
      member.action = action;
      member.data = data;
      profile.members.put(id, member);
      addCopy(profile, member);
      return;
    }
    profile.save(undo);
    member.action = action;
    member.data = data;
    for (int handle : member.handles) {
      profile.profile().setMember(handle, action.index(), data);
    }
  }

  private static void delete(
      ActionProfileBinding profile, ActionProfileBinding.Member member, String what, UndoLog undo)
      throws RpcException {
    if (!member.weights.isEmpty()) {
      int group = member.weights.keySet().iterator().next();
      throw new RpcException(
          Code.FAILED_PRECONDITION,
          what + " is in use: group " + Integer.toUnsignedString(group) + " has it");
    }
    if (member.entries > 0) {
      throw new RpcException(
          Code.FAILED_PRECONDITION,
          what + " is in use: " + member.entries + " table entries refer to it");
    }
    profile.save(undo);
    profile.members.remove(member.id);
    while (!member.handles.isEmpty()) {
      removeCopy(profile, member);
    }
  }

  /** Makes as many copies of a member as its weights need. */
  static void addCopies(ActionProfileBinding profile, ActionProfileBinding.Member member) {
    while (member.handles.size() < member.copies()) {
      addCopy(profile, member);
    }
  }

  /** Removes copies of a member that its weights do not need any more, the last first. */
  static void removeCopies(ActionProfileBinding profile, ActionProfileBinding.Member member) {
    while (member.handles.size() > member.copies()) {
      removeCopy(profile, member);
    }
  }

  private static void addCopy(ActionProfileBinding profile, ActionProfileBinding.Member member) {
    int handle = profile.profile().addMember(member.action.index(), member.data);
    member.handles.add(handle);
    profile.membersByHandle.put(handle, member);
  }

  private static void removeCopy(ActionProfileBinding profile, ActionProfileBinding.Member member) {
    int handle = member.handles.remove(member.handles.size() - 1);
    profile.membersByHandle.remove(handle);
    profile.profile().removeMember(handle);
  }

  /** Asks for one, all of a profile, or all. */
  @Override
  public Query read(Entity entity) throws RpcException {
    ActionProfileMember filter = entity.getActionProfileMember();
    Collection<ActionProfileBinding> asked =
        ActionProfileBinding.asked(
            profiles, filter.getActionProfileId(), filter.getMemberId(), "member_id");
    return answer ->
        answer.addAll(
            asked.stream()
                .flatMap(
                    profile ->
                        profile.members.values().stream()
                            .filter(m -> filter.getMemberId() == 0 || m.id == filter.getMemberId())
                            .map(m -> entity(profile, m)))
                .toList());
  }

  private static Entity entity(ActionProfileBinding profile, ActionProfileBinding.Member member) {
    return Entity.newBuilder()
        .setActionProfileMember(
            ActionProfileMember.newBuilder()
                .setActionProfileId(profile.id())
                .setMemberId(member.id)
                .setAction(ActionArguments.write(member.action, member.data)))
        .build();
  }
}
