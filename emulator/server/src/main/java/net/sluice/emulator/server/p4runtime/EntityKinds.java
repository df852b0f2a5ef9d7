package net.sluice.emulator.server.p4runtime;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import net.sluice.emulator.switching.SwitchClock;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Entity.EntityCase;

/** Every kind of entity of a binding's program. Holds scratch space: one thread at a time. */
final class EntityKinds {

  private final Map<EntityCase, EntityKind> kinds = new EnumMap<>(EntityCase.class);

  /**
   * @param clock the time that packets live in
   */
  EntityKinds(Binding binding, Supplier<SwitchClock> clock) {
    TableCodecs codecs = new TableCodecs(binding);
    kinds.put(EntityCase.EXTERN_ENTRY, new ExternEntries());
    kinds.put(EntityCase.TABLE_ENTRY, new TableEntries(binding, codecs, clock));
    kinds.put(EntityCase.ACTION_PROFILE_MEMBER, new ProfileMembers(binding));
    kinds.put(EntityCase.ACTION_PROFILE_GROUP, new ProfileGroups(binding));
    kinds.put(EntityCase.METER_ENTRY, new MeterEntries(binding));
    kinds.put(EntityCase.DIRECT_METER_ENTRY, new DirectMeterEntries(binding, codecs));
    kinds.put(EntityCase.COUNTER_ENTRY, new CounterEntries(binding));
    kinds.put(EntityCase.DIRECT_COUNTER_ENTRY, new DirectCounterEntries(binding, codecs));
    kinds.put(EntityCase.PACKET_REPLICATION_ENGINE_ENTRY, binding.replication());
    kinds.put(EntityCase.VALUE_SET_ENTRY, new ValueSetEntries(binding));
    kinds.put(EntityCase.REGISTER_ENTRY, new RegisterEntries(binding));
    kinds.put(EntityCase.DIGEST_ENTRY, new DigestEntries(binding));
  }

  /**
   * The kind of an entity.
   *
   * @param of what has the entity, for the message
   * @throws RpcException INVALID_ARGUMENT if it has none
   */
  EntityKind of(Entity entity, String of) throws RpcException {
    EntityKind kind = kinds.get(entity.getEntityCase());
    if (kind == null) {
      throw RpcException.invalid("the " + of + " has no entity");
    }
    return kind;
  }

  /** The P4Info id that a role needs access to for an entity; 0 if it needs none. */
  int p4Id(Entity entity) {
    return kinds.get(entity.getEntityCase()).p4Id(entity);
  }
}
