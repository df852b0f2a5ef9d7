package net.sluice.emulator.server.p4runtime;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import net.sluice.emulator.switching.SwitchClock;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Entity.EntityCase;

/** Every kind of entity of a binding's program. Holds scratch space: one thread at a time. */
final class EntityKinds {

  private final Map<EntityCase, EntityKind> kinds;

  /**
   * @param clock the time that packets live in
   */
  EntityKinds(Binding binding, Supplier<SwitchClock> clock) {
    TableCodecs codecs = new TableCodecs(binding);
    Map<EntityCase, EntityKind> specified = new EnumMap<>(EntityCase.class);
    specified.put(EntityCase.EXTERN_ENTRY, new ExternEntries());
    specified.put(EntityCase.TABLE_ENTRY, new TableEntries(binding, codecs, clock));
    specified.put(EntityCase.ACTION_PROFILE_MEMBER, new ProfileMembers(binding));
    specified.put(EntityCase.ACTION_PROFILE_GROUP, new ProfileGroups(binding));
    specified.put(EntityCase.METER_ENTRY, new MeterEntries(binding));
    specified.put(EntityCase.DIRECT_METER_ENTRY, new DirectMeterEntries(binding, codecs));
    specified.put(EntityCase.COUNTER_ENTRY, new CounterEntries(binding));
    specified.put(EntityCase.DIRECT_COUNTER_ENTRY, new DirectCounterEntries(binding, codecs));
    specified.put(EntityCase.PACKET_REPLICATION_ENGINE_ENTRY, binding.replication());
    specified.put(EntityCase.VALUE_SET_ENTRY, new ValueSetEntries(binding));
    specified.put(EntityCase.REGISTER_ENTRY, new RegisterEntries(binding));
    specified.put(EntityCase.DIGEST_ENTRY, new DigestEntries(binding));
    kinds = binding.kind().strict(specified, binding);
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
