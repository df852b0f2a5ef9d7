package net.sluice.onos.testing;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.function.Predicate;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.net.PortNumber;
import org.onosproject.net.pi.model.PiActionId;
import org.onosproject.net.pi.model.PiActionParamId;
import org.onosproject.net.pi.model.PiCounterId;
import org.onosproject.net.pi.model.PiMatchFieldId;
import org.onosproject.net.pi.model.PiTableId;
import org.onosproject.net.pi.runtime.PiAction;
import org.onosproject.net.pi.runtime.PiActionParam;
import org.onosproject.net.pi.runtime.PiCloneSessionEntry;
import org.onosproject.net.pi.runtime.PiCloneSessionEntryHandle;
import org.onosproject.net.pi.runtime.PiCounterCell;
import org.onosproject.net.pi.runtime.PiCounterCellHandle;
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
import org.onosproject.net.pi.runtime.PiTableEntryHandle;
import org.onosproject.net.pi.runtime.PiTernaryFieldMatch;
import p4.config.v1.P4InfoOuterClass.Action;
import p4.config.v1.P4InfoOuterClass.Counter;
import p4.config.v1.P4InfoOuterClass.MatchField;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Table;
import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.DirectMeterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * ONOS's entities on the wire, by the rules that its 2.7.0 client keeps: values of exactly the
 * field's width or the update fails before it is sent, and no match for the default entry.
 */
final class WireCodec {
  /** An entity that the client does not send. */
  static final class CodecException extends Exception {
    private static final long serialVersionUID = 1L;

    CodecException(String message) {
      super(message);
    }
  }

  private final P4Info info;

  WireCodec(P4Info info) {
    this.info = info;
  }

  int tableId(PiTableId name) throws CodecException {
    return table(name).getPreamble().getId();
  }

  private Table table(PiTableId name) throws CodecException {
    return find(info.getTablesList(), t -> t.getPreamble().getName().equals(name.id()), name);
  }

  private static <T> T find(List<T> all, Predicate<T> wanted, Object name) throws CodecException {
    return all.stream()
        .filter(wanted)
        .findFirst()
        .orElseThrow(() -> new CodecException("not in P4Info: " + name));
  }

  Entity encode(PiEntity entity) throws CodecException {
    if (entity instanceof PiTableEntry entry) {
      return Entity.newBuilder().setTableEntry(encode(entry)).build();
    } else if (entity instanceof PiMeterCellConfig meter) {
      DirectMeterEntry.Builder encoded =
          DirectMeterEntry.newBuilder().setTableEntry(encode(meter.cellId().tableEntry()));
      if (!meter.isDefaultConfig()) {
        encoded
            .getConfigBuilder()
            .setCir(meter.committedBand().rate())
            .setCburst(meter.committedBand().burst())
            .setPir(meter.peakBand().rate())
            .setPburst(meter.peakBand().burst());
      }
      return Entity.newBuilder().setDirectMeterEntry(encoded).build();
    } else if (entity instanceof PiCloneSessionEntry session) {
      CloneSessionEntry.Builder encoded =
          CloneSessionEntry.newBuilder()
              .setSessionId(session.sessionId())
              .setClassOfService(session.classOfService())
              .setPacketLengthBytes(session.maxPacketLengthBytes());
      for (PiPreReplica replica : session.replicas()) {
        encoded
            .addReplicasBuilder()
            .setEgressPort(Math.toIntExact(replica.egressPort().toLong()))
            .setInstance(replica.instanceId());
      }
      return session(encoded);
    } else if (entity instanceof PiCounterCell cell) {
      CounterEntry.Builder encoded = counter(cell.cellId()).toBuilder();
      encoded.setData(
          CounterData.newBuilder()
              .setPacketCount(cell.data().packets())
              .setByteCount(cell.data().bytes()));
      return Entity.newBuilder().setCounterEntry(encoded).build();
    }
    throw new CodecException("no codec for " + entity);
  }

  private TableEntry encode(PiTableEntry entry) throws CodecException {
    TableEntry.Builder encoded = key(entry.table(), entry.matchKey());
    entry.priority().ifPresent(encoded::setPriority);
    if (entry.action() != null) {
      encoded.setAction(TableAction.newBuilder().setAction(action((PiAction) entry.action())));
    }
    return encoded.build();
  }

  private static Entity session(CloneSessionEntry.Builder session) {
    return Entity.newBuilder()
        .setPacketReplicationEngineEntry(
            PacketReplicationEngineEntry.newBuilder().setCloneSessionEntry(session))
        .build();
  }

