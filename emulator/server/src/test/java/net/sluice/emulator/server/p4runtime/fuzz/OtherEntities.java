package net.sluice.emulator.server.p4runtime.fuzz;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.ActionRef;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.ActionProfileAction;
import p4.v1.P4RuntimeOuterClass.ActionProfileActionSet;
import p4.v1.P4RuntimeOuterClass.ActionProfileGroup;
import p4.v1.P4RuntimeOuterClass.ActionProfileMember;
import p4.v1.P4RuntimeOuterClass.BackupReplica;
import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.DigestEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MulticastGroupEntry;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** The part of {@link WriteModel} that knows action profiles, replication and digests. */
final class OtherEntities {

  private static final int LARGEST_GROUP = 1 << 16;

  /** An entity of an action profile, by the profile's id and its own. */
  record ProfileKey(int profile, int id) {}

  final Map<ProfileKey, ActionProfileMember> members = new HashMap<>();
  final Map<ProfileKey, ActionProfileGroup> groups = new HashMap<>();
  final Map<Integer, MulticastGroupEntry> multicast = new TreeMap<>();
  final Map<Integer, CloneSessionEntry> sessions = new TreeMap<>();
  final Map<Integer, DigestEntry> digests = new TreeMap<>();

  private final P4Info info;

  OtherEntities(P4Info info) {
    this.info = info;
  }

  /** One that goes its own way from here. */
  OtherEntities copy() {
    OtherEntities copy = new OtherEntities(info);
    copy.members.putAll(members);
    copy.groups.putAll(groups);
    copy.multicast.putAll(multicast);
    copy.sessions.putAll(sessions);
    copy.digests.putAll(digests);
    return copy;
  }

  /** Everything that there is, as it is read. */
  List<Entity> all() {
    List<Entity> all = new ArrayList<>();
    members.values().forEach(m -> all.add(Entity.newBuilder().setActionProfileMember(m).build()));
    groups.values().forEach(g -> all.add(Entity.newBuilder().setActionProfileGroup(g).build()));
    for (MulticastGroupEntry group : multicast.values()) {
      all.add(entity(PacketReplicationEngineEntry.newBuilder().setMulticastGroupEntry(group)));
    }
    for (CloneSessionEntry session : sessions.values()) {
      all.add(entity(PacketReplicationEngineEntry.newBuilder().setCloneSessionEntry(session)));
    }
    digests.values().forEach(d -> all.add(Entity.newBuilder().setDigestEntry(d).build()));
    return all;
  }

  private static Entity entity(PacketReplicationEngineEntry.Builder entry) {
    return Entity.newBuilder().setPacketReplicationEngineEntry(entry).build();
  }

  /** The change that an update makes; its errors go to {@code faults}. */
  Runnable apply(
      Update.Type type, Entity entity, Collection<TableEntry> entries, ModelValues.Faults faults) {
    switch (entity.getEntityCase()) {
      case ACTION_PROFILE_MEMBER:
        return member(type, entity.getActionProfileMember(), entries, faults);
      case ACTION_PROFILE_GROUP:
        return group(type, entity.getActionProfileGroup(), entries, faults);
      case PACKET_REPLICATION_ENGINE_ENTRY:
        PacketReplicationEngineEntry engine = entity.getPacketReplicationEngineEntry();
        if (engine.hasMulticastGroupEntry()) {
          return multicast(type, engine.getMulticastGroupEntry(), faults);
        }
        if (engine.hasCloneSessionEntry()) {
          return session(type, engine.getCloneSessionEntry(), faults);
        }
        break;
      case DIGEST_ENTRY:
        return digest(type, entity.getDigestEntry(), faults);
      default:
    }
    faults.add(Code.INVALID_ARGUMENT);
    return null;
  }

  private static void exists(Update.Type type, boolean there, ModelValues.Faults faults) {
    faults.when(type == Update.Type.INSERT && there, Code.ALREADY_EXISTS);
    faults.when(type != Update.Type.INSERT && !there, Code.NOT_FOUND);
  }

  // ---- actions ----

