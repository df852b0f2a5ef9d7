package net.sluice.onos.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
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
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.Revision;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreCodec;
import net.sluice.core.store.StoreContent;
import net.sluice.core.store.StoreException;
import net.sluice.core.store.StoreHistory;
import net.sluice.core.store.StoredRecord;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import org.onosproject.store.service.Versioned;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the declarations of one switch in two of the cluster's consistent maps, for one writer at a
 * time. What is kept for other switches has other keys, see {@link ClusterNetworkStore}.
 *
 * <p>One map has the records, many to a value. The other, the log, has the {@link CommitRecord}
 * and, for a large batch, the parts of its changes. A batch is committed by one conditional
 * replacement of the commit record, which carries the changes or points to them: it needs no
 * transaction over several keys, and it fails if another instance has taken over, however late it
 * arrives. The blocks follow; who takes over does the last batch's changes again before anything
 * else.
 *
 * <p>The leader holds a copy in memory and reads only that.
 *
 * <p>More than 500 lines, because a commit, the blocks after it and what a new leader does again
 * are one protocol.
 */
public final class ClusterIntentStore implements IntentStore {
  /** Changes of a batch up to this many bytes go into the commit record itself. */
  static final int INLINE_BYTES = 64 << 10;

  /** Bytes of one part of a larger batch: far below the megabyte that ONOS's log takes at most. */
  static final int PART_BYTES = 256 << 10;

  /** Key of the commit record. */
  static final String HEAD = "head";

  private static final Logger LOGGER = LoggerFactory.getLogger(ClusterIntentStore.class);
  private static final String PARTS = "part-";
  private static final int STAMP_BYTES = Long.BYTES;
  private static final int ATTEMPTS = 100;

  private final String name;
  private final ClusterMap intents;
  private final ClusterMap log;
  private final JointCommits joints;
  private final ClusterJournals journals;
  private final LongSupplier identity;
  private final Predicate<Revision> elsewhere;
  private final KnownCommits known;
  private final Consumer<StoreException> lost;
  private final ReadWriteLock replicaLock = new ReentrantReadWriteLock();
  private final Replica replica = new Replica();

  /** Guards what follows; a commit and the settling of an uncertain one exclude each other. */
  private final Object writing = new Object();

  private CommitRecord last;

  /** Of this takeover. */
  private final int mark = StoreHistory.drawMark();

  private volatile StoreHistory history = StoreHistory.NONE;

  /**
   * Number of the last batch that was begun. One that failed has its number for itself: parts of it
   * may still be on their way, to be written or to be removed.
   */
  private long number;

  /** This switch's part of a joint commit that is being made; null if there is none. */
  private Batch prepared;

  /** A batch of which it is not known whether it is committed; null if there is none. */
  private volatile Batch uncertain;

  /** Blocks of committed batches that are not known to be written. */
  private final Map<String, byte[]> pending = new ConcurrentHashMap<>();

  private final List<String> garbage = new ArrayList<>();
  private volatile StoreException failure;

  /** Of the last batch before this takeover. */
  private ClusterRecords lastRecords = ClusterRecords.NONE;

  private record Batch(
      CommitRecord record,
      List<RecordChange> changes,
      Map<String, byte[]> images,
      ClusterRecords records) {}

  /**
   * The store of one switch; {@link #takeOver} and {@link #load} have to be called.
   *
   * @param name of the switch
   * @param intents where its records are
   * @param log where its commit record is
   * @param joints decides commits that it has a part in
   * @param journals where changes are recorded
   * @param identity of the whole store
   * @param elsewhere whether a commit is one for some switch of the store
   * @param known what this instance knows of the store
   * @param lost told if this instance can no longer write
   */
  ClusterIntentStore(
      String name,
      ClusterMap intents,
      ClusterMap log,
      JointCommits joints,
      ClusterJournals journals,
      LongSupplier identity,
      Predicate<Revision> elsewhere,
      KnownCommits known,
      Consumer<StoreException> lost) {
    this.name = name;
    this.intents = intents;
    this.log = log;
    this.joints = joints;
    this.journals = journals;
    this.identity = identity;
    this.elsewhere = elsewhere;
    this.known = known;
    this.lost = lost;
  }

  /** Number of this takeover; each is higher than all before it. */
  long epoch() {
    synchronized (writing) {
      return last.epoch();
    }
  }

  /** From here on nothing that another instance writes for the switch is taken. */
  void takeOver(String owner) {
    synchronized (writing) {
      byte[] taken =
          log.update(
              HEAD,
              now ->
                  (now == null
                          ? CommitRecord.first(owner, known.epoch(name) + 1)
                          : CommitRecord.decode(now).takenOverBy(owner, known.epoch(name)))
                      .encode());
      last = CommitRecord.decode(taken);
      number = last.sequence();
      known.takenOver(name, last.epoch());
    }
  }

