package net.sluice.core.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.state.StoreIdentity;
import net.sluice.intents.value.Direction;

/**
 * A target that keeps what is written in a map, as strictly as P4Runtime asks for: inserting what
 * is there and changing what is not are errors. Answers come through a scheduler.
 */
public final class MemoryTarget<E> implements Target<E> {
  private final String name;
  private final Scheduler scheduler;
  private final Function<E, Object> key;
  private final boolean registers;
  private final Map<Object, E> content = new LinkedHashMap<>();
  private final Map<Object, E> revision = new LinkedHashMap<>();
  private final List<Malformed> malformed = new ArrayList<>();
  private final List<List<Written<E>>> batches = new ArrayList<>();
  private final List<Runnable> answers = new ArrayList<>();
  private BiFunction<Op, E, String> refuse = (op, entity) -> "";
  private Consumer<E> deleted = entity -> {};
  private Runnable afterEachWrite = () -> {};
  private Capabilities capabilities = new Capabilities(10_000, 64);
  private boolean reachable = true;
  private int connects;
  private boolean holdAnswers;
  private SessionListener listener;
  private int inFlight;
  private int mostInFlight;
  private int reads;
  private Random overtaking;
  private Duration slowest = Duration.ZERO;
  private final List<Batch> underWay = new ArrayList<>();
  private int storeWords = 4;
  private int mostListed = Integer.MAX_VALUE;
  private int keysAsked;

  /** Where a target can be made to throw what nobody expects. */
  public enum Point {
    /** When it is connected. */
    CONNECT,
    /** When it is written. */
    WRITE,
    /** When it is read. */
    READ,
    /** Out of what was read. */
    ENTRIES
  }

  private Point thrower;
  private int throwsAfter;

  /**
   * Throws once, the {@code after}-th time it gets to {@code point} from now on, 0 for the next.
   */
  public void throwAt(Point point, int after) {
    thrower = point;
    throwsAfter = after;
  }

  /** True if what {@link #throwAt} asked for has happened. */
  public boolean hasThrown() {
    return thrower == null;
  }

  private boolean isTimeToThrow(Point point) {
    if (thrower != point || throwsAfter-- > 0) {
      return false;
    }
    thrower = null;
    return true;
  }

  private void throwAt(Point point) {
    if (isTimeToThrow(point)) {
      throw new NoClassDefFoundError("net/sluice/Gone");
    }
  }

  /** A write as it came. */
  public record Written<E>(Op op, E entity, boolean retires) {}

  private record Malformed(String reason) {}

  /** Writes that were sent and may be done at any moment. */
  private final class Batch {
    final WriteBatch<E> writes;
    final WriteResults results;
    boolean done;

    Batch(WriteBatch<E> writes) {
      this.writes = writes;
      this.results = new WriteResults(writes.size());
    }

    void apply() {
      if (!done) {
        done = true;
        underWay.remove(this);
        for (int i = 0; i < writes.size(); i++) {
          write(writes.op(i), writes.entity(i), i, results);
        }
      }
    }
  }

  private MemoryTarget(
      String name, Scheduler scheduler, Function<E, Object> key, boolean registers) {
    this.name = name;
    this.scheduler = scheduler;
    this.key = key;
    this.registers = registers;
  }

  /** A switch. */
  public static MemoryTarget<SwitchEntry> ofSwitch(Scheduler scheduler) {
    return ofSwitch("switch", scheduler);
  }

  /** An empty switch of that name. */
  public static MemoryTarget<SwitchEntry> ofSwitch(String name, Scheduler scheduler) {
    return new MemoryTarget<>(name, scheduler, SwitchEntry::key, false);
  }

  /** An FPGA, all of whose registers hold nothing sensible. */
  public static MemoryTarget<FpgaSetting> ofFpga(String name, Scheduler scheduler) {
    return new MemoryTarget<>(name, scheduler, MemoryTarget::register, true);
  }

  private static Object register(FpgaSetting setting) {
    if (setting instanceof FpgaSetting.RateWord s) {
      return List.of("rate", s.level(), s.index());
    } else if (setting instanceof FpgaSetting.BucketSize s) {
      return List.of("bucket", s.level());
    }
    if (setting instanceof FpgaSetting.CustomerBurst s) {
      return List.of("burst", s.customer());
    }
    if (setting instanceof FpgaSetting.StoreWord s) {
      return List.of("store", s.index());
    }
    if (setting instanceof FpgaSetting.ClassShares s) {
      return List.of("classes", s.customer());
    }
    if (setting instanceof FpgaSetting.CustomerCodel s) {
      return List.of("codel", s.customer());
    }
    if (setting instanceof FpgaSetting.CustomerDepth s) {
      return List.of("customer depth", s.customer());
    }
    return List.of("depth", ((FpgaSetting.QueueDepth) setting).queueClass());
  }