  /** An action as it is read; null if it is none of these. */
  static Action action(
      P4Info info,
      List<ActionRef> refs,
      Action given,
      boolean asDefault,
      ModelValues.Faults faults) {
    ActionRef ref = null;
    for (ActionRef candidate : refs) {
      ref = candidate.getId() == given.getActionId() ? candidate : ref;
    }
    if (faults.when(ref == null, Code.INVALID_ARGUMENT)) {
      return null;
    }
    faults.when(
        ref.getScope() == (asDefault ? ActionRef.Scope.TABLE_ONLY : ActionRef.Scope.DEFAULT_ONLY),
        Code.PERMISSION_DENIED);
    P4InfoOuterClass.Action declared =
        info.getActionsList().stream()
            .filter(a -> a.getPreamble().getId() == given.getActionId())
            .findFirst()
            .orElseThrow();
    Map<Integer, BigInteger> values = new HashMap<>();
    for (Action.Param param : given.getParamsList()) {
      P4InfoOuterClass.Action.Param known = null;
      for (P4InfoOuterClass.Action.Param candidate : declared.getParamsList()) {
        known = candidate.getId() == param.getParamId() ? candidate : known;
      }
      faults.when(known == null || values.containsKey(param.getParamId()), Code.INVALID_ARGUMENT);
      values.put(
          param.getParamId(),
          known == null ? null : ModelValues.number(param.getValue(), known.getBitwidth(), faults));
    }
    Action.Builder canonical = Action.newBuilder().setActionId(given.getActionId());
    for (P4InfoOuterClass.Action.Param param : declared.getParamsList()) {
      faults.when(!values.containsKey(param.getId()), Code.INVALID_ARGUMENT);
      BigInteger value = values.get(param.getId());
      if (value != null) {
        canonical.addParams(
            Action.Param.newBuilder().setParamId(param.getId()).setValue(ModelValues.bytes(value)));
      }
    }
    return canonical.build();
  }

  /** The reference of an entry of a table with an action profile, as it is read. */
  TableAction reference(
      P4InfoOuterClass.Table table,
      TableAction given,
      Map<TableEntry, TableEntry> entries,
      TableEntry key,
      ModelValues.Faults faults) {
    int id = table.getImplementationId();
    P4InfoOuterClass.ActionProfile profile = profile(id, faults);
    switch (given.getTypeCase()) {
      case ACTION_PROFILE_MEMBER_ID:
        faults.when(
            !members.containsKey(new ProfileKey(id, given.getActionProfileMemberId())),
            Code.NOT_FOUND);
        return given;
      case ACTION_PROFILE_GROUP_ID:
        faults.when(!profile.getWithSelector(), Code.INVALID_ARGUMENT);
        faults.when(
            !groups.containsKey(new ProfileKey(id, given.getActionProfileGroupId())),
            Code.NOT_FOUND);
        return given;
      case ACTION_PROFILE_ACTION_SET:
        faults.when(!profile.getWithSelector(), Code.INVALID_ARGUMENT);
        return actionSet(profile, given.getActionProfileActionSet(), entries, key, faults);
      default:
        faults.add(Code.INVALID_ARGUMENT);
        return null;
    }
  }

  private TableAction actionSet(
      P4InfoOuterClass.ActionProfile profile,
      ActionProfileActionSet given,
      Map<TableEntry, TableEntry> entries,
      TableEntry key,
      ModelValues.Faults faults) {
    ActionProfileActionSet.Builder set = given.toBuilder().clearActionProfileActions();
    for (int mode : List.of(given.getActionSelectionModeValue(), given.getSizeSemanticsValue())) {
      faults.when(mode < 0 || mode > 2, Code.INVALID_ARGUMENT);
    }
    faults.when(given.hasGroupAction(), Code.UNIMPLEMENTED);
    int id = profile.getPreamble().getId();
    faults.when(
        members.keySet().stream().anyMatch(k -> k.profile() == id)
            || groups.keySet().stream().anyMatch(k -> k.profile() == id),
        Code.INVALID_ARGUMENT);
    for (ActionProfileAction one : given.getActionProfileActionsList()) {
      faults.when(one.getWeight() < 1, Code.INVALID_ARGUMENT);
      watch(one.getWatch(), one.hasWatchPort() ? one.getWatchPort() : null, faults);
      Action action =
          action(info, refs(profile.getPreamble().getId()), one.getAction(), false, faults);
      ActionProfileAction.Builder canonical = set.addActionProfileActionsBuilder().mergeFrom(one);
      if (action != null) {
        canonical.setAction(action);
      }
      if (one.hasWatchPort()) {
        canonical.setWatchPort(shortest(one.getWatchPort()));
      }
    }
    int most = profile.getMaxGroupSize() > 0 ? profile.getMaxGroupSize() : LARGEST_GROUP;
    faults.when(weight(given) > most, Code.INVALID_ARGUMENT);
    TableEntry before = key == null ? null : entries.get(key);
    long less = before == null ? 0 : weight(before.getAction().getActionProfileActionSet());
    room(profile, weight(given), less, entries.values(), faults);
    return TableAction.newBuilder().setActionProfileActionSet(set).build();
  }