  /**
   * Begins the store of a switch that has commits from elsewhere, in place of {@link #takeOver} and
   * {@link #load}, where nothing is kept for it yet.
   *
   * @param epoch of the switch's last takeover
   */
  void begin(String owner, long epoch, StoreHistory commits) {
    synchronized (writing) {
      last = CommitRecord.first(owner, epoch + 1).following(commits.revision().number());
      if (!log.putIfAbsent(HEAD, last.encode())) {
        throw new StoreException("something is kept for switch " + name + " already");
      }
      number = last.sequence();
      history = commits;
      commit(
          List.of(change(Replica.DOCUMENT_BLOCK, Replica.OPENINGS, commits.openings())),
          ClusterRecords.NONE);
    }
  }

  /** Passes on what is kept for the switch, while {@link #holding} it. */
  void copyTo(StoreContent to) {
    settle();
    to.history(name, history);
    document().ifPresent(document -> to.declaration(name, document));
    for (StoreContent.Kind kind : StoreContent.Kind.values()) {
      int unused =
          replica.scan(
              kind, "", 0, Integer.MAX_VALUE, (id, value) -> to.record(name, kind, id, value));
    }
  }

  @Override
  public long identity() {
    return identity.getAsLong();
  }

  @Override
  public StoreHistory history() {
    return history;
  }

  @Override
  public boolean has(Revision revision) {
    return history.has(revision) || elsewhere.test(revision);
  }

  @Override
  public Revision furthest() {
    return known.last(name, history);
  }

  @Override
  public void accept() {
    known.accept(name, history.revision());
  }

  /**
   * Completes the last batch, if that is not done yet, and loads everything.
   *
   * @param intentKeys all keys of the map of records, listed after the takeover
   * @param logKeys all keys of the log, listed after the takeover
   */
  void load(Set<String> intentKeys, Set<String> logKeys) {
    synchronized (writing) {
      if (!last.joint().isEmpty()) {
        boolean counts = joints.decide(last.joint(), false);
        last = replaceHead(counts ? record -> record.in("") : CommitRecord::undone);
      }
      loadTakenOver(intents.own(intentKeys), log.own(logKeys));
    }
  }

  private void loadTakenOver(List<String> blocks, List<String> logged) {
    List<RecordChange> changes = lastChanges();
    Map<String, byte[]> read = new ConcurrentHashMap<>();
    intents.forEach(
        "reading everything",
        blocks,
        key ->
            intents
                .read(key)
                .thenAccept(
                    value -> {
                      if (value != null) {
                        read.put(key, unstamped(key, value.value()));
                      }
                    }));
    replica.load(read);
    Map<String, byte[]> images = replica.changed(changes);
    replica.apply(changes, images);
    history = loadedHistory();
    known.committed(name, history);
    // Also what is written already: under this epoch, what the last leader still sends comes late.
    pending.putAll(images);
    flush();
    Set<String> wanted =
        IntStream.range(0, last.parts()).mapToObj(last::partKey).collect(Collectors.toSet());
    logged.stream()
        .filter(key -> key.startsWith(PARTS) && !wanted.contains(key))
        .forEach(garbage::add);
    collectGarbage();
    wanted.forEach(garbage::add);
  }

  /**
   * A load may lack a part of what was committed though the commit record does not: then the store
   * is not known to have any commit.
   */
  private StoreHistory loadedHistory() {
    boolean whole = last.digests().map(of -> of.after() == replica.digest()).orElse(true);
    if (!whole) {
      LOGGER.error(
          "the cluster's store has lost a part of what was committed for switch {} up to commit {}:"
              + " its blocks are not those that belong to its commit record",
          name,
          last.sequence());
    }
    return whole ? StoreHistory.of(replica.openings(), last.sequence()) : StoreHistory.NONE;
  }

  private List<RecordChange> lastChanges() {
    byte[] content = lastContent();
    int changes = content.length - last.recordBytes();
    try {
      lastRecords = ClusterRecords.decode(Arrays.copyOfRange(content, changes, content.length));
      return RecordChange.decode(Arrays.copyOf(content, changes));
    } catch (BufferUnderflowException e) {
      throw new StoreException("the last batch in the cluster's store is cut short", e);
    }
  }

