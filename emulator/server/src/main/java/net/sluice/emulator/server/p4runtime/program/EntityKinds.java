package net.sluice.emulator.server.p4runtime.program;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import net.sluice.emulator.server.p4runtime.cell.CounterEntries;
import net.sluice.emulator.server.p4runtime.cell.MeterEntries;
import net.sluice.emulator.server.p4runtime.cell.RegisterEntries;
import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.table.DirectCounterEntries;
import net.sluice.emulator.server.p4runtime.table.DirectMeterEntries;
import net.sluice.emulator.server.p4runtime.table.ProfileGroups;
import net.sluice.emulator.server.p4runtime.table.ProfileMembers;
import net.sluice.emulator.server.p4runtime.table.TableCodecs;
import net.sluice.emulator.server.p4runtime.table.TableEntries;
import net.sluice.emulator.switching.SwitchClock;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Entity.EntityCase;

/** Every kind of entity of a binding's program. Holds scratch space: one thread at a time. */
public final class EntityKinds {

  private final Map<EntityCase, EntityKind> kinds;

  /**
   * @param clock the time that packets live in
   */
  public EntityKinds(Binding binding, Supplier<SwitchClock> clock) {
    TableCodecs codecs = new TableCodecs(binding.tables());
    Map<EntityCase, EntityKind> specified = new EnumMap<>(EntityCase.class);
    specified.put(EntityCase.EXTERN_ENTRY, new ExternEntries());
    specified.put(EntityCase.TABLE_ENTRY, new TableEntries(binding.tables(), codecs, clock));
    specified.put(EntityCase.ACTION_PROFILE_MEMBER, new ProfileMembers(binding.actionProfiles()));
    specified.put(EntityCase.ACTION_PROFILE_GROUP, new ProfileGroups(binding.actionProfiles()));
    specified.put(EntityCase.METER_ENTRY, new MeterEntries(binding.meters()));
    specified.put(
        EntityCase.DIRECT_METER_ENTRY,
        new DirectMeterEntries(binding.tables(), binding.metered(), codecs));
    specified.put(EntityCase.COUNTER_ENTRY, new CounterEntries(binding.counters()));
    specified.put(
        EntityCase.DIRECT_COUNTER_ENTRY,
        new DirectCounterEntries(binding.tables(), binding.counted(), codecs));
    specified.put(EntityCase.PACKET_REPLICATION_ENGINE_ENTRY, binding.replication());
    specified.put(EntityCase.VALUE_SET_ENTRY, new ValueSetEntries(binding.valueSets()));
    specified.put(EntityCase.REGISTER_ENTRY, new RegisterEntries(binding.registers()));
    specified.put(EntityCase.DIGEST_ENTRY, new DigestEntries(binding.digests()));
    kinds = binding.rules().strict(specified, binding);
  }

  /**
   * The kind of an entity.
   *
   * @param of what has the entity, for the message
   * @throws RpcException INVALID_ARGUMENT if it has none
   */
  public EntityKind of(Entity entity, String of) throws RpcException {
    EntityKind kind = kinds.get(entity.getEntityCase());
    if (kind == null) {
      throw RpcException.invalid("the " + of + " has no entity");
    }
    return kind;
  }

  /** The P4Info id that a role needs access to for an entity; 0 if it needs none. */
  public int p4Id(Entity entity) {
    return kinds.get(entity.getEntityCase()).p4Id(entity);
  }
}