  // ---- action profiles ----

  private P4InfoOuterClass.ActionProfile profile(int id, ModelValues.Faults faults) {
    for (P4InfoOuterClass.ActionProfile profile : info.getActionProfilesList()) {
      if (profile.getPreamble().getId() == id) {
        return profile;
      }
    }
    faults.add(Code.INVALID_ARGUMENT);
    return null;
  }

  /** The actions that members of a profile may have: those of its tables. */
  private List<ActionRef> refs(int profile) {
    return info.getTablesList().stream()
        .filter(t -> t.getImplementationId() == profile)
        .flatMap(t -> t.getActionRefsList().stream())
        .toList();
  }

  /** The size that a set counts with: its members, if it says so. */
  private static long weight(ActionProfileActionSet set) {
    if (set.getSizeSemantics() == ActionProfileActionSet.SizeSemantics.SUM_OF_MEMBERS) {
      return set.getActionProfileActionsCount();
    }
    return set.getActionProfileActionsList().stream()
        .mapToLong(ActionProfileAction::getWeight)
        .sum();
  }

  private static long weight(ActionProfileGroup group) {
    return group.getMembersList().stream().mapToLong(ActionProfileGroup.Member::getWeight).sum();
  }

  /** All groups of a selector together have no more than its size. */
  private void room(
      P4InfoOuterClass.ActionProfile profile,
      long more,
      long less,
      Collection<TableEntry> entries,
      ModelValues.Faults faults) {
    int id = profile.getPreamble().getId();
    long total = more - less;
    for (Map.Entry<ProfileKey, ActionProfileGroup> group : groups.entrySet()) {
      total += group.getKey().profile() == id ? weight(group.getValue()) : 0;
    }
    for (TableEntry entry : entries) {
      boolean uses =
          info.getTablesList().stream()
              .anyMatch(
                  t ->
                      t.getPreamble().getId() == entry.getTableId()
                          && t.getImplementationId() == id);
      total += uses ? weight(entry.getAction().getActionProfileActionSet()) : 0;
    }
    faults.when(
        more > less && profile.getSize() > 0 && total > profile.getSize(), Code.RESOURCE_EXHAUSTED);
  }

  /** A number as it is read: without leading zeros. */
  private static ByteString shortest(ByteString given) {
    return given.isEmpty() ? given : ModelValues.bytes(new BigInteger(1, given.toByteArray()));
  }

  private static void watch(int watch, ByteString watchPort, ModelValues.Faults faults) {
    BigInteger port =
        watchPort == null ? BigInteger.valueOf(watch) : new BigInteger(1, watchPort.toByteArray());
    faults.when(
        port.signum() < 0 || port.compareTo(BigInteger.valueOf(510)) > 0, Code.INVALID_ARGUMENT);
  }

  private Runnable member(
      Update.Type type,
      ActionProfileMember entry,
      Collection<TableEntry> entries,
      ModelValues.Faults faults) {
    P4InfoOuterClass.ActionProfile profile = profile(entry.getActionProfileId(), faults);
    if (profile == null) {
      return null;
    }
    ProfileKey key = new ProfileKey(entry.getActionProfileId(), entry.getMemberId());
    faults.when(entry.getMemberId() == 0, Code.INVALID_ARGUMENT);
    exists(type, members.containsKey(key), faults);
    if (type == Update.Type.DELETE) {
      boolean inGroup =
          groups.entrySet().stream()
              .filter(g -> g.getKey().profile() == key.profile())
              .flatMap(g -> g.getValue().getMembersList().stream())
              .anyMatch(m -> m.getMemberId() == key.id());
      boolean inEntry =
          entries.stream()
              .anyMatch(
                  e ->
                      e.getAction().getTypeCase() == TableAction.TypeCase.ACTION_PROFILE_MEMBER_ID
                          && e.getAction().getActionProfileMemberId() == key.id()
                          && implementation(e) == key.profile());
      faults.when(inGroup || inEntry, Code.FAILED_PRECONDITION);
      return () -> members.remove(key);
    }
    faults.when(!entry.hasAction(), Code.INVALID_ARGUMENT);
    faults.when(
        type == Update.Type.INSERT && hasSets(entries, key.profile()), Code.INVALID_ARGUMENT);
    Action action = action(info, refs(key.profile()), entry.getAction(), false, faults);
    long count = members.keySet().stream().filter(k -> k.profile() == key.profile()).count();
    faults.when(
        type == Update.Type.INSERT
            && !profile.getWithSelector()
            && profile.getSize() > 0
            && count >= profile.getSize(),
        Code.RESOURCE_EXHAUSTED);
    return () ->
        members.put(
            key,
            ActionProfileMember.newBuilder()
                .setActionProfileId(key.profile())
                .setMemberId(key.id())
                .setAction(action)
                .build());
  }

