package net.sluice.emulator.server.p4runtime.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.MatchField;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4Types.P4DataTypeSpec;
import p4.v1.P4DataOuterClass.P4Data;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.ActionProfileActionSet;
import p4.v1.P4RuntimeOuterClass.ActionProfileGroup;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.ValueSetMember;

/**
 * Updates that a program's P4Info allows, and the same with something changed in them: ids of other
 * things, values too wide or written otherwise, fields missing, doubled or out of place, unknown
 * enum values and fields. The same seed gives the same updates.
 */
final class WriteGenerator {

  private final P4Info info;
  private final WriteModel model;
  private final Random random;
  private final List<Integer> ids = new ArrayList<>();

  /** Whether selectors are mostly programmed with sets of actions: the ways do not mix. */
  private final boolean sets;

  WriteGenerator(P4Info info, WriteModel model, Random random) {
    this.info = info;
    this.model = model;
    this.random = random;
    this.sets = random.nextBoolean();
    info.getTablesList().forEach(t -> ids.add(t.getPreamble().getId()));
    info.getActionsList().forEach(t -> ids.add(t.getPreamble().getId()));
    info.getCountersList().forEach(t -> ids.add(t.getPreamble().getId()));
    info.getMetersList().forEach(t -> ids.add(t.getPreamble().getId()));
    info.getRegistersList().forEach(t -> ids.add(t.getPreamble().getId()));
    info.getDirectCountersList().forEach(t -> ids.add(t.getPreamble().getId()));
    info.getValueSetsList().forEach(t -> ids.add(t.getPreamble().getId()));
    info.getActionProfilesList().forEach(t -> ids.add(t.getPreamble().getId()));
    info.getDigestsList().forEach(t -> ids.add(t.getPreamble().getId()));
  }

