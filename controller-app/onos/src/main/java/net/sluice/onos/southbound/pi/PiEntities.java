package net.sluice.onos.southbound.pi;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.p4info.ActionDescriptor;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.ParamDescriptor;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import net.sluice.pipeconf.p4info.TableDescriptor;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.pi.model.PiActionId;
import org.onosproject.net.pi.model.PiActionParamId;
import org.onosproject.net.pi.model.PiCounterId;
import org.onosproject.net.pi.model.PiMatchFieldId;
import org.onosproject.net.pi.model.PiTableId;
import org.onosproject.net.pi.runtime.PiAction;
import org.onosproject.net.pi.runtime.PiActionParam;
import org.onosproject.net.pi.runtime.PiCloneSessionEntry;
import org.onosproject.net.pi.runtime.PiCounterCell;
import org.onosproject.net.pi.runtime.PiCounterCellId;
import org.onosproject.net.pi.runtime.PiEntity;
import org.onosproject.net.pi.runtime.PiExactFieldMatch;
import org.onosproject.net.pi.runtime.PiFieldMatch;
import org.onosproject.net.pi.runtime.PiHandle;
import org.onosproject.net.pi.runtime.PiLpmFieldMatch;
import org.onosproject.net.pi.runtime.PiMatchKey;
import org.onosproject.net.pi.runtime.PiMeterCellConfig;
import org.onosproject.net.pi.runtime.PiMeterCellHandle;
import org.onosproject.net.pi.runtime.PiMeterCellId;
import org.onosproject.net.pi.runtime.PiPreReplica;
import org.onosproject.net.pi.runtime.PiRangeFieldMatch;
import org.onosproject.net.pi.runtime.PiTableEntry;
import org.onosproject.net.pi.runtime.PiTernaryFieldMatch;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * P4Runtime's entities as ONOS's objects, and back. Thread-safe.
 *
 * <p>ONOS wants names, and values of the full width. Two things it cannot say as P4Runtime does:
 *
 * <ul>
 *   <li>It takes an entry without match for the table's default action. So an entry that matches
 *       everything, such as a default route, is its two halves, prefixes of one bit, and prefixes
 *       of one bit are refused.
 *   <li>Its entries have no meters: an entry's meter is an object of its own.
 * </ul>
 */
public final class PiEntities {
  private final PiNames names;

  /** Objects with the names of a program. */
  public PiEntities(ProgramDescriptor program) {
    names = new PiNames(program);
  }

  // ---------------------------------------------------------------- to ONOS

  /**
   * An entity to be written.
   *
   * @param parts one object, or the two halves of an entry
   * @param meter what is written when the entry is there
   */
  public record Written(List<PiEntity> parts, Optional<PiMeterCellConfig> meter) {}

  /**
   * The objects of an update.
   *
   * @throws InvalidValueException if ONOS cannot say it
   */
  public Written encode(Update update) {
    Entity entity = update.getEntity();
    return switch (entity.getEntityCase()) {
      case TABLE_ENTRY -> encode(entity.getTableEntry(), update.getType());
      case COUNTER_ENTRY -> {
        CounterEntry cell = entity.getCounterEntry();
        CounterData data = cell.getData();
        yield written(new PiCounterCell(id(cell), data.getPacketCount(), data.getByteCount()));
      }
      case PACKET_REPLICATION_ENGINE_ENTRY ->
          written(session(entity.getPacketReplicationEngineEntry().getCloneSessionEntry()));
      default -> throw new IllegalStateException("no program has such an entity: " + entity);
    };
  }

  private static Written written(PiEntity entity) {
    return new Written(List.of(entity), Optional.empty());
  }

  private Written encode(TableEntry entry, Update.Type type) {
    TableDescriptor table = names.tables.get(entry.getTableId());
    if (Halves.isHalf(entry) && type != Update.Type.DELETE) {
      throw new InvalidValueException(
          table.name(),
          "a prefix of 1 bit",
          "prefixes of 0 or of 2 and more bits: through ONOS two of 1 bit stand for one of 0");
    }
    List<TableEntry> parts = Halves.split(table, entry);
    Optional<PiMeterCellConfig> meter =
        entry.hasMeterConfig()
            ? Optional.of(meter(key(parts.get(0)).build(), entry.getMeterConfig()))
            : Optional.empty();
    return new Written(parts.stream().<PiEntity>map(this::encode).toList(), meter);
  }

  private static PiMeterCellConfig meter(PiTableEntry key, MeterConfig config) {
    return PiMeterCellConfig.builder()
        .withMeterCellId(PiMeterCellId.ofDirect(key))
        .withCommittedBand(config.getCir(), config.getCburst())
        .withPeakBand(config.getPir(), config.getPburst())
        .build();
  }