  /** Whether entries have sets of actions: then there are no members and no groups. */
  private boolean hasSets(Collection<TableEntry> entries, int profile) {
    return entries.stream()
        .anyMatch(
            e ->
                e.getAction().getTypeCase() == TableAction.TypeCase.ACTION_PROFILE_ACTION_SET
                    && implementation(e) == profile);
  }

  private int implementation(TableEntry entry) {
    return info.getTablesList().stream()
        .filter(t -> t.getPreamble().getId() == entry.getTableId())
        .mapToInt(P4InfoOuterClass.Table::getImplementationId)
        .findFirst()
        .orElse(0);
  }

  private Runnable group(
      Update.Type type,
      ActionProfileGroup entry,
      Collection<TableEntry> entries,
      ModelValues.Faults faults) {
    P4InfoOuterClass.ActionProfile profile = profile(entry.getActionProfileId(), faults);
    if (profile == null) {
      return null;
    }
    ProfileKey key = new ProfileKey(entry.getActionProfileId(), entry.getGroupId());
    ActionProfileGroup before = groups.get(key);
    faults.when(!profile.getWithSelector() || entry.getGroupId() == 0, Code.INVALID_ARGUMENT);
    exists(type, before != null, faults);
    if (type == Update.Type.DELETE) {
      faults.when(
          entries.stream()
              .anyMatch(
                  e ->
                      e.getAction().getTypeCase() == TableAction.TypeCase.ACTION_PROFILE_GROUP_ID
                          && e.getAction().getActionProfileGroupId() == key.id()
                          && implementation(e) == key.profile()),
          Code.FAILED_PRECONDITION);
      return () -> groups.remove(key);
    }
    faults.when(
        type == Update.Type.INSERT && hasSets(entries, key.profile()), Code.INVALID_ARGUMENT);
    int most = profile.getMaxGroupSize();
    int size = entry.getMaxSize();
    faults.when(
        size < 0 || most > 0 && size > most || size > LARGEST_GROUP,
        size > LARGEST_GROUP && most == 0 ? Code.RESOURCE_EXHAUSTED : Code.INVALID_ARGUMENT);
    faults.when(before != null && size != 0 && before.getMaxSize() != size, Code.INVALID_ARGUMENT);
    int kept = before != null ? before.getMaxSize() : size;
    int limit = kept > 0 ? kept : most > 0 ? most : LARGEST_GROUP;
    Set<Integer> seen = new HashSet<>();
    for (ActionProfileGroup.Member member : entry.getMembersList()) {
      faults.when(member.getWeight() < 1 || !seen.add(member.getMemberId()), Code.INVALID_ARGUMENT);
      watch(member.getWatch(), member.hasWatchPort() ? member.getWatchPort() : null, faults);
      faults.when(
          !members.containsKey(new ProfileKey(key.profile(), member.getMemberId())),
          Code.NOT_FOUND);
    }
    faults.when(weight(entry) > limit, Code.RESOURCE_EXHAUSTED);
    room(profile, weight(entry), before == null ? 0 : weight(before), entries, faults);
    ActionProfileGroup.Builder canonical = entry.toBuilder().setMaxSize(kept);
    for (ActionProfileGroup.Member.Builder member : canonical.getMembersBuilderList()) {
      if (member.hasWatchPort()) {
        member.setWatchPort(shortest(member.getWatchPort()));
      }
    }
    return () -> groups.put(key, canonical.build());
  }

