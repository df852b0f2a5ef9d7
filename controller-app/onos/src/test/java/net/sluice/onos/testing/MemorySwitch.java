package net.sluice.onos.testing;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import net.sluice.core.time.Scheduler;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Table;
import p4.v1.P4RuntimeOuterClass;
import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.DirectMeterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/**
 * A switch in memory, as strict as P4Runtime asks for, that takes its time in virtual time and
 * whose callers give up after ten seconds as ONOS does.
 */
public final class MemorySwitch implements SwitchWire {
  /** After which ONOS 2.7.0 gives a call up. */
  public static final Duration DEADLINE = Duration.ofSeconds(10);

  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private final Map<Integer, Map<Object, TableEntry>> tables = new LinkedHashMap<>();
  private final Map<Integer, Long> sizes;
  private final Map<List<Long>, CounterData> counters = new LinkedHashMap<>();
  private final Map<Object, MeterConfig> meters = new LinkedHashMap<>();
  private final Map<Integer, CloneSessionEntry> sessions = new LinkedHashMap<>();
  private final Scheduler scheduler;
  private int readsPerSecond = 30_000;
  private boolean refusesAbsentKeys;
  private Duration longestRead = Duration.ZERO;
  private int largestRead;
  private int reads;
  private int readsNow;
  private int mostReadsAtOnce;
  private Duration write = Duration.ofMillis(1);
  private Supplier<Throwable> writeFailure = () -> null;

  /** An empty switch with the tables of a program. */
  public MemorySwitch(P4Info info, Scheduler scheduler) {
    this.scheduler = scheduler;
    sizes =
        info.getTablesList().stream()
            .collect(Collectors.toMap(t -> t.getPreamble().getId(), Table::getSize));
    sizes.keySet().forEach(id -> tables.put(id, new LinkedHashMap<>()));
  }

  /** Room for that many entries in a table. */
  public void resize(int tableId, long entries) {
    sizes.put(tableId, entries);
  }

  /** How fast it reads; 30,000 entries a second by default. */
  public void readsPerSecond(int entries) {
    readsPerSecond = entries;
  }

  /** Answers a read that names an entry that is not there NOT_FOUND as a whole. */
  public void refuseAbsentKeys() {
    refusesAbsentKeys = true;
  }

  /** After which a write is answered; a millisecond by default. */
  public void writesTake(Duration time) {
    write = time;
  }

  /** What the next writes fail with, as a call; null for none. */
  public void failWrites(Supplier<Throwable> failure) {
    writeFailure = failure;
  }

  /** The entries of a table. */
  public Map<Object, TableEntry> table(int id) {
    return tables.get(id);
  }

  /** The clone sessions by their numbers. */
  public Map<Integer, CloneSessionEntry> sessions() {
    return sessions;
  }

  /** The meters that have rates, each by the key of its entry. */
  public Map<Object, MeterConfig> meters() {
    return meters;
  }

  /** Empties it, as loading a program does. */
  public void clear() {
    meters.clear();
    sessions.clear();
    tables.values().forEach(Map::clear);
  }

  /** Puts an entry there as another controller would. */
  public void place(TableEntry entry) {
    put(entry);
  }

  private void put(TableEntry entry) {
    tables
        .get(entry.getTableId())
        .put(key(entry), canonical(entry).toBuilder().clearMeterConfig().build());
    if (entry.hasMeterConfig()) {
      meters.put(key(entry), entry.getMeterConfig());
    }
  }

  /** The longest a read took, given up or not. */
  public Duration longestRead() {
    return longestRead;
  }

  /** Most entries that a read named or brought. */
  public int largestRead() {
    return largestRead;
  }

  /** Reads so far. */
  public int reads() {
    return reads;
  }

  /** Most reads at a time. */
  public int mostReadsAtOnce() {
    return mostReadsAtOnce;
  }

  /** Sets a counter cell. */
  public void count(int counterId, long index, long packets, long bytes) {
    counters.put(
        List.of((long) counterId, index),
        CounterData.newBuilder().setPacketCount(packets).setByteCount(bytes).build());
  }

  // ---------------------------------------------------------------- writing

  @Override
  public CompletableFuture<Throwable> write(WriteRequest request) {
    CompletableFuture<Throwable> answer = new CompletableFuture<>();
    Throwable failure = writeFailure.get();
    scheduler.schedule(write, () -> answer.complete(failure != null ? failure : apply(request)));
    return answer;
  }