  /** Runs {@code action} after each write from now on. */
  public void afterEachWrite(Runnable action) {
    afterEachWrite = action;
  }

  /** Has no place for what is kept of a store, as the published FPGA. */
  public void keepNoIdentity() {
    storeWords = 0;
  }

  /** Has a place for the identity of a store, and none for how far it had got. */
  public void keepIdentityOnly() {
    storeWords = 2;
  }

  /**
   * Does each batch at a moment of its own, within {@code slowest}, so that one may overtake
   * another, and answers it at another moment. Of those under way when the session ends some are
   * done and some are not.
   */
  public void overtake(Random random, Duration longest) {
    overtaking = random;
    slowest = longest;
  }

  private Duration moment() {
    return Duration.ofNanos(overtaking.nextLong(slowest.toNanos() + 1));
  }

  private void sessionEnds() {
    listener = null;
    answers.clear();
    inFlight = 0;
    for (Batch each : List.copyOf(underWay)) {
      if (overtaking.nextBoolean()) {
        each.apply();
      }
      each.done = true;
    }
    underWay.clear();
  }

  /** What it holds, by key; but for {@link #revision}. */
  public Map<Object, E> content() {
    return content;
  }

  /** How it keeps how far the store had got, which is written once a second. */
  public Map<Object, E> revision() {
    return revision;
  }

  private Map<Object, E> placeOf(E entity) {
    boolean keepsRevision =
        entity instanceof FpgaSetting setting
            ? StoreIdentity.isRevisionWord(setting)
            : entity instanceof SwitchEntry entry && StoreIdentity.revisionOf(entry).isPresent();
    return keepsRevision ? revision : content;
  }

  /** Every batch written, in order; but for {@link #revision}. */
  public List<List<Written<E>>> batches() {
    return batches;
  }

  /** Every write of {@link #batches}, in order. */
  public List<Written<E>> writes() {
    return batches.stream().flatMap(List::stream).toList();
  }

  /** Most batches that were in flight at once. */
  public int mostInFlight() {
    return mostInFlight;
  }

  /** How often a session was asked for. */
  public int connects() {
    return connects;
  }

  /** How often it was read. */
  public int reads() {
    return reads;
  }

  /** Puts something there that nobody wrote. */
  public void place(E entity) {
    placeOf(entity).put(key.apply(entity), entity);
  }

  /** Puts something there that has no form in domain words. */
  public void placeMalformed(String reason) {
    malformed.add(new Malformed(reason));
  }

  /** How much of that is left. */
  public int malformed() {
    return malformed.size();
  }

  /** Refuses the writes for which {@code words} are not empty. */
  public void refuse(BiFunction<Op, E, String> words) {
    refuse = words;
  }

  /** Tells {@code listener} of each entry that is deleted, right after that. */
  public void onDelete(Consumer<E> listener) {
    deleted = listener;
  }

  /** Limits batches. */
  public void capabilities(Capabilities limits) {
    capabilities = limits;
  }

  /** Keeps answers back until {@link #answer}. */
  public void holdAnswers() {
    holdAnswers = true;
  }

  /** Gives the oldest answer kept back; false if there is none. */
  public boolean answer() {
    if (answers.isEmpty()) {
      return false;
    }
    answers.remove(0).run();
    return true;
  }

  /** Gives one of the answers kept back, drawn from {@code random}; false if there is none. */
  public boolean answer(Random random) {
    if (answers.isEmpty()) {
      return false;
    }
    answers.remove(random.nextInt(answers.size())).run();
    return true;
  }

  /** Gives all answers, now and from now on. */
  public void answerAll() {
    holdAnswers = false;
    while (answer()) {
      continue;
    }
  }