  // ---- replication ----

  private Runnable multicast(
      Update.Type type, MulticastGroupEntry entry, ModelValues.Faults faults) {
    int id = entry.getMulticastGroupId();
    faults.when(id < 1 || id > 65_535, Code.INVALID_ARGUMENT);
    exists(type, multicast.containsKey(id), faults);
    if (type == Update.Type.DELETE) {
      return () -> multicast.remove(id);
    }
    replicas(entry.getReplicasList(), faults);
    MulticastGroupEntry.Builder canonical = entry.toBuilder();
    for (Replica.Builder replica : canonical.getReplicasBuilderList()) {
      shorten(replica);
    }
    return () -> multicast.put(id, canonical.build());
  }

  private Runnable session(Update.Type type, CloneSessionEntry entry, ModelValues.Faults faults) {
    int id = entry.getSessionId();
    faults.when(id < 1 || id > 32_767, Code.INVALID_ARGUMENT);
    exists(type, sessions.containsKey(id), faults);
    if (type == Update.Type.DELETE) {
      return () -> sessions.remove(id);
    }
    faults.when(
        entry.getClassOfService() < 0
            || entry.getClassOfService() > 7
            || entry.getPacketLengthBytes() < 0,
        Code.INVALID_ARGUMENT);
    replicas(entry.getReplicasList(), faults);
    CloneSessionEntry.Builder canonical = entry.toBuilder();
    for (Replica.Builder replica : canonical.getReplicasBuilderList()) {
      shorten(replica);
    }
    return () -> sessions.put(id, canonical.build());
  }

  private static void replicas(List<Replica> replicas, ModelValues.Faults faults) {
    Set<List<BigInteger>> seen = new HashSet<>();
    for (Replica replica : replicas) {
      BigInteger port =
          replica.hasPort()
              ? new BigInteger(1, replica.getPort().toByteArray())
              : BigInteger.valueOf(replica.getEgressPort() & 0xffffffffL);
      faults.when(replica.hasPort() && replica.getPort().isEmpty(), Code.INVALID_ARGUMENT);
      faults.when(
          port.compareTo(BigInteger.valueOf(511)) > 0
              || replica.getInstance() < 0
              || replica.getInstance() > 65_535,
          Code.INVALID_ARGUMENT);
      faults.when(
          !seen.add(List.of(port, BigInteger.valueOf(replica.getInstance()))),
          Code.INVALID_ARGUMENT);
      backups(replica, port, seen, faults);
    }
  }

  private static void backups(
      Replica replica, BigInteger own, Set<List<BigInteger>> seen, ModelValues.Faults faults) {
    for (BackupReplica backup : replica.getBackupReplicasList()) {
      ByteString bytes = backup.getPort();
      BigInteger port = new BigInteger(1, bytes.toByteArray());
      BigInteger instance = BigInteger.valueOf(backup.getInstance() & 0xffffffffL);
      faults.when(
          bytes.isEmpty()
              || port.compareTo(BigInteger.valueOf(511)) > 0
              || instance.compareTo(BigInteger.valueOf(65_535)) > 0
              || port.equals(own)
              || !seen.add(List.of(port, instance)),
          Code.INVALID_ARGUMENT);
    }
  }

  /** A replica as it is read: ports without leading zeros. */
  private static void shorten(Replica.Builder replica) {
    if (replica.hasPort()) {
      replica.setPort(shortest(replica.getPort()));
    }
    for (BackupReplica.Builder backup : replica.getBackupReplicasBuilderList()) {
      backup.setPort(shortest(backup.getPort()));
    }
  }

  // ---- digests ----

  private Runnable digest(Update.Type type, DigestEntry entry, ModelValues.Faults faults) {
    int id = entry.getDigestId();
    boolean known = info.getDigestsList().stream().anyMatch(d -> d.getPreamble().getId() == id);
    if (faults.when(!known, Code.INVALID_ARGUMENT)) {
      return null;
    }
    exists(type, digests.containsKey(id), faults);
    if (type == Update.Type.DELETE) {
      return () -> digests.remove(id);
    }
    faults.when(
        entry.getConfig().getMaxTimeoutNs() < 0
            || entry.getConfig().getMaxListSize() < 0
            || entry.getConfig().getAckTimeoutNs() < 0,
        Code.INVALID_ARGUMENT);
    return () -> digests.put(id, entry);
  }
}