  /** The next update, with up to three things changed in it. */
  Update next() {
    Update update =
        Update.newBuilder()
            .setType(Update.Type.forNumber(1 + random.nextInt(3)))
            .setEntity(entity())
            .build();
    for (int i = random.nextInt(5) - 1; i > 0; i--) {
      update = (Update) mutated(update);
    }
    try {
      // As it would arrive: a number that is added may be that of a field which is known.
      return Update.parseFrom(update.toByteString());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private Entity entity() {
    Entity.Builder entity = Entity.newBuilder();
    switch (kind()) {
      case 16:
      case 17:
        if (info.getActionProfilesCount() > 0) {
          P4InfoOuterClass.ActionProfile profile = any(info.getActionProfilesList());
          if (!sets || !profile.getWithSelector() || random.nextInt(30) == 0) {
            return profileEntity(profile);
          }
        }
        break;
      case 18:
        return replication();
      case 19:
        if (info.getDigestsCount() > 0) {
          entity
              .getDigestEntryBuilder()
              .setDigestId(any(info.getDigestsList()).getPreamble().getId())
              .getConfigBuilder()
              .setMaxListSize(random.nextInt(5))
              .setMaxTimeoutNs(random.nextInt(1000));
          return entity.build();
        }
        break;
      case 0:
        if (info.getCountersCount() > 0) {
          P4InfoOuterClass.Counter counter = any(info.getCountersList());
          entity
              .getCounterEntryBuilder()
              .setCounterId(counter.getPreamble().getId())
              .setIndex(index(counter.getSize()))
              .setData(data());
          return entity.build();
        }
        break;
      case 1:
        if (info.getMetersCount() > 0) {
          P4InfoOuterClass.Meter meter = any(info.getMetersList());
          entity
              .getMeterEntryBuilder()
              .setMeterId(meter.getPreamble().getId())
              .setIndex(index(meter.getSize()))
              .setConfig(config());
          return entity.build();
        }
        break;
      case 2:
        if (info.getRegistersCount() > 0) {
          P4InfoOuterClass.Register register = any(info.getRegistersList());
          entity
              .getRegisterEntryBuilder()
              .setRegisterId(register.getPreamble().getId())
              .setIndex(index(register.getSize()))
              .setData(value(register.getTypeSpec()));
          return entity.build();
        }
        break;
      case 3:
        if (info.getValueSetsCount() > 0) {
          P4InfoOuterClass.ValueSet set = any(info.getValueSetsList());
          var written = entity.getValueSetEntryBuilder().setValueSetId(set.getPreamble().getId());
          for (int i = random.nextInt(4); i > 0; i--) {
            ValueSetMember.Builder member = written.addMembersBuilder();
            set.getMatchList().forEach(f -> member.addMatch(match(f)));
          }
          return entity.build();
        }
        break;
      case 4:
        entity.getDirectCounterEntryBuilder().setTableEntry(tableEntry()).setData(data());
        return entity.build();
      case 5:
        entity.getDirectMeterEntryBuilder().setTableEntry(tableEntry()).setConfig(config());
        return entity.build();
      default:
    }
    return entity.setTableEntry(tableEntry()).build();
  }

  private int kind() {
    if (info.getTablesCount() > 0) {
      return random.nextInt(20);
    }
    return info.getValueSetsCount() > 0 && random.nextInt(4) > 0
        ? 3
        : 18 + (info.getDigestsCount() > 0 ? random.nextInt(2) : 0);
  }

  private Entity profileEntity(P4InfoOuterClass.ActionProfile profile) {
    int id = profile.getPreamble().getId();
    Entity.Builder entity = Entity.newBuilder();
    if (profile.getWithSelector() && random.nextBoolean()) {
      ActionProfileGroup.Builder group =
          entity
              .getActionProfileGroupBuilder()
              .setActionProfileId(id)
              .setGroupId(1 + random.nextInt(4))
              .setMaxSize(random.nextInt(4) == 0 ? 0 : 4);
      for (int member = 1; member <= 4; member++) {
        if (random.nextInt(3) == 0) {
          ActionProfileGroup.Member.Builder added =
              group.addMembersBuilder().setMemberId(member).setWeight(1 + random.nextInt(3));
          if (random.nextInt(3) == 0) {
            added.setWatchPort(bytes(number(8)));
          }
        }
      }
    } else {
      entity
          .getActionProfileMemberBuilder()
          .setActionProfileId(id)
          .setMemberId(1 + random.nextInt(5))
          .setAction(action(any(profile.getTableIdsList())));
    }
    return entity.build();
  }

  private Entity replication() {
    Entity.Builder entity = Entity.newBuilder();
    List<Replica> replicas = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      Replica replica =
          random.nextBoolean()
              ? Replica.newBuilder()
                  .setEgressPort(random.nextInt(4))
                  .setInstance(random.nextInt(3))
                  .build()
              : Replica.newBuilder()
                  .setInstance(random.nextInt(3))
                  .setPort(bytes(number(4)))
                  .build();
      replicas.add(random.nextInt(3) == 0 ? withBackups(replica) : replica);
    }
    int id = 1 + random.nextInt(3);
    if (random.nextBoolean()) {
      entity
          .getPacketReplicationEngineEntryBuilder()
          .getMulticastGroupEntryBuilder()
          .setMulticastGroupId(id)
          .addAllReplicas(replicas);
    } else {
      entity
          .getPacketReplicationEngineEntryBuilder()
          .getCloneSessionEntryBuilder()
          .setSessionId(id)
          .setClassOfService(random.nextInt(8))
          .addAllReplicas(replicas);
    }
    return entity.build();
  }

  private Replica withBackups(Replica replica) {
    Replica.Builder with = replica.toBuilder();
    for (int i = random.nextInt(3); i >= 0; i--) {
      with.addBackupReplicasBuilder().setPort(bytes(number(4))).setInstance(random.nextInt(9));
    }
    return with.build();
  }

  /** An action that entries of a table may have, with arguments. */
  private Action action(int tableId) {
    int actionId = any(table(tableId).getActionRefsList()).getId();
    Action.Builder action = Action.newBuilder().setActionId(actionId);
    for (P4InfoOuterClass.Action declared : info.getActionsList()) {
      if (declared.getPreamble().getId() == actionId) {
        declared
            .getParamsList()
            .forEach(
                p ->
                    action.addParams(
                        Action.Param.newBuilder()
                            .setParamId(p.getId())
                            .setValue(bytes(number(p.getBitwidth())))));
      }
    }
    return action.build();
  }

  /** The action of an entry of a table: an action, or a member, a group or a set of actions. */
  private TableAction tableAction(P4InfoOuterClass.Table table) {
    TableAction.Builder action = TableAction.newBuilder();
    if (table.getImplementationId() == 0) {
      return action.setAction(action(table.getPreamble().getId())).build();
    }
    int kind = random.nextInt(10) == 0 ? random.nextInt(3) : sets ? 2 : random.nextInt(2);
    return switch (kind) {
      case 0 -> action.setActionProfileMemberId(1 + random.nextInt(5)).build();
      case 1 -> action.setActionProfileGroupId(1 + random.nextInt(4)).build();
      default -> {
        for (int i = random.nextInt(3); i >= 0; i--) {
          action
              .getActionProfileActionSetBuilder()
              .addActionProfileActionsBuilder()
              .setAction(action(table.getPreamble().getId()))
              .setWeight(1 + random.nextInt(2));
        }
        ActionProfileActionSet.Builder set = action.getActionProfileActionSetBuilder();
        if (random.nextInt(3) == 0) {
          set.setActionSelectionModeValue(random.nextInt(4));
        }
        if (random.nextInt(3) == 0) {
          set.setSizeSemanticsValue(random.nextInt(4));
        }
        yield action.build();
      }
    };
  }

  private Index index(long size) {
    return Index.newBuilder()
        .setIndex((long) (random.nextDouble() * Math.min(size, 1 << 20)))
        .build();
  }

  private CounterData data() {
    return CounterData.newBuilder()
        .setPacketCount(random.nextInt(1000))
        .setByteCount(random.nextInt(1000))
        .build();
  }

  private MeterConfig config() {
    long committed = random.nextInt(1000);
    return MeterConfig.newBuilder()
        .setCir(committed)
        .setCburst(random.nextInt(100))
        .setPir(committed + random.nextInt(1000))
        .setPburst(random.nextInt(100))
        .build();
  }

  private P4Data value(P4DataTypeSpec spec) {
    switch (spec.getTypeSpecCase()) {
      case NEW_TYPE:
        return value(
            info.getTypeInfo().getNewTypesMap().get(spec.getNewType().getName()).getOriginalType());
      case SERIALIZABLE_ENUM:
        return P4Data.newBuilder().setEnumValue(bytes(number(4))).build();
      default:
        int width =
            spec.getBitstring().hasInt()
                ? spec.getBitstring().getInt().getBitwidth()
                : spec.getBitstring().getBit().getBitwidth();
        return P4Data.newBuilder().setBitstring(bytes(number(width))).build();
    }
  }

  /** An entry: often one that exists, or nearly. */
  private TableEntry tableEntry() {
    P4InfoOuterClass.Table table = any(info.getTablesList());
    TableEntry.Builder entry = TableEntry.newBuilder().setTableId(table.getPreamble().getId());
    if (random.nextInt(12) == 0) {
      entry.setIsDefaultAction(true);
    } else if (random.nextInt(2) == 0 && !model.entries.isEmpty()) {
      List<TableEntry> existing = new ArrayList<>(model.entries.keySet());
      entry = any(existing).toBuilder();
    } else {
      boolean prioritized = false;
      for (MatchField field : table.getMatchFieldsList()) {
        boolean exact = field.getMatchType() == MatchField.MatchType.EXACT;
        prioritized |= !exact && field.getMatchType() != MatchField.MatchType.LPM;
        if (exact || random.nextInt(3) > 0) {
          entry.addMatch(match(field));
        }
      }
      if (prioritized) {
        entry.setPriority(1 + random.nextInt(4));
      }
    }
    P4InfoOuterClass.Table target = table(entry.getTableId());
    if (random.nextInt(5) > 0 && target.getActionRefsCount() > 0) {
      entry.setAction(tableAction(target));
    }
    if (random.nextInt(4) == 0) {
      entry.setMetadata(ByteString.copyFromUtf8("note " + random.nextInt(10)));
    }
    if (random.nextInt(4) == 0) {
      entry.setControllerMetadata(random.nextInt(5));
    }
    if (random.nextInt(3) == 0
        && info.getDirectCountersList().stream()
            .anyMatch(c -> c.getDirectTableId() == target.getPreamble().getId())) {
      entry.setCounterData(data());
    }
    if (random.nextInt(3) == 0
        && info.getDirectMetersList().stream()
            .anyMatch(m -> m.getDirectTableId() == target.getPreamble().getId())) {
      entry.setMeterConfig(config());
    }
    if (random.nextInt(3) == 0
        && target.getIdleTimeoutBehavior()
            == P4InfoOuterClass.Table.IdleTimeoutBehavior.NOTIFY_CONTROL) {
      entry.setIdleTimeoutNs(random.nextInt(1_000_000));
    }
    return entry.build();
  }

  private P4InfoOuterClass.Table table(int id) {
    for (P4InfoOuterClass.Table table : info.getTablesList()) {
      if (table.getPreamble().getId() == id) {
        return table;
      }
    }
    throw new IllegalStateException("no table " + id);
  }

  private FieldMatch match(MatchField field) {
    FieldMatch.Builder match = FieldMatch.newBuilder().setFieldId(field.getId());
    int width = field.getBitwidth();
    BigInteger value = number(width);
    switch (field.getMatchType()) {
      case LPM:
        int length = 1 + random.nextInt(width);
        match
            .getLpmBuilder()
            .setPrefixLen(length)
            .setValue(bytes(value.shiftRight(width - length).shiftLeft(width - length)));
        return match.build();
      case TERNARY:
        BigInteger mask = number(width).setBit(random.nextInt(width));
        match.getTernaryBuilder().setMask(bytes(mask)).setValue(bytes(value.and(mask)));
        return match.build();
      case RANGE:
        BigInteger other = number(width);
        match.getRangeBuilder().setLow(bytes(value.min(other))).setHigh(bytes(value.max(other)));
        return match.build();
      case OPTIONAL:
        match.getOptionalBuilder().setValue(bytes(value));
        return match.build();
      default:
        match.getExactBuilder().setValue(bytes(value));
        return match.build();
    }
  }

  /** A number, mostly small, so that entries meet again. */
  private BigInteger number(int widthBits) {
    return random.nextInt(3) == 0
        ? new BigInteger(widthBits, random)
        : BigInteger.valueOf(random.nextInt(6)).mod(BigInteger.ONE.shiftLeft(widthBits));
  }

  private ByteString bytes(BigInteger value) {
    ByteString shortest = ModelValues.bytes(value);
    return random.nextInt(8) > 0
        ? shortest
        : ByteString.copyFrom(new byte[1 + random.nextInt(20)]).concat(shortest);
  }

  // ---- changes ----

  /** A message with one thing changed, somewhere in it. */
  private Message mutated(Message message) {
    Message.Builder changed = message.toBuilder();
    List<FieldDescriptor> inside = new ArrayList<>();
    for (FieldDescriptor field : message.getAllFields().keySet()) {
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        inside.add(field);
      }
    }
    if (!inside.isEmpty() && random.nextInt(4) > 0) {
      FieldDescriptor field = any(inside);
      if (!field.isRepeated()) {
        return changed.setField(field, mutated((Message) message.getField(field))).build();
      }
      int at = random.nextInt(message.getRepeatedFieldCount(field));
      Message element = (Message) message.getRepeatedField(field, at);
      if (random.nextInt(5) == 0) {
        return changed.addRepeatedField(field, element).build();
      }
      return changed.setRepeatedField(field, at, mutated(element)).build();
    }
    List<FieldDescriptor> fields = new ArrayList<>(message.getDescriptorForType().getFields());
    fields.removeIf(f -> f.getFullName().startsWith("google."));
    if (fields.isEmpty()) {
      return message;
    }
    FieldDescriptor field = any(fields);
    if (random.nextInt(4) == 0) {
      return changed.clearField(field).build();
    }
    if (field.isRepeated()) {
      return changed.clearField(field).build();
    }
    return changed.setField(field, replacement(field, changed)).build();
  }

  private Object replacement(FieldDescriptor field, Message.Builder in) {
    return switch (field.getJavaType()) {
      case INT -> {
        int[] numbers = {0, 1, 2, 3, 33, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, any(ids)};
        yield numbers[random.nextInt(numbers.length)];
      }
      case LONG -> {
        long[] longs = {0, 1, 5, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32};
        yield longs[random.nextInt(longs.length)];
      }
      case BOOLEAN -> random.nextBoolean();
      case ENUM -> field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(6));
      case BYTE_STRING -> {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        yield ByteString.copyFrom(bytes);
      }
      case MESSAGE -> in.newBuilderForField(field).build();
      default -> field.getDefaultValue();
    };
  }
}