  /** Can or cannot be reached; losing it ends the session and all answers on their way. */
  public void reachable(boolean can) {
    reachable = can;
    if (!can && listener != null) {
      SessionListener told = listener;
      sessionEnds();
      told.down("unreachable");
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public void connect(SessionListener session) {
    connects++;
    throwAt(Point.CONNECT);
    if (!reachable) {
      session.down("unreachable");
      return;
    }
    listener = session;
    inFlight = 0;
    scheduler.execute(
        () -> {
          if (listener == session) {
            session.up();
          }
        });
  }

  @Override
  public void disconnect() {
    sessionEnds();
  }

  @Override
  public void write(WriteBatch<E> batch, WriteHandler handler) {
    if (listener == null) {
      handler.lost("not connected");
      return;
    }
    throwAt(Point.WRITE);
    SessionListener session = listener;
    mostInFlight = Math.max(mostInFlight, ++inFlight);
    List<Written<E>> written = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      if (placeOf(batch.entity(i)) == content) {
        written.add(new Written<>(batch.op(i), batch.entity(i), batch.retires(i)));
      }
    }
    if (!written.isEmpty()) {
      batches.add(written);
    }
    Batch sent = new Batch(batch);
    Runnable answer =
        () -> {
          if (listener == session) {
            inFlight--;
            handler.done(sent.results);
          }
        };
    if (overtaking != null) {
      underWay.add(sent);
      scheduler.schedule(
          moment(),
          () -> {
            if (!sent.done) {
              sent.apply();
              scheduler.schedule(moment(), answer);
            }
          });
      return;
    }
    sent.apply();
    if (holdAnswers) {
      answers.add(answer);
    } else {
      scheduler.execute(answer);
    }
  }

  private void write(Op op, E entity, int i, WriteResults results) {
    String words = refuse.apply(op, entity);
    if (!words.isEmpty()) {
      results.set(i, WriteCode.REFUSED, words);
      return;
    }
    Object at = key.apply(entity);
    Map<Object, E> place = placeOf(entity);
    if (registers && isUnmanaged(entity)) {
      place.remove(at);
    } else if (registers) {
      place.put(at, entity);
    } else if (op == Op.INSERT && place.containsKey(at)) {
      results.set(i, WriteCode.ALREADY_EXISTS, "ALREADY_EXISTS");
    } else if (op != Op.INSERT && !place.containsKey(at)) {
      results.set(i, WriteCode.NOT_FOUND, "NOT_FOUND");
    } else if (op == Op.DELETE) {
      deleted.accept(place.remove(at));
    } else {
      place.put(at, entity);
    }
    afterEachWrite.run();
  }

  /** FPGAs do not tell the delays of customers that have none of their own. */
  private static boolean isUnmanaged(Object entity) {
    return entity instanceof FpgaSetting setting && setting.isOfDelay() && setting.value() == 0;
  }

  @Override
  public void read(ReadHandler<E> handler) {
    reads++;
    throwAt(Point.READ);
    if (listener == null) {
      handler.failed("not connected");
      return;
    }
    SessionListener session = listener;
    List<E> all = new ArrayList<>(content.values());
    all.addAll(revision.values());
    if (registers) {
      all.addAll(unwrittenWords());
    }
    for (Malformed each : List.copyOf(malformed)) {
      handler.malformed(
          each.reason,
          done -> {
            malformed.remove(each);
            scheduler.execute(() -> done.done(WriteResults.allOk()));
          });
    }
    readFrom(session, all, 0, handler);
  }

  @SuppressWarnings("unchecked") // registers are those of FPGAs
  private List<E> unwrittenWords() {
    Direction direction = name.endsWith("up") ? Direction.UP : Direction.DOWN;
    Stream<FpgaSetting> words =
        Stream.concat(
                StoreIdentity.fpgaWords(direction, 0).stream(),
                StoreIdentity.revisionWords(direction, 0).stream())
            .limit(storeWords);
    // That it has registers for delays.
    FpgaSetting delay = new FpgaSetting.CustomerCodel(direction, 0, 0);
    return (List<E>)
        Stream.concat(words, Stream.of(delay))
            .filter(word -> !placeOf((E) word).containsKey(register(word)))
            .toList();
  }

  /** Lists only tables that should hold at most that many entries; asks for others by key. */
  public void listAtMost(int entries) {
    mostListed = entries;
  }

  /** How many entries were asked for by key. */
  public int keysAsked() {
    return keysAsked;
  }

  @Override
  public void read(ExpectedEntries<E> known, ReadHandler<E> handler) {
    if (mostListed == Integer.MAX_VALUE || listener == null) {
      read(handler);
      return;
    }
    reads++;
    Set<Table> byKey = EnumSet.noneOf(Table.class);
    List<E> found = new ArrayList<>();
    for (Table table : Table.values()) {
      if (known.count(table) > mostListed) {
        byKey.add(table);
        ExpectedEntries.Cursor<E> cursor = known.entries(table);
        for (List<E> part = cursor.next(3); !part.isEmpty(); part = cursor.next(3)) {
          for (E entry : part) {
            keysAsked++;
            E actual = content.get(key.apply(entry));
            if (actual != null) {
              found.add(actual);
            }
          }
        }
      }
    }
    for (E entry : content.values()) {
      if (!(entry instanceof SwitchEntry e && byKey.contains(e.table()))) {
        found.add(entry);
      }
    }
    found.addAll(revision.values());
    readFrom(listener, found, 0, handler);
  }

  private void readFrom(SessionListener session, List<E> all, int from, ReadHandler<E> handler) {
    scheduler.execute(
        () -> {
          if (listener != session) {
            handler.failed("the session ended");
          } else if (from >= all.size()) {
            handler.complete();
          } else {
            handler.entries(
                isTimeToThrow(Point.ENTRIES)
                    ? null
                    : all.subList(from, Math.min(all.size(), from + 500)));
            readFrom(session, all, from + 500, handler);
          }
        });
  }

  @Override
  public void close() {
    disconnect();
  }
}