  Entity encode(PiHandle handle) throws CodecException {
    if (handle instanceof PiTableEntryHandle of) {
      TableEntry.Builder encoded = key(of.tableId(), of.matchKey());
      of.priority().ifPresent(encoded::setPriority);
      return Entity.newBuilder().setTableEntry(encoded).build();
    } else if (handle instanceof PiMeterCellHandle of) {
      PiTableEntry metered = of.cellId().tableEntry();
      TableEntry.Builder encoded = key(metered.table(), metered.matchKey());
      metered.priority().ifPresent(encoded::setPriority);
      return Entity.newBuilder()
          .setDirectMeterEntry(DirectMeterEntry.newBuilder().setTableEntry(encoded))
          .build();
    } else if (handle instanceof PiCloneSessionEntryHandle of) {
      return session(CloneSessionEntry.newBuilder().setSessionId(of.sessionId()));
    } else if (handle instanceof PiCounterCellHandle of) {
      return Entity.newBuilder().setCounterEntry(counter(of.cellId())).build();
    }
    throw new CodecException("no codec for " + handle);
  }

  private CounterEntry counter(PiCounterCellId cell) throws CodecException {
    Counter counter =
        find(
            info.getCountersList(),
            c -> c.getPreamble().getName().equals(cell.counterId().id()),
            cell.counterId());
    return CounterEntry.newBuilder()
        .setCounterId(counter.getPreamble().getId())
        .setIndex(Index.newBuilder().setIndex(cell.index()))
        .build();
  }

  private TableEntry.Builder key(PiTableId name, PiMatchKey key) throws CodecException {
    Table table = table(name);
    TableEntry.Builder entry = TableEntry.newBuilder().setTableId(table.getPreamble().getId());
    if (key.equals(PiMatchKey.EMPTY)) {
      return entry.setIsDefaultAction(true);
    }
    for (PiFieldMatch match : key.fieldMatches()) {
      entry.addMatch(match(table, match));
    }
    return entry;
  }

  private static FieldMatch match(Table table, PiFieldMatch match) throws CodecException {
    MatchField field =
        find(
            table.getMatchFieldsList(),
            f -> f.getName().equals(match.fieldId().id()),
            match.fieldId());
    int bits = field.getBitwidth();
    FieldMatch.Builder encoded = FieldMatch.newBuilder().setFieldId(field.getId());
    if (match instanceof PiExactFieldMatch of) {
      encoded.getExactBuilder().setValue(bytes(of.value(), bits));
    } else if (match instanceof PiLpmFieldMatch of) {
      encoded.getLpmBuilder().setValue(bytes(of.value(), bits)).setPrefixLen(of.prefixLength());
    } else if (match instanceof PiRangeFieldMatch of) {
      encoded.getRangeBuilder().setLow(bytes(of.lowValue(), bits));
      encoded.getRangeBuilder().setHigh(bytes(of.highValue(), bits));
    } else if (match instanceof PiTernaryFieldMatch of) {
      encoded.getTernaryBuilder().setValue(bytes(of.value(), bits));
      encoded.getTernaryBuilder().setMask(bytes(of.mask(), bits));
    } else {
      throw new CodecException("no codec for " + match);
    }
    return encoded.build();
  }

  private p4.v1.P4RuntimeOuterClass.Action action(PiAction action) throws CodecException {
    Action of =
        find(
            info.getActionsList(),
            a -> a.getPreamble().getName().equals(action.id().id()),
            action.id());
    p4.v1.P4RuntimeOuterClass.Action.Builder encoded =
        p4.v1.P4RuntimeOuterClass.Action.newBuilder().setActionId(of.getPreamble().getId());
    for (PiActionParam param : action.parameters()) {
      Action.Param found =
          find(of.getParamsList(), p -> p.getName().equals(param.id().id()), param.id());
      encoded
          .addParamsBuilder()
          .setParamId(found.getId())
          .setValue(bytes(param.value(), found.getBitwidth()));
    }
    return encoded.build();
  }

  private static ByteString bytes(ImmutableByteSequence value, int bits) throws CodecException {
    if (value.size() != (bits + 7) / 8) {
      throw new CodecException(
          "Wrong size, expected " + (bits + 7) / 8 + " bytes, but found " + value.size());
    }
    return ByteString.copyFrom(value.asReadOnlyBuffer());
  }

