package net.sluice.emulator.server.p4runtime.variant;

import com.google.rpc.Code;
import java.util.EnumMap;
import java.util.Map;
import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.program.EntityRules;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.table.TableEntryCodec;
import p4.v1.P4DataOuterClass.P4Data;
import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Entity.EntityCase;
import p4.v1.P4RuntimeOuterClass.RegisterEntry;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * One kind of entity with what Stratum refuses of it on Tofino (bfrt_node.cc,
 * bfrt_table_manager.cc, bfrt_counter_manager.cc, bfrt_pre_manager.cc). What Stratum does not keep
 * with an entry, controller metadata and idle timeouts, is dropped.
 */
record TofinoEntities(EntityKind kind, Binding binding) implements EntityKind {

  /** Those of all kinds; the answer for an element of a read is one message, however long. */
  static final EntityRules RULES =
      new EntityRules() {
        @Override
        public Map<EntityCase, EntityKind> strict(
            Map<EntityCase, EntityKind> kinds, Binding binding) {
          Map<EntityCase, EntityKind> strict = new EnumMap<>(EntityCase.class);
          kinds.forEach((entity, kind) -> strict.put(entity, new TofinoEntities(kind, binding)));
          return strict;
        }

        @Override
        public int chunk() {
          return Integer.MAX_VALUE;
        }
      };

  /** The driver has 24 bits; it counts priorities the other way round. */
  static final int MAX_PRIORITY = (1 << 24) - 1;

  private static final int MAX_PACKET_LENGTH = 0xffff;

  @Override
  public int p4Id(Entity entity) {
    return kind.p4Id(entity);
  }

  // ---- write

  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    switch (entity.getEntityCase()) {
      case TABLE_ENTRY:
        TableEntry entry = kept(entity.getTableEntry());
        checkWrite(type, entry);
        kind.write(type, Entity.newBuilder().setTableEntry(entry).build(), undo);
        return;
      case COUNTER_ENTRY:
        if (type == Update.Type.MODIFY && !entity.getCounterEntry().hasIndex()) {
          throw RpcException.invalid(
              "modifying an indirect counter without counter index is not supported");
        }
        break;
      case REGISTER_ENTRY:
        RegisterEntry register = entity.getRegisterEntry();
        if (type == Update.Type.MODIFY
            && register.getData().getDataCase() != P4Data.DataCase.BITSTRING) {
          throw RpcException.invalid("only bitstring registers data types are supported");
        }
        break;
      case PACKET_REPLICATION_ENGINE_ENTRY:
        checkWrite(type, entity.getPacketReplicationEngineEntry().getCloneSessionEntry());
        break;
      default:
        refuse(entity);
    }
    kind.write(type, entity, undo);
  }

  private static TableEntry kept(TableEntry entry) {
    return entry.toBuilder().setControllerMetadata(0).clearMetadata().clearIdleTimeoutNs().build();
  }

  private static void checkWrite(Update.Type type, TableEntry entry) throws RpcException {
    if (entry.getPriority() > MAX_PRIORITY) {
      throw RpcException.invalid(
          "priority is " + entry.getPriority() + "; it must be at most " + MAX_PRIORITY);
    }
    if (entry.getIsDefaultAction() ? !entry.hasAction() : type == Update.Type.DELETE) {
      return;
    }
    TableAction.TypeCase action = entry.getAction().getTypeCase();
    if (action == TableAction.TypeCase.ACTION_PROFILE_ACTION_SET
        || action == TableAction.TypeCase.TYPE_NOT_SET) {
      throw unimplemented("unsupported action type: " + action.getNumber());
    }
    if (entry.hasMeterConfig()) {
      throw unimplemented("meter configs on TableEntries are not supported");
    }
  }

  /** Of a multicast group there is no clone session, and nothing to refuse. */
  private static void checkWrite(Update.Type type, CloneSessionEntry session) throws RpcException {
    if (session.getSessionId() == 0 || type == Update.Type.DELETE) {
      return;
    }
    String which = "clone session " + Integer.toUnsignedString(session.getSessionId());
    if (session.getReplicasCount() != 1) {
      throw RpcException.invalid(
          which + " has " + session.getReplicasCount() + " replicas; it must have one");
    }
    Replica replica = session.getReplicas(0);
    if (replica.getEgressPort() == 0) {
      throw RpcException.invalid(which + " has no egress_port above 0");
    }
    if (replica.getInstance() != 0) {
      throw RpcException.invalid(
          "instance "
              + Integer.toUnsignedString(replica.getInstance())
              + " of "
              + which
              + " is not supported; it must be 0");
    }
    if (session.getPacketLengthBytes() > MAX_PACKET_LENGTH) {
      throw RpcException.invalid(
          "packet_length_bytes of " + which + " must be at most " + MAX_PACKET_LENGTH);
    }
  }

  private static void refuse(Entity entity) throws RpcException {
    switch (entity.getEntityCase()) {
      case EXTERN_ENTRY:
        throw unimplemented(
            "unsupported extern entry of type "
                + Integer.toUnsignedString(entity.getExternEntry().getExternTypeId()));
      case DIRECT_METER_ENTRY:
      case VALUE_SET_ENTRY:
        throw unimplemented("unsupported entity type: " + entity.getEntityCase());
      default:
        // Written and read as the specification has it.
    }
  }

  private static RpcException unimplemented(String message) {
    return new RpcException(Code.UNIMPLEMENTED, message);
  }

  // ---- read

  @Override
  public Query read(Entity entity) throws RpcException {
    switch (entity.getEntityCase()) {
      case TABLE_ENTRY -> checkRead(entity.getTableEntry());
      case COUNTER_ENTRY -> {
        CounterEntry counter = entity.getCounterEntry();
        if (counter.getCounterId() == 0) {
          throw RpcException.invalid(
              "querying an indirect counter without counter id is not supported");
        }
      }
      case METER_ENTRY -> {
        if (entity.getMeterEntry().getMeterId() == 0) {
          throw RpcException.invalid("wildcard MeterEntry reads are not supported");
        }
      }
      case ACTION_PROFILE_MEMBER, ACTION_PROFILE_GROUP ->
          throw RpcException.invalid("reading all action profiles is not supported");
      default -> refuse(entity);
    }
    Query query = kind.read(entity);
    return answer -> {
      query.answer(answer);
      answer.flush();
    };
  }

  private void checkRead(TableEntry filter) throws RpcException {
    if (filter.getIsDefaultAction()) {
      if (filter.getTableId() == 0) {
        throw RpcException.invalid("missing table id on default action read");
      }
    } else if (filter.getMatchCount() > 0) {
      // The driver is asked for the entry itself.
      TableEntryCodec codec = new TableEntryCodec(binding.tables().get(filter.getTableId()));
      codec.readMatch(filter);
      codec.locate();
    } else if (filter.getTableId() != 0) {
      checkFilter(filter.getPriority() != 0, "priority");
      checkFilter(filter.hasAction(), "action");
      checkFilter(!filter.getMetadata().isEmpty(), "metadata");
    }
  }

  private static void checkFilter(boolean set, String what) throws RpcException {
    if (set) {
      throw RpcException.invalid(what + " filters on wildcard reads are not supported");
    }
  }
}