  private PiTableEntry encode(TableEntry entry) {
    PiTableEntry.Builder encoded = key(entry);
    if (entry.hasAction()) {
      encoded.withAction(action(entry.getAction().getAction()));
    }
    return encoded.build();
  }

  private PiTableEntry.Builder key(TableEntry entry) {
    TableDescriptor table = names.tables.get(entry.getTableId());
    PiMatchKey.Builder key = PiMatchKey.builder();
    for (FieldMatch match : entry.getMatchList()) {
      key.addFieldMatch(match(names.fields(table).get(match.getFieldId()), match));
    }
    PiTableEntry.Builder encoded =
        PiTableEntry.builder().forTable(PiTableId.of(table.name())).withMatchKey(key.build());
    if (entry.getPriority() > 0) {
      encoded.withPriority(entry.getPriority());
    }
    return encoded;
  }

  private static PiFieldMatch match(MatchField field, FieldMatch match) {
    PiMatchFieldId name = PiMatchFieldId.of(field.name());
    int bits = field.bits();
    return switch (match.getFieldMatchTypeCase()) {
      case EXACT -> new PiExactFieldMatch(name, wide(match.getExact().getValue(), bits));
      case LPM ->
          new PiLpmFieldMatch(
              name, wide(match.getLpm().getValue(), bits), match.getLpm().getPrefixLen());
      case RANGE ->
          new PiRangeFieldMatch(
              name, wide(match.getRange().getLow(), bits), wide(match.getRange().getHigh(), bits));
      case TERNARY ->
          new PiTernaryFieldMatch(
              name,
              wide(match.getTernary().getValue(), bits),
              wide(match.getTernary().getMask(), bits));
      default -> throw new IllegalStateException("no program has such a match: " + match);
    };
  }

  private PiAction action(Action action) {
    ActionDescriptor of = names.actions.get(action.getActionId());
    PiAction.Builder encoded = PiAction.builder().withId(PiActionId.of(of.name()));
    for (Action.Param param : action.getParamsList()) {
      ParamDescriptor known = names.params(of).get(param.getParamId());
      encoded.withParameter(
          new PiActionParam(
              PiActionParamId.of(known.name()), wide(param.getValue(), known.bits())));
    }
    return encoded.build();
  }

  private static ImmutableByteSequence wide(ByteString value, int bits) {
    byte[] bytes = new byte[(bits + 7) / 8];
    value.copyTo(bytes, bytes.length - value.size());
    return ImmutableByteSequence.copyFrom(bytes);
  }

  private PiCounterCellId id(CounterEntry cell) {
    return PiCounterCellId.ofIndirect(
        PiCounterId.of(names.counters.get(cell.getCounterId()).name()), cell.getIndex().getIndex());
  }

  private static PiCloneSessionEntry session(CloneSessionEntry session) {
    PiCloneSessionEntry.Builder encoded =
        PiCloneSessionEntry.builder()
            .withSessionId(session.getSessionId())
            .withClassOfService(session.getClassOfService())
            .withMaxPacketLengthBytes(session.getPacketLengthBytes());
    for (Replica each : session.getReplicasList()) {
      encoded.addReplica(
          new PiPreReplica(
              PortNumber.portNumber(Integer.toUnsignedLong(each.getEgressPort())),
              each.getInstance()));
    }
    return encoded.build();
  }

  /** The table of which a request asks for all entries. */
  public PiTableId table(Entity wanted) {
    return PiTableId.of(names.tables.get(wanted.getTableEntry().getTableId()).name());
  }

  /** The handles of one entity, whose meter is asked for if {@code wanted} has one. */
  public List<PiHandle> handles(Entity wanted, DeviceId device) {
    Update key = Update.newBuilder().setType(Update.Type.DELETE).setEntity(wanted).build();
    Written encoded = encode(key);
    List<PiHandle> handles = new ArrayList<>();
    encoded.parts().forEach(part -> handles.add(part.handle(device)));
    encoded.meter().ifPresent(meter -> handles.add(PiMeterCellHandle.of(device, meter)));
    return handles;
  }

  // ---------------------------------------------------------------- from ONOS