  private Throwable apply(WriteRequest request) {
    List<P4RuntimeOuterClass.Error> errors = new ArrayList<>();
    boolean failed = false;
    for (Update update : request.getUpdatesList()) {
      P4RuntimeOuterClass.Error error = apply(update);
      failed |= error.getCanonicalCode() != Code.OK_VALUE;
      errors.add(error);
    }
    if (!failed) {
      return null;
    }
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder().setCode(Code.UNKNOWN_VALUE);
    errors.forEach(error -> status.addDetails(Any.pack(error)));
    Metadata trailers = new Metadata();
    trailers.put(DETAILS, status.build().toByteArray());
    return Status.UNKNOWN.asRuntimeException(trailers);
  }

  private P4RuntimeOuterClass.Error apply(Update update) {
    Entity entity = update.getEntity();
    return switch (entity.getEntityCase()) {
      case COUNTER_ENTRY -> applyCounter(entity.getCounterEntry());
      case DIRECT_METER_ENTRY -> applyMeter(update.getType(), entity.getDirectMeterEntry());
      case PACKET_REPLICATION_ENGINE_ENTRY ->
          applySession(
              update.getType(), entity.getPacketReplicationEngineEntry().getCloneSessionEntry());
      default -> apply(update.getType(), entity.getTableEntry());
    };
  }

  private P4RuntimeOuterClass.Error applyMeter(Update.Type type, DirectMeterEntry meter) {
    Object key = key(meter.getTableEntry());
    if (type != Update.Type.MODIFY) {
      return error(Code.INVALID_ARGUMENT, "a direct meter can only be modified");
    } else if (!tables.get(meter.getTableEntry().getTableId()).containsKey(key)) {
      return error(Code.NOT_FOUND, "there is no such entry");
    } else if (meter.hasConfig()) {
      meters.put(key, meter.getConfig());
    } else {
      meters.remove(key);
    }
    return error(Code.OK, "");
  }

  private P4RuntimeOuterClass.Error applySession(Update.Type type, CloneSessionEntry session) {
    boolean there = sessions.containsKey(session.getSessionId());
    if (type == Update.Type.INSERT && there) {
      return error(Code.ALREADY_EXISTS, "the session is there");
    } else if (type != Update.Type.INSERT && !there) {
      return error(Code.NOT_FOUND, "there is no such session");
    } else if (type == Update.Type.DELETE) {
      sessions.remove(session.getSessionId());
    } else {
      sessions.put(session.getSessionId(), session);
    }
    return error(Code.OK, "");
  }

  private P4RuntimeOuterClass.Error applyCounter(CounterEntry entry) {
    counters.put(
        List.of((long) entry.getCounterId(), entry.getIndex().getIndex()), entry.getData());
    return error(Code.OK, "");
  }

  private P4RuntimeOuterClass.Error apply(Update.Type type, TableEntry entry) {
    if (entry.getIsDefaultAction()) {
      return error(Code.INVALID_ARGUMENT, "default entries can only be modified");
    }
    for (FieldMatch match : entry.getMatchList()) {
      if (match.hasLpm() && match.getLpm().getPrefixLen() == 0) {
        return error(Code.INVALID_ARGUMENT, "a prefix of length 0 is to be left out");
      }
    }
    Map<Object, TableEntry> table = tables.get(entry.getTableId());
    boolean there = table.containsKey(key(entry));
    if (type == Update.Type.INSERT && there) {
      return error(Code.ALREADY_EXISTS, "the entry is there");
    } else if (type != Update.Type.INSERT && !there) {
      return error(Code.NOT_FOUND, "there is no such entry");
    } else if (type == Update.Type.INSERT && table.size() >= sizes.get(entry.getTableId())) {
      return error(
          Code.RESOURCE_EXHAUSTED, "the table holds " + sizes.get(entry.getTableId()) + " entries");
    } else if (type == Update.Type.DELETE) {
      table.remove(key(entry));
      meters.remove(key(entry));
    } else {
      put(entry);
    }
    return error(Code.OK, "");
  }

  private static P4RuntimeOuterClass.Error error(Code code, String message) {
    return P4RuntimeOuterClass.Error.newBuilder()
        .setCanonicalCode(code.getNumber())
        .setMessage(message)
        .build();
  }

  // ---------------------------------------------------------------- reading

