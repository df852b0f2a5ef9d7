package net.sluice.emulator.server.p4runtime.packet;

import com.google.rpc.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.StringType;
import net.sluice.emulator.switching.CloneSession;
import net.sluice.emulator.switching.Replicas;
import net.sluice.emulator.switching.ReplicationEngine;
import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MulticastGroupEntry;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Multicast groups and clone sessions of the packet replication engine (section 9.5), which are
 * read back as they were written.
 */
public final class ReplicationBinding implements EntityKind {

  private static final int MAX_CLASS_OF_SERVICE = 7;

  private final ReplicationEngine engine;
  private final ReplicaCodec codec;
  private final Map<Integer, MulticastGroupEntry> groups = new TreeMap<>();
  private final Map<Integer, CloneSessionEntry> sessions = new TreeMap<>();

  /**
   * Nothing yet.
   *
   * @param portNames how the bytes of {@code port} are taken as strings; null for as numbers
   */
  public ReplicationBinding(ReplicationEngine engine, StringType portNames) {
    this.engine = engine;
    this.codec = new ReplicaCodec(portNames);
  }

  /** The replication engine is of no part of the program: it is every role's. */
  @Override
  public int p4Id(Entity entity) {
    return 0;
  }

  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    PacketReplicationEngineEntry entry = entity.getPacketReplicationEngineEntry();
    switch (entry.getTypeCase()) {
      case MULTICAST_GROUP_ENTRY:
        write(type, entry.getMulticastGroupEntry(), undo);
        return;
      case CLONE_SESSION_ENTRY:
        write(type, entry.getCloneSessionEntry(), undo);
        return;
      default:
        throw RpcException.invalid(
            "the packet_replication_engine_entry is empty; it must be a multicast_group_entry or a"
                + " clone_session_entry");
    }
  }

  private void write(Update.Type type, MulticastGroupEntry entry, UndoLog undo)
      throws RpcException {
    int id = id("multicast_group_id", entry.getMulticastGroupId(), ReplicationEngine.MAX_GROUP);
    String what = "multicast group " + id;
    exists(type, groups.containsKey(id), what);
    Replicas replicas =
        type == Update.Type.DELETE ? null : codec.read(entry.getReplicasList(), what);
    if (undo != null) {
      MulticastGroupEntry before = groups.get(id);
      Replicas replicasBefore = engine.group(id);
      undo.add(() -> set(id, before, replicasBefore));
    }
    if (replicas == null) {
      set(id, (MulticastGroupEntry) null, null);
      return;
    }
    MulticastGroupEntry.Builder canonical = entry.toBuilder();
    canonical.getReplicasBuilderList().forEach(codec::shorten);
    set(id, canonical.build(), replicas);
  }

  private void set(int id, MulticastGroupEntry entry, Replicas replicas) {
    engine.setGroup(id, replicas);
    if (entry == null) {
      groups.remove(id);
    } else {
      groups.put(id, entry);
    }
  }

  private void write(Update.Type type, CloneSessionEntry entry, UndoLog undo) throws RpcException {
    int id = id("session_id", entry.getSessionId(), ReplicationEngine.MAX_SESSION);
    String what = "clone session " + id;
    exists(type, sessions.containsKey(id), what);
    CloneSession session = type == Update.Type.DELETE ? null : session(entry, what);
    if (undo != null) {
      CloneSessionEntry before = sessions.get(id);
      CloneSession sessionBefore = engine.session(id);
      undo.add(() -> set(id, before, sessionBefore));
    }
    if (session == null) {
      set(id, (CloneSessionEntry) null, null);
      return;
    }
    CloneSessionEntry.Builder canonical = entry.toBuilder();
    canonical.getReplicasBuilderList().forEach(codec::shorten);
    set(id, canonical.build(), session);
  }

  private void set(int id, CloneSessionEntry entry, CloneSession session) {
    engine.setSession(id, session);
    if (entry == null) {
      sessions.remove(id);
    } else {
      sessions.put(id, entry);
    }
  }

  private CloneSession session(CloneSessionEntry entry, String what) throws RpcException {
    int service = entry.getClassOfService();
    if (service < 0 || service > MAX_CLASS_OF_SERVICE) {
      throw RpcException.invalid(
          "class_of_service %s of %s must be from 0 to %s",
          Integer.toUnsignedString(service), what, MAX_CLASS_OF_SERVICE);
    }
    if (entry.getPacketLengthBytes() < 0) {
      throw RpcException.invalid(
          "packet_length_bytes %s of %s must be at least 0", entry.getPacketLengthBytes(), what);
    }
    return new CloneSession(
        codec.read(entry.getReplicasList(), what), 0, service, entry.getPacketLengthBytes());
  }

  private static int id(String field, int id, int most) throws RpcException {
    if (id < 1 || id > most) {
      throw RpcException.invalid(
          "%s %s must be from 1 to %s%s",
          field,
          Integer.toUnsignedString(id),
          most,
          id == 0 ? "; 0 stands for all of them in reads" : "");
    }
    return id;
  }

  private static void exists(Update.Type type, boolean exists, String what) throws RpcException {
    if (type == Update.Type.INSERT && exists) {
      throw new RpcException(Code.ALREADY_EXISTS, what + " exists already");
    }
    if (type != Update.Type.INSERT && !exists) {
      throw new RpcException(Code.NOT_FOUND, what + " does not exist");
    }
  }

  /** Asks for a group or a session, for all of its type with id 0, or for all without a type. */
  @Override
  public Query read(Entity entity) {
    return answer -> answer.addAll(found(entity.getPacketReplicationEngineEntry()));
  }

  private List<Entity> found(PacketReplicationEngineEntry filter) {
    List<Entity> found = new ArrayList<>();
    if (filter.getTypeCase() != PacketReplicationEngineEntry.TypeCase.CLONE_SESSION_ENTRY) {
      int id = filter.getMulticastGroupEntry().getMulticastGroupId();
      for (MulticastGroupEntry group : wanted(groups, id)) {
        found.add(entity(PacketReplicationEngineEntry.newBuilder().setMulticastGroupEntry(group)));
      }
    }
    if (filter.getTypeCase() != PacketReplicationEngineEntry.TypeCase.MULTICAST_GROUP_ENTRY) {
      int id = filter.getCloneSessionEntry().getSessionId();
      for (CloneSessionEntry session : wanted(sessions, id)) {
        found.add(entity(PacketReplicationEngineEntry.newBuilder().setCloneSessionEntry(session)));
      }
    }
    return found;
  }

  private static <T> List<T> wanted(Map<Integer, T> all, int id) {
    if (id == 0) {
      return List.copyOf(all.values());
    }
    T one = all.get(id);
    return one == null ? List.of() : List.of(one);
  }

  private static Entity entity(PacketReplicationEngineEntry.Builder entry) {
    return Entity.newBuilder().setPacketReplicationEngineEntry(entry).build();
  }
}