  private byte[] lastContent() {
    if (last.parts() == 0) {
      return last.inline();
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
    return whole.array();
  }

  /** The last commit before this takeover, with the records of its changes. */
  ClusterJournals.OfCommit lastCommit() {
    synchronized (writing) {
      return new ClusterJournals.OfCommit(name, last.sequence(), lastRecords);
    }
  }

  // ---------------------------------------------------------------- writing

  @Override
  public void commit(StoreBatch batch) {
    synchronized (writing) {
      settle();
      flush();
      commit(changes(batch), journals.of(List.of(batch)));
    }
  }

  private void commit(List<RecordChange> changes, ClusterRecords records) {
    if (changes.isEmpty()) {
      journals.append(List.of(new ClusterJournals.OfCommit(name, 0, records)));
      return;
    }
    Batch underWay = written(changes, records, "");
    advance(underWay);
    committed(underWay);
    Runnable blocks = beginFlush();
    try {
      journals.append(List.of(recordsOf(underWay)));
    } finally {
      complete(blocks);
    }
  }

  private ClusterJournals.OfCommit recordsOf(Batch batch) {
    return new ClusterJournals.OfCommit(name, batch.record.sequence(), batch.records);
  }

  /** Writes what of a batch does not fit the commit record, which stays as it is. */
  private Batch written(List<RecordChange> asked, ClusterRecords records, String joint) {
    number++;
    List<RecordChange> changes = new ArrayList<>(asked);
    if (!history.isBy(mark)) {
      byte[] openings = history.with(mark, number).openings();
      changes.add(change(Replica.DOCUMENT_BLOCK, Replica.OPENINGS, openings));
    }
    Map<String, byte[]> images = replica.changed(changes);
    byte[] told = records.encode();
    byte[] encoded = joined(RecordChange.encode(changes), told);
    List<byte[]> parts = encoded.length <= INLINE_BYTES ? List.of() : parts(encoded);
    CommitRecord.Digests digests =
        new CommitRecord.Digests(replica.digest(), replica.digestWith(images));
    CommitRecord next =
        parts.isEmpty()
            ? last.next(number, encoded, told.length, digests)
            : last.next(number, parts.size(), told.length, digests);
    writeParts(next, parts);
    return new Batch(next.in(joint), changes, images, records);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** Does what writes the blocks of the last batch; true if all of it is done. */
  private boolean complete(Runnable blocks) {
    boolean done = true;
    try {
      blocks.run();
      collectGarbage();
    } catch (StoreException e) {
      done = false;
      // The batch is in the log: it counts, and the next one or the next leader completes it.
      LOGGER.warn(
          "batch {} is committed, but only in the log of the cluster's store yet: {}",
          last.sequence(),
          e.getMessage());
    }
    IntStream.range(0, last.parts()).mapToObj(last::partKey).forEach(garbage::add);
    return done;
  }

  // ---------------------------------------------------------------- joint commits

  /** Runs an action while nothing else is written for the switch. */
  void holding(Runnable action) {
    synchronized (writing) {
      action.run();
    }
  }

  /**
   * While {@link #holding}: writes a part of a joint commit, which counts when that is decided.
   *
   * @return false if there is nothing to write
   */
  boolean prepare(String commit, StoreBatch batch) {
    settle();
    flush();
    List<RecordChange> changes = changes(batch);
    if (changes.isEmpty()) {
      return false;
    }
    Batch underWay = written(changes, journals.of(List.of(batch)), commit);
    advance(underWay);
    prepared = underWay;
    return true;
  }

  /**
   * While {@link #holding}: what was prepared counts.
   *
   * @return the records of its changes, which are to be appended
   */
  ClusterJournals.OfCommit joined() {
    Batch counts = prepared;
    committed(counts);
    prepared = null;
    return recordsOf(counts);
  }

  /** While {@link #holding}: what was prepared may or may not come to count. */
  void leftInDoubt() {
    if (prepared != null) {
      uncertain = prepared;
      prepared = null;
    }
  }

  /**
   * While {@link #holding}: what has joined needs the decision no longer.
   *
   * @return false if that could not be made so, and the decision has to be kept
   */
  boolean conclude() {
    return complete(
        () -> {
          flush();
          last = replaceHead(record -> record.in(""));
        });
  }

  // ---------------------------------------------------------------- documents

  /** The declaration of the switch, as its host writes it. */
  Optional<byte[]> document() {
    return reading(replica::document);
  }

  /** Keeps what is declared of the switch, or that nothing is. */
  void declare(Optional<byte[]> document) {
    synchronized (writing) {
      settle();
      flush();
      if (Arrays.equals(replica.document(), document.orElse(null))) {
        return;
      }
      commit(
          List.of(
              document
                  .map(bytes -> change(Replica.DOCUMENT_BLOCK, Replica.DOCUMENT, bytes))
                  .orElse(new RecordChange(Replica.DOCUMENT_BLOCK, Replica.DOCUMENT, null))),
          ClusterRecords.NONE);
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
                      changes.add(
                          change(Replica.subscriberBlock(s.index()), id, StoreCodec.encode(s))));
            });
    batch
        .policies()
        .forEach(
            (id, state) -> add(changes, Replica.policyBlock(id), id, state, StoreCodec::encode));
    batch
        .rateLimits()
        .forEach(
            (id, state) -> add(changes, Replica.limitBlock(id), id, state, StoreCodec::encode));
    batch
        .tariffs()
        .forEach(
            (id, state) -> add(changes, Replica.tariffBlock(id), id, state, StoreCodec::encode));
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
        part -> log.write(next.partKey(part), parts.get(part)));
  }

  /** Replaces the commit record by the batch's; if that fails, what has come of it is open. */
  private void advance(Batch batch) {
    try {
      CommitRecord unused =
          replaceHead(
              current ->
                  // If it is there, a replacement of which nothing was heard got through.
                  current.sequence() == batch.record.sequence()
                      ? current
                      : batch.record.withNonce(current.nonce()));
    } catch (StoreException e) {
      uncertain = batch;
      throw e;
    }
  }

  /** Replaces the commit record by what is made of it, and returns that. */
  private CommitRecord replaceHead(UnaryOperator<CommitRecord> change) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Versioned<byte[]> now = log.get(HEAD);
      CommitRecord current = requireOurs(now);
      CommitRecord next = change.apply(current);
      if (next.equals(current) || log.replace(HEAD, now.version(), next.encode())) {
        return next;
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
      journals.settle();
      return;
    }
    Batch settled = uncertain;
    if (isSettledToCount(settled)) {
      journals.append(List.of(recordsOf(settled)));
    }
  }

  private boolean isSettledToCount(Batch batch) {
    try {
      long sequence = batch.record.sequence();
      String joint = batch.record.joint();
      // Whatever is still under way must miss from here on.
      CommitRecord current = replaceHead(now -> now.sequence() == sequence ? now : now.renewed());
      boolean arrived = current.sequence() == sequence;
      if (arrived && (joint.isEmpty() || joints.decide(joint, false))) {
        committed(batch);
        return true;
      }
      last = arrived ? replaceHead(CommitRecord::undone) : current;
      IntStream.range(0, batch.record.parts())
          .mapToObj(batch.record::partKey)
          .forEach(garbage::add);
      uncertain = null;
      return false;
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
    pending.putAll(batch.images);
    last = batch.record;
    history = history.with(mark, last.sequence());
    known.committed(name, history);
    uncertain = null;
  }

  /** Finds out, and tells, whether another instance has taken over. */
  void requireOurs() {
    synchronized (writing) {
      if (failure == null) {
        CommitRecord unused = requireOurs(log.get(HEAD));
      }
    }
  }

  private CommitRecord requireOurs(Versioned<byte[]> value) {
    if (value == null) {
      throw fail(new StoreException("the commit record of the cluster's store is gone"));
    }
    CommitRecord current = CommitRecord.decode(value.value());
    if (current.epoch() < last.epoch() || current.sequence() < last.sequence()) {
      throw fail(
          new StoreException(
              "the cluster's storage has gone back: it has lost what it had acknowledged for switch"
                  + " "
                  + name
                  + ", from commit "
                  + current.sequence()
                  + " to "
                  + last.sequence()));
    }
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
  private void flush() {
    beginFlush().run();
  }

  private Runnable beginFlush() {
    Collection<String> keys = List.copyOf(pending.keySet());
    return intents.begin(
        "writing blocks", keys, key -> writeBlock(key, pending.get(key), ATTEMPTS));
  }

  private CompletableFuture<Void> writeBlock(String key, byte[] image, int attempts) {
    if (attempts == 0) {
      return CompletableFuture.failedFuture(
          new StoreException("block " + key + " changes too often to be replaced"));
    }
    return intents
        .read(key)
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
                        : intents.remove(key, now.version());
              } else if (now == null) {
                done = intents.insert(key, stamped(image)).thenApply(old -> old == null);
              } else {
                done = intents.exchange(key, now.version(), stamped(image));
              }
              return done.thenCompose(
                  written -> {
                    if (!written) {
                      return writeBlock(key, image, attempts - 1);
                    }
                    pending.remove(key, image);
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
    log.forEach("removing old batches", List.copyOf(garbage), log::remove);
    garbage.clear();
  }

  /** Finds out what has become of the batch with which the store failed, if that is not known. */
  @Override
  public void reopen() {
    synchronized (writing) {
      settle();
      flush();
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
  public Optional<Tariff> tariff(String id) {
    return reading(() -> replica.tariff(id)).map(v -> StoreCodec.tariff(id, v));
  }

  @Override
  public Optional<RateLimit> rateLimit(String id) {
    return reading(() -> replica.limit(id)).map(v -> StoreCodec.rateLimit(id, v));
  }

  @Override
  public int scan(
      Kind kind, String afterId, long skip, int limit, Consumer<? super StoredRecord> out) {
    return reading(
            () ->
                replica.scan(
                    StoreContent.Kind.valueOf(kind.name()),
                    afterId,
                    skip,
                    limit,
                    (id, v) -> out.accept(new StoredRecord(kind, id, v))))
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
  long replicaBytes() {
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