  @Override
  public CompletableFuture<Read> read(ReadRequest request) {
    CompletableFuture<Read> answer = new CompletableFuture<>();
    reads++;
    readsNow++;
    mostReadsAtOnce = Math.max(mostReadsAtOnce, readsNow);
    List<Entity> found = new ArrayList<>();
    boolean absent = false;
    for (Entity entity : request.getEntitiesList()) {
      int before = found.size();
      switch (entity.getEntityCase()) {
        case COUNTER_ENTRY -> found.add(counter(entity.getCounterEntry()));
        case DIRECT_METER_ENTRY -> findMeters(entity.getDirectMeterEntry(), found);
        case PACKET_REPLICATION_ENGINE_ENTRY ->
            sessions.values().forEach(s -> found.add(entity(s)));
        default -> find(entity.getTableEntry(), found);
      }
      absent |= found.size() == before && entity.getTableEntry().getMatchCount() > 0;
    }
    int work = Math.max(found.size(), request.getEntitiesCount());
    largestRead = Math.max(largestRead, work);
    Duration takes = Duration.ofNanos(1_000_000_000L * work / readsPerSecond);
    boolean cut = takes.compareTo(DEADLINE) > 0;
    Duration passes = cut ? DEADLINE : takes;
    longestRead = longestRead.compareTo(passes) > 0 ? longestRead : passes;
    Read result;
    if (cut) {
      int came = (int) (DEADLINE.toSeconds() * readsPerSecond);
      result =
          new Read(
              List.copyOf(found.subList(0, Math.min(came, found.size()))),
              Status.DEADLINE_EXCEEDED.withDescription("after 10 s").asRuntimeException());
    } else if (absent && refusesAbsentKeys) {
      result =
          new Read(
              List.of(), Status.NOT_FOUND.withDescription("no such entry").asRuntimeException());
    } else {
      result = new Read(found, null);
    }
    scheduler.schedule(
        passes,
        () -> {
          readsNow--;
          answer.complete(result);
        });
    return answer;
  }

  private Entity counter(CounterEntry entry) {
    CounterData data =
        counters.getOrDefault(
            List.of((long) entry.getCounterId(), entry.getIndex().getIndex()),
            CounterData.getDefaultInstance());
    return Entity.newBuilder().setCounterEntry(entry.toBuilder().setData(data)).build();
  }

  private static Entity entity(CloneSessionEntry session) {
    return Entity.newBuilder()
        .setPacketReplicationEngineEntry(
            PacketReplicationEngineEntry.newBuilder().setCloneSessionEntry(session))
        .build();
  }

  private void findMeters(DirectMeterEntry wanted, List<Entity> found) {
    List<Entity> entries = new ArrayList<>();
    find(wanted.getTableEntry(), entries);
    for (Entity entry : entries) {
      DirectMeterEntry.Builder meter =
          DirectMeterEntry.newBuilder().setTableEntry(entry.getTableEntry());
      Optional.ofNullable(meters.get(key(entry.getTableEntry()))).ifPresent(meter::setConfig);
      found.add(Entity.newBuilder().setDirectMeterEntry(meter).build());
    }
  }

  private void find(TableEntry wanted, List<Entity> found) {
    Map<Object, TableEntry> table = tables.get(wanted.getTableId());
    if (wanted.getMatchCount() > 0) {
      TableEntry entry = table.get(key(wanted));
      if (entry != null) {
        found.add(Entity.newBuilder().setTableEntry(entry).build());
      }
    } else {
      table.values().forEach(entry -> found.add(Entity.newBuilder().setTableEntry(entry).build()));
    }
  }

  // ---------------------------------------------------------------- canonical form

  private static Object key(TableEntry entry) {
    return canonical(entry).toBuilder().clearAction().clearMeterConfig().build();
  }

  private static TableEntry canonical(TableEntry entry) {
    TableEntry.Builder canonical = entry.toBuilder().clearMatch();
    entry.getMatchList().stream()
        .sorted(Comparator.comparingInt(FieldMatch::getFieldId))
        .map(MemorySwitch::canonical)
        .forEach(canonical::addMatch);
    if (entry.hasAction()) {
      canonical
          .getActionBuilder()
          .getActionBuilder()
          .getParamsBuilderList()
          .forEach(param -> param.setValue(canonical(param.getValue())));
    }
    return canonical.build();
  }

  private static FieldMatch canonical(FieldMatch match) {
    FieldMatch.Builder canonical = match.toBuilder();
    if (match.hasExact()) {
      canonical.getExactBuilder().setValue(canonical(match.getExact().getValue()));
    } else if (match.hasLpm()) {
      canonical.getLpmBuilder().setValue(canonical(match.getLpm().getValue()));
    } else if (match.hasRange()) {
      canonical
          .getRangeBuilder()
          .setLow(canonical(match.getRange().getLow()))
          .setHigh(canonical(match.getRange().getHigh()));
    } else if (match.hasTernary()) {
      canonical
          .getTernaryBuilder()
          .setValue(canonical(match.getTernary().getValue()))
          .setMask(canonical(match.getTernary().getMask()));
    }
    return canonical.build();
  }

  private static ByteString canonical(ByteString value) {
    int first = 0;
    while (first < value.size() - 1 && value.byteAt(first) == 0) {
      first++;
    }
    return value.substring(first);
  }
}