  PiEntity decode(Entity entity) throws CodecException {
    if (entity.hasCounterEntry()) {
      CounterEntry entry = entity.getCounterEntry();
      Counter counter =
          find(
              info.getCountersList(),
              c -> c.getPreamble().getId() == entry.getCounterId(),
              entry.getCounterId());
      return new PiCounterCell(
          PiCounterCellId.ofIndirect(
              PiCounterId.of(counter.getPreamble().getName()), entry.getIndex().getIndex()),
          entry.getData().getPacketCount(),
          entry.getData().getByteCount());
    }
    if (entity.hasPacketReplicationEngineEntry()) {
      CloneSessionEntry session = entity.getPacketReplicationEngineEntry().getCloneSessionEntry();
      PiCloneSessionEntry.Builder decoded =
          PiCloneSessionEntry.builder()
              .withSessionId(session.getSessionId())
              .withClassOfService(session.getClassOfService())
              .withMaxPacketLengthBytes(session.getPacketLengthBytes());
      session
          .getReplicasList()
          .forEach(
              replica ->
                  decoded.addReplica(
                      new PiPreReplica(
                          PortNumber.portNumber(replica.getEgressPort()), replica.getInstance())));
      return decoded.build();
    }
    if (entity.hasDirectMeterEntry()) {
      DirectMeterEntry meter = entity.getDirectMeterEntry();
      PiMeterCellConfig.Builder decoded =
          PiMeterCellConfig.builder()
              .withMeterCellId(PiMeterCellId.ofDirect(decode(meter.getTableEntry())));
      if (meter.hasConfig()) {
        MeterConfig config = meter.getConfig();
        decoded
            .withCommittedBand(config.getCir(), config.getCburst())
            .withPeakBand(config.getPir(), config.getPburst());
      }
      return decoded.build();
    }
    return decode(entity.getTableEntry());
  }

  private PiTableEntry decode(TableEntry entry) throws CodecException {
    Table table =
        find(
            info.getTablesList(),
            t -> t.getPreamble().getId() == entry.getTableId(),
            entry.getTableId());
    PiMatchKey.Builder key = PiMatchKey.builder();
    for (FieldMatch match : entry.getMatchList()) {
      key.addFieldMatch(decode(table, match));
    }
    PiTableEntry.Builder decoded =
        PiTableEntry.builder()
            .forTable(PiTableId.of(table.getPreamble().getName()))
            .withMatchKey(key.build());
    if (entry.getPriority() > 0) {
      decoded.withPriority(entry.getPriority());
    }
    if (entry.hasAction()) {
      decoded.withAction(decode(entry.getAction().getAction()));
    }
    return decoded.build();
  }

  private static PiFieldMatch decode(Table table, FieldMatch match) throws CodecException {
    MatchField field =
        find(table.getMatchFieldsList(), f -> f.getId() == match.getFieldId(), match.getFieldId());
    PiMatchFieldId id = PiMatchFieldId.of(field.getName());
    int bits = field.getBitwidth();
    return switch (match.getFieldMatchTypeCase()) {
      case EXACT -> new PiExactFieldMatch(id, wide(match.getExact().getValue(), bits));
      case LPM ->
          new PiLpmFieldMatch(
              id, wide(match.getLpm().getValue(), bits), match.getLpm().getPrefixLen());
      case RANGE ->
          new PiRangeFieldMatch(
              id, wide(match.getRange().getLow(), bits), wide(match.getRange().getHigh(), bits));
      case TERNARY ->
          new PiTernaryFieldMatch(
              id,
              wide(match.getTernary().getValue(), bits),
              wide(match.getTernary().getMask(), bits));
      default -> throw new CodecException("no codec for " + match);
    };
  }

  private PiAction decode(p4.v1.P4RuntimeOuterClass.Action action) throws CodecException {
    Action of =
        find(
            info.getActionsList(),
            a -> a.getPreamble().getId() == action.getActionId(),
            action.getActionId());
    PiAction.Builder decoded = PiAction.builder().withId(PiActionId.of(of.getPreamble().getName()));
    for (p4.v1.P4RuntimeOuterClass.Action.Param param : action.getParamsList()) {
      Action.Param found =
          find(of.getParamsList(), p -> p.getId() == param.getParamId(), param.getParamId());
      decoded.withParameter(
          new PiActionParam(
              PiActionParamId.of(found.getName()), wide(param.getValue(), found.getBitwidth())));
    }
    return decoded.build();
  }

  private static ImmutableByteSequence wide(ByteString value, int bits) throws CodecException {
    try {
      return ImmutableByteSequence.copyAndFit(value.asReadOnlyByteBuffer(), bits);
    } catch (ImmutableByteSequence.ByteSequenceTrimException e) {
      throw new CodecException(e.getMessage());
    }
  }
}
