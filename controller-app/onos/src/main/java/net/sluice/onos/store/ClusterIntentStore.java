package net.sluice.onos.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreCodec;
import net.sluice.core.store.StoreException;
import net.sluice.intents.compile.PolicyState;
import net.sluice.intents.compile.SubscriberState;
import net.sluice.intents.model.RateLimit;
import org.onosproject.store.serializers.KryoNamespaces;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.Versioned;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps declarations in two of the cluster's consistent maps, for one writer at a time.
 *
 * <p>{@link #INTENTS} has the records, many to a value. {@link #LOG} has the {@link CommitRecord}
 * and, for a large batch, the parts of its changes. A batch is committed by one conditional
 * replacement of the commit record, which carries the changes or points to them: it needs no
 * transaction over several keys, and it fails if another instance has taken over, however late it
 * arrives. The blocks follow; who takes over does the last batch's changes again before anything
 * else.
 *
 * <p>The leader holds a copy in memory and reads only that.
 */
public final class ClusterIntentStore implements IntentStore {
  /** Name of the map of records. */
  public static final String INTENTS = "sluice-intents";

  /** Name of the map of the commit record and the last batch. */
  public static final String LOG = "sluice-log";

  /** Changes of a batch up to this many bytes go into the commit record itself. */
  static final int INLINE_BYTES = 64 << 10;

  /** Bytes of one part of a larger batch: far below the megabyte that ONOS's log takes at most. */
  static final int PART_BYTES = 256 << 10;

  private static final Logger LOGGER = LoggerFactory.getLogger(ClusterIntentStore.class);
  private static final String HEAD = "head";
  private static final String IDENTITY = "identity";
  private static final int STAMP_BYTES = Long.BYTES;
  private static final int ATTEMPTS = 100;

  private final ClusterMap intents;
  private final ClusterMap log;
  private final Consumer<StoreException> lost;
  private final StoreCodec codec = new StoreCodec();
  private final ReadWriteLock replicaLock = new ReentrantReadWriteLock();
  private final Replica replica = new Replica();

  /** Guards what follows; a commit and the settling of an uncertain one exclude each other. */
  private final Object writing = new Object();

  private CommitRecord last;
  private volatile long identity;

  /** A batch of which it is not known whether it is committed; null if there is none. */
  private volatile Batch uncertain;

  /** Blocks of committed batches that are not known to be written. */
  private final Map<String, byte[]> owed = new ConcurrentHashMap<>();

  private final List<String> garbage = new ArrayList<>();
  private volatile StoreException failure;

  private record Batch(
      CommitRecord record, List<RecordChange> changes, Map<String, byte[]> images) {}

  private ClusterIntentStore(
      StorageService storage, Duration timeout, Clock clock, Consumer<StoreException> lost) {
    this.intents = map(storage, INTENTS, timeout, clock);
    this.log = map(storage, LOG, timeout, clock);
    this.lost = lost;
  }

  private static ClusterMap map(
      StorageService storage, String name, Duration timeout, Clock clock) {
    return new ClusterMap(
        name,
        storage
            .<String, byte[]>consistentMapBuilder()
            .withName(name)
            .withSerializer(Serializer.using(KryoNamespaces.BASIC))
            .buildAsyncMap(),
        timeout,
        clock);
  }

  /**
   * Takes the store over: from here on nothing that another instance writes is taken. Completes the
   * last batch, if that is not done yet, and loads everything.
   *
   * @param owner this instance, for people
   * @param timeout longest wait for an answer of the cluster
   * @param lost told once, if this instance can no longer write: because another has taken over, or
   *     because the cluster does not answer; the store is of no more use then
   * @throws StoreException if the cluster does not answer, or what it holds cannot be understood
   */
  public static ClusterIntentStore open(
      StorageService storage,
      String owner,
      Duration timeout,
      Clock clock,
      Consumer<StoreException> lost) {
    ClusterIntentStore store = new ClusterIntentStore(storage, timeout, clock, lost);
    synchronized (store.writing) {
      store.takeOver(owner);
      store.identify();
      store.load();
    }
    return store;
  }

  /** Number of this takeover; each is higher than all before it. */
  public long epoch() {
    synchronized (writing) {
      return last.epoch();
    }
  }

  private void takeOver(String owner) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Versioned<byte[]> now = log.get(HEAD);
      CommitRecord next =
          now == null
              ? CommitRecord.first(owner)
              : CommitRecord.decode(now.value()).takenOverBy(owner);
      boolean done =
          now == null
              ? log.putIfAbsent(HEAD, next.encode())
              : log.replace(HEAD, now.version(), next.encode());
      if (done) {
        last = next;
        return;
      }
    }
    throw new StoreException(
        "the commit record of the cluster's store changes too often to be taken over");
  }

  /** Reads the store's identity; one that has none yet is given one. */
  private void identify() {
    Versioned<byte[]> kept = log.get(IDENTITY);
    if (kept == null) {
      byte[] drawn = new byte[Long.BYTES];
      new SecureRandom().nextBytes(drawn);
      drawn[0] |= 1; // Not 0, whatever is drawn.
      // Whoever takes over at the same time may have been faster.
      boolean unused = log.putIfAbsent(IDENTITY, drawn);
      kept = log.get(IDENTITY);
    }
    identity = ByteBuffer.wrap(kept.value()).getLong();
  }

  @Override
  public long identity() {
    return identity;
  }

  private void load() {
    List<RecordChange> changes = lastChanges();
    Map<String, byte[]> read = new ConcurrentHashMap<>();
    intents.forEach(
        "reading everything",
        intents.keys(),
        key ->
            intents
                .map()
                .get(key)
                .thenAccept(
                    value -> {
                      if (value != null) {
                        read.put(key, unstamped(key, value.value()));
                      }
                    }));
    replica.load(read);
    Map<String, byte[]> images = replica.changed(changes);
    replica.apply(changes, images);
    // Also what is written already: under this epoch, what the last leader still sends comes late.
    owed.putAll(images);
    payOff();
    Set<String> wanted =
        IntStream.range(0, last.parts()).mapToObj(last::partKey).collect(Collectors.toSet());
    log.keys().stream()
        .filter(key -> !key.equals(HEAD) && !key.equals(IDENTITY) && !wanted.contains(key))
        .forEach(garbage::add);
    collectGarbage();
    wanted.forEach(garbage::add);
  }

  private List<RecordChange> lastChanges() {
    try {
      if (last.parts() == 0) {
        return RecordChange.decode(last.inline());
      }
      byte[][] parts = new byte[last.parts()][];
      int size = 0;
      for (int i = 0; i < parts.length; i++) {
        Versioned<byte[]> part = log.get(last.partKey(i));
        if (part == null) {
          throw new StoreException(
              "the cluster's store contradicts itself: "
                  + last.partKey(i)
                  + " of the last batch is missing");
        }
        parts[i] = part.value();
        size += parts[i].length;
      }
      ByteBuffer whole = ByteBuffer.allocate(size);
      for (byte[] part : parts) {
        whole.put(part);
      }
      return RecordChange.decode(whole.array());
    } catch (BufferUnderflowException e) {
      throw new StoreException("the last batch in the cluster's store is cut short", e);
    }
  }

  // ---------------------------------------------------------------- writing

  @Override
  public void commit(StoreBatch batch) {
    synchronized (writing) {
      settle();
      payOff();
      List<RecordChange> changes = changes(batch);
      if (changes.isEmpty()) {
        return;
      }
      Map<String, byte[]> images = replica.changed(changes);
      byte[] encoded = RecordChange.encode(changes);
      List<byte[]> parts = encoded.length <= INLINE_BYTES ? List.of() : parts(encoded);
      CommitRecord next = parts.isEmpty() ? last.next(encoded) : last.next(parts.size());
      writeParts(next, parts);
      Batch underWay = new Batch(next, changes, images);
      try {
        advance(underWay);
      } catch (StoreException e) {
        uncertain = underWay;
        throw e;
      }
      committed(underWay);
      try {
        payOff();
        collectGarbage();
      } catch (StoreException e) {
        // The batch is in the log: it counts, and the next one or the next leader completes it.
        LOGGER.warn(
            "batch {} is committed, but only in the log of the cluster's store yet: {}",
            next.sequence(),
            e.getMessage());
      }
      IntStream.range(0, next.parts()).mapToObj(next::partKey).forEach(garbage::add);
    }
  }

  private List<RecordChange> changes(StoreBatch batch) {
    List<RecordChange> changes = new ArrayList<>();
    batch
        .subscribers()
        .forEach(
            (id, state) -> {
              int old = replica.indexOf(id);
              boolean moves =
                  old != 0
                      && state
                          .map(
                              s ->
                                  !Replica.subscriberBlock(s.index())
                                      .equals(Replica.subscriberBlock(old)))
                          .orElse(true);
              if (moves) {
                changes.add(new RecordChange(Replica.subscriberBlock(old), id, null));
              }
              state.ifPresent(
                  s ->
                      changes.add(change(Replica.subscriberBlock(s.index()), id, codec.encode(s))));
            });
    batch
        .policies()
        .forEach((id, state) -> add(changes, Replica.policyBlock(id), id, state, codec::encode));
    batch
        .rateLimits()
        .forEach((id, state) -> add(changes, Replica.limitBlock(id), id, state, codec::encode));
    return changes;
  }

  private static <T> void add(
      List<RecordChange> changes,
      String block,
      String id,
      Optional<T> state,
      Function<T, byte[]> encode) {
    changes.add(
        state.isPresent()
            ? change(block, id, encode.apply(state.get()))
            : new RecordChange(block, id, null));
  }

  private static RecordChange change(String block, String id, byte[] record) {
    if (record.length > RecordBlock.MAX_RECORD_BYTES) {
      throw new StoreException(
          "the record of "
              + id
              + " has "
              + record.length
              + " bytes; the cluster's store takes at most "
              + RecordBlock.MAX_RECORD_BYTES);
    }
    return new RecordChange(block, id, record);
  }

  private static List<byte[]> parts(byte[] encoded) {
    List<byte[]> parts = new ArrayList<>();
    for (int from = 0; from < encoded.length; from += PART_BYTES) {
      int to = Math.min(encoded.length, from + PART_BYTES);
      parts.add(Arrays.copyOfRange(encoded, from, to));
    }
    return parts;
  }

  private void writeParts(CommitRecord next, List<byte[]> parts) {
    log.forEach(
        "writing a batch",
        IntStream.range(0, parts.size()).boxed().toList(),
        part -> log.map().put(next.partKey(part), parts.get(part)));
  }

  /** Replaces the commit record; returns once the batch is committed. */
  private void advance(Batch batch) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Versioned<byte[]> now = log.get(HEAD);
      CommitRecord current = requireOurs(now);
      if (current.sequence() == batch.record.sequence()) {
        // A replacement of which nothing was heard got through.
        return;
      }
      CommitRecord next =
          new CommitRecord(
              batch.record.epoch(),
              batch.record.sequence(),
              current.nonce(),
              batch.record.owner(),
              batch.record.parts(),
              batch.record.partsEpoch(),
              batch.record.inline());
      if (log.replace(HEAD, now.version(), next.encode())) {
        return;
      }
    }
    throw new StoreException(
        "the commit record of the cluster's store changes too often to be replaced");
  }

  /** Finds out what has become of a batch of which nothing was heard, and makes that final. */
  private void settle() {
    if (failure != null) {
      throw new StoreException(failure.getMessage(), failure);
    }
    if (uncertain == null) {
      return;
    }
    try {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        Versioned<byte[]> now = log.get(HEAD);
        CommitRecord current = requireOurs(now);
        if (current.sequence() == uncertain.record.sequence()) {
          committed(uncertain);
          return;
        }
        // Whatever is still under way must miss from here on.
        CommitRecord renewed = current.renewed();
        if (log.replace(HEAD, now.version(), renewed.encode())) {
          last = renewed;
          IntStream.range(0, uncertain.record.parts())
              .mapToObj(uncertain.record::partKey)
              .forEach(garbage::add);
          uncertain = null;
          return;
        }
      }
      throw new StoreException(
          "the commit record of the cluster's store changes too often to be read");
    } catch (StoreException e) {
      fail(e);
      throw e;
    }
  }

  private void committed(Batch batch) {
    replicaLock.writeLock().lock();
    try {
      replica.apply(batch.changes, batch.images);
    } finally {
      replicaLock.writeLock().unlock();
    }
    owed.putAll(batch.images);
    last = batch.record;
    uncertain = null;
  }

  private CommitRecord requireOurs(Versioned<byte[]> value) {
    if (value == null) {
      throw fail(new StoreException("the commit record of the cluster's store is gone"));
    }
    CommitRecord current = CommitRecord.decode(value.value());
    if (current.epoch() != last.epoch()) {
      throw fail(deposed(current.owner()));
    }
    return current;
  }

  private static StoreException deposed(String by) {
    return new StoreException("another instance leads now: " + by);
  }

  private StoreException fail(StoreException reason) {
    if (failure == null) {
      failure = reason;
      lost.accept(reason);
    }
    return reason;
  }

  /** Writes the blocks of what is committed. */
  private void payOff() {
    Collection<String> keys = List.copyOf(owed.keySet());
    intents.forEach("writing blocks", keys, key -> writeBlock(key, owed.get(key), ATTEMPTS));
  }

  private CompletableFuture<Void> writeBlock(String key, byte[] image, int attempts) {
    if (attempts == 0) {
      return CompletableFuture.failedFuture(
          new StoreException("block " + key + " changes too often to be replaced"));
    }
    return intents
        .map()
        .get(key)
        .thenCompose(
            now -> {
              if (now != null && stamp(now.value()) > last.epoch()) {
                return CompletableFuture.failedFuture(fail(deposed("one that came later")));
              }
              CompletableFuture<Boolean> done;
              if (image.length == 0) {
                done =
                    now == null
                        ? CompletableFuture.completedFuture(true)
                        : intents.map().remove(key, now.version());
              } else if (now == null) {
                done = intents.map().putIfAbsent(key, stamped(image)).thenApply(old -> old == null);
              } else {
                done = intents.map().replace(key, now.version(), stamped(image));
              }
              return done.thenCompose(
                  written -> {
                    if (!written) {
                      return writeBlock(key, image, attempts - 1);
                    }
                    owed.remove(key, image);
                    return CompletableFuture.completedFuture(null);
                  });
            });
  }

  private byte[] stamped(byte[] image) {
    return ByteBuffer.allocate(STAMP_BYTES + image.length).putLong(last.epoch()).put(image).array();
  }

  private static long stamp(byte[] value) {
    return ByteBuffer.wrap(value).getLong();
  }

  private static byte[] unstamped(String key, byte[] value) {
    if (value.length < STAMP_BYTES) {
      throw new StoreException("block " + key + " of the cluster's store is cut short");
    }
    return Arrays.copyOfRange(value, STAMP_BYTES, value.length);
  }

  private void collectGarbage() {
    log.forEach("removing old batches", List.copyOf(garbage), log.map()::remove);
    garbage.clear();
  }

  /** Finds out what has become of the batch with which the store failed, if that is not known. */
  @Override
  public void reopen() {
    synchronized (writing) {
      settle();
      payOff();
    }
  }

  // ---------------------------------------------------------------- reading

  @Override
  public Optional<SubscriberState> subscriber(String id) {
    return reading(() -> replica.subscriber(id)).map(v -> StoreCodec.subscriber(id, v));
  }

  @Override
  public Optional<PolicyState> policy(String id) {
    return reading(() -> replica.policy(id)).map(v -> StoreCodec.policy(id, v));
  }

  @Override
  public Optional<RateLimit> rateLimit(String id) {
    return reading(() -> replica.limit(id)).map(v -> StoreCodec.rateLimit(id, v));
  }

  @Override
  public int scanSubscribers(
      String afterId, long skip, int limit, Consumer<? super SubscriberState> out) {
    return reading(
            () ->
                replica.scanSubscribers(
                    afterId, skip, limit, (id, v) -> out.accept(StoreCodec.subscriber(id, v))))
        .orElseThrow();
  }

  @Override
  public int scanPolicies(String afterId, long skip, int limit, Consumer<? super PolicyState> out) {
    return reading(
            () ->
                replica.scanPolicies(
                    afterId, skip, limit, (id, v) -> out.accept(StoreCodec.policy(id, v))))
        .orElseThrow();
  }

  @Override
  public int scanRateLimits(String afterId, long skip, int limit, Consumer<? super RateLimit> out) {
    return reading(
            () ->
                replica.scanLimits(
                    afterId, skip, limit, (id, v) -> out.accept(StoreCodec.rateLimit(id, v))))
        .orElseThrow();
  }

  private <T> Optional<T> reading(Supplier<T> read) {
    if (uncertain != null) {
      synchronized (writing) {
        settle();
      }
    }
    if (failure != null) {
      throw new StoreException(failure.getMessage(), failure);
    }
    replicaLock.readLock().lock();
    try {
      return Optional.ofNullable(read.get());
    } finally {
      replicaLock.readLock().unlock();
    }
  }

  /** Bytes that the copy in memory takes for what grows with the number of subscribers. */
  public long replicaBytes() {
    replicaLock.readLock().lock();
    try {
      return replica.bytes();
    } finally {
      replicaLock.readLock().unlock();
    }
  }

  /** Writes nothing more; what is committed stays in the cluster. */
  @Override
  public void close() {
    if (failure == null) {
      failure = new StoreException("the cluster's store is closed");
    }
  }
}
