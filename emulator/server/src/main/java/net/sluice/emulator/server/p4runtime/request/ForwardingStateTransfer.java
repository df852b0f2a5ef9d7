package net.sluice.emulator.server.p4runtime.request;

import com.google.rpc.Code;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.server.p4runtime.cell.RegisterBinding;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.table.BoundTable;
import net.sluice.emulator.server.p4runtime.table.TableCodecs;
import net.sluice.emulator.server.p4runtime.table.TableEntryCodec;
import net.sluice.emulator.v1model.V1modelSwitch;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Brings the forwarding state of one config into another: everything is read from the one and
 * written to the other as a controller would, chunk by chunk. Entries that the new program declares
 * stay as it declares them, unless the old one has the same entry, or had it and it was deleted.
 */
final class ForwardingStateTransfer {

  private final Binding from;
  private final Binding to;
  private final V1modelSwitch device;
  private final Writer writer;

  private ForwardingStateTransfer(Binding from, Binding to, V1modelSwitch device) {
    this.from = from;
    this.to = to;
    this.device = device;
    this.writer = new Writer(to, device.lock(), device::clock);
  }

  /**
   * Brings the state over. The caller makes sure that neither writes nor packets come in between.
   *
   * @throws RpcException INVALID_ARGUMENT if the new config has no place for something; it then
   *     holds a part of the state and is of no use
   */
  static void carryOver(Binding from, Binding to, V1modelSwitch device) throws RpcException {
    new ForwardingStateTransfer(from, to, device).run();
  }

  private void run() throws RpcException {
    Entity.Builder members = Entity.newBuilder();
    members.getActionProfileMemberBuilder();
    copy(members.build());
    Entity.Builder groups = Entity.newBuilder();
    groups.getActionProfileGroupBuilder();
    copy(groups.build());
    Entity.Builder replication = Entity.newBuilder();
    replication.getPacketReplicationEngineEntryBuilder();
    copy(replication.build());
    Entity.Builder digests = Entity.newBuilder();
    digests.getDigestEntryBuilder();
    copy(digests.build());
    deleteWhatWasDeleted();
    TableEntry.Builder entries = TableEntry.newBuilder();
    entries.getCounterDataBuilder();
    entries.getMeterConfigBuilder();
    copy(Entity.newBuilder().setTableEntry(entries).build());
    for (BoundTable table : from.tables().all()) {
      if (!table.defaultConst() && !table.table().isInitialDefault()) {
        entries.setTableId(table.id()).setIsDefaultAction(true);
        copy(Entity.newBuilder().setTableEntry(entries).build());
      }
    }
    Entity.Builder counters = Entity.newBuilder();
    counters.getCounterEntryBuilder();
    copy(counters.build());
    Entity.Builder meters = Entity.newBuilder();
    meters.getMeterEntryBuilder();
    copy(meters.build());
    Entity.Builder registers = Entity.newBuilder();
    registers.getRegisterEntryBuilder();
    copy(registers.build());
    Entity.Builder valueSets = Entity.newBuilder();
    valueSets.getValueSetEntryBuilder();
    copy(valueSets.build());
  }

  /** Entries that the old program declares, too, but that a controller has deleted since. */
  private void deleteWhatWasDeleted() {
    TableCodecs codecs = new TableCodecs(from.tables());
    for (TableEntry declared : from.initialEntries()) {
      try {
        TableEntryCodec codec = codecs.of(declared.getTableId());
        codec.readMatch(declared);
        if (codec.table().table().locate(codec.key()) == 0) {
          // Refused where the new program has no such entry, which is as good.
          writer.apply(
              List.of(
                  Update.newBuilder()
                      .setType(Update.Type.DELETE)
                      .setEntity(Entity.newBuilder().setTableEntry(declared))
                      .build()));
        }
      } catch (RpcException e) {
        throw new IllegalStateException("an entry of the program's own is wrong", e);
      }
    }
  }

  private void copy(Entity filter) throws RpcException {
    RpcException[] errors =
        new Reader(from, device.lock(), device::clock, this::write).read(List.of(filter));
    if (errors != null) {
      throw new RpcException(Code.INTERNAL, "cannot read the state: " + errors[0].getMessage());
    }
  }

  private void write(ReadResponse chunk) throws RpcException {
    List<Update> updates = new ArrayList<>();
    for (Entity entity : chunk.getEntitiesList()) {
      if (!isInitial(entity)) {
        updates.add(Update.newBuilder().setType(type(entity)).setEntity(entity).build());
      }
    }
    RpcException[] errors = writer.apply(updates);
    for (int i = 0; errors != null && i < errors.length; i++) {
      if (errors[i] != null && !isDeclared(updates.get(i), errors[i])) {
        throw RpcException.invalid(
            "the forwarding state cannot be preserved: " + errors[i].getMessage());
      }
    }
  }

  /**
   * Whether an entry was refused because the new program declares it: then it takes the old one's
   * action, or if it is constant, nothing.
   */
  private boolean isDeclared(Update update, RpcException error) {
    if (error.code() != Code.ALREADY_EXISTS || !update.getEntity().hasTableEntry()) {
      return false;
    }
    return writer.apply(List.of(update.toBuilder().setType(Update.Type.MODIFY).build())) == null;
  }

  private static Update.Type type(Entity entity) {
    return switch (entity.getEntityCase()) {
      case TABLE_ENTRY ->
          entity.getTableEntry().getIsDefaultAction() ? Update.Type.MODIFY : Update.Type.INSERT;
      case ACTION_PROFILE_MEMBER,
          ACTION_PROFILE_GROUP,
          PACKET_REPLICATION_ENGINE_ENTRY,
          DIGEST_ENTRY ->
          Update.Type.INSERT;
      default -> Update.Type.MODIFY;
    };
  }

  /** Whether an entity says no more than that nothing was ever written there. */
  private static boolean isInitial(Entity entity) {
    return switch (entity.getEntityCase()) {
      case TABLE_ENTRY -> entity.getTableEntry().getIsConst();
      case COUNTER_ENTRY ->
          entity.getCounterEntry().getData().equals(CounterData.getDefaultInstance());
      case METER_ENTRY -> !entity.getMeterEntry().hasConfig();
      case REGISTER_ENTRY -> RegisterBinding.isZero(entity.getRegisterEntry().getData());
      case VALUE_SET_ENTRY -> entity.getValueSetEntry().getMembersCount() == 0;
      default -> false;
    };
  }
}