  /**
   * The entities of the objects that a read has brought.
   *
   * @param isMetered whether meters of entries were asked for
   * @param isWhole false if objects are missing: an entry without its meter or its other half is
   *     then left out
   * @throws InvalidValueException if the program does not have what one names
   */
  public List<Entity> decode(Collection<PiEntity> read, boolean isMetered, boolean isWhole) {
    Map<TableEntry, MeterConfig> meters = new HashMap<>();
    for (PiEntity each : read) {
      if (each instanceof PiMeterCellConfig meter) {
        meters.put(key(meter.cellId().tableEntry()).build(), config(meter));
      }
    }
    List<Entity> decoded = new ArrayList<>(read.size());
    Halves halves = new Halves();
    for (PiEntity each : read) {
      if (each instanceof PiTableEntry of) {
        TableEntry.Builder entry = key(of);
        if (isMetered) {
          TableEntry key = entry.build();
          if (!isWhole && !meters.containsKey(key)) {
            continue;
          }
          Optional.ofNullable(meters.get(key)).ifPresent(entry::setMeterConfig);
        }
        if (of.action() instanceof PiAction action) {
          entry.getActionBuilder().setAction(action(action));
        }
        halves.add(entry.build());
      } else if (each instanceof PiCounterCell cell) {
        decoded.add(Entity.newBuilder().setCounterEntry(cell(cell)).build());
      } else if (each instanceof PiCloneSessionEntry session) {
        decoded.add(session(session));
      }
    }
    halves
        .joined(isWhole)
        .forEach(entry -> decoded.add(Entity.newBuilder().setTableEntry(entry).build()));
    return decoded;
  }

  /** Null for a meter that was never given rates. */
  private static MeterConfig config(PiMeterCellConfig meter) {
    return meter.isModifyConfig()
        ? MeterConfig.newBuilder()
            .setCir(meter.committedBand().rate())
            .setCburst(meter.committedBand().burst())
            .setPir(meter.peakBand().rate())
            .setPburst(meter.peakBand().burst())
            .build()
        : null;
  }

  private TableEntry.Builder key(PiTableEntry entry) {
    TableDescriptor table = names.tables.get(entry.table().id());
    TableEntry.Builder decoded = TableEntry.newBuilder().setTableId(table.id());
    entry.priority().ifPresent(decoded::setPriority);
    for (PiFieldMatch match : entry.matchKey().fieldMatches()) {
      decoded.addMatch(match(names.fields(table).get(match.fieldId().id()).id(), match));
    }
    return decoded;
  }

  private static FieldMatch match(int id, PiFieldMatch match) {
    FieldMatch.Builder decoded = FieldMatch.newBuilder().setFieldId(id);
    if (match instanceof PiExactFieldMatch exact) {
      decoded.getExactBuilder().setValue(bytes(exact.value()));
    } else if (match instanceof PiLpmFieldMatch lpm) {
      decoded.getLpmBuilder().setValue(bytes(lpm.value())).setPrefixLen(lpm.prefixLength());
    } else if (match instanceof PiRangeFieldMatch range) {
      decoded.getRangeBuilder().setLow(bytes(range.lowValue())).setHigh(bytes(range.highValue()));
    } else if (match instanceof PiTernaryFieldMatch ternary) {
      decoded.getTernaryBuilder().setValue(bytes(ternary.value())).setMask(bytes(ternary.mask()));
    } else {
      throw new InvalidValueException(
          "match", match, "exact, longest prefix, range or ternary: the program has no other");
    }
    return decoded.build();
  }

  private Action.Builder action(PiAction action) {
    ActionDescriptor of = names.actions.get(action.id().id());
    Action.Builder decoded = Action.newBuilder().setActionId(of.id());
    for (PiActionParam param : action.parameters()) {
      decoded
          .addParamsBuilder()
          .setParamId(names.params(of).get(param.id().id()).id())
          .setValue(bytes(param.value()));
    }
    return decoded;
  }

  private static ByteString bytes(ImmutableByteSequence sequence) {
    return ByteString.copyFrom(sequence.asReadOnlyBuffer());
  }

  private CounterEntry cell(PiCounterCell cell) {
    return CounterEntry.newBuilder()
        .setCounterId(names.counters.get(cell.cellId().counterId().id()).id())
        .setIndex(Index.newBuilder().setIndex(cell.cellId().index()))
        .setData(
            CounterData.newBuilder()
                .setPacketCount(cell.data().packets())
                .setByteCount(cell.data().bytes()))
        .build();
  }

  private static Entity session(PiCloneSessionEntry session) {
    Entity.Builder decoded = Entity.newBuilder();
    CloneSessionEntry.Builder entry =
        decoded
            .getPacketReplicationEngineEntryBuilder()
            .getCloneSessionEntryBuilder()
            .setSessionId(session.sessionId())
            .setClassOfService(session.classOfService())
            .setPacketLengthBytes(session.maxPacketLengthBytes());
    for (PiPreReplica each : session.replicas()) {
      entry
          .addReplicasBuilder()
          .setEgressPort((int) each.egressPort().toLong())
          .setInstance(each.instanceId());
    }
    return decoded.build();
  }
}
