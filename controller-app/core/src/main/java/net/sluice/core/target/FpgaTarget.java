package net.sluice.core.target;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import net.sluice.core.time.Scheduler;
import net.sluice.fpga.FpgaRegisters;
import net.sluice.fpga.FpgaRegisters.Unwritten;
import net.sluice.fpga.RegisterBus;
import net.sluice.fpga.RegisterBusException;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.profile.FpgaProfile;

/**
 * An FPGA behind a register bus. Registers have no sessions: one begins when a register can be read
 * and ends when an access fails, which a probe every second makes sure is noticed. The bus answers
 * in order, so that a probe that is not answered in time also tells of whatever it waits behind.
 */
public final class FpgaTarget implements Target<FpgaSetting> {
  private static final Capabilities CAPABILITIES = new Capabilities(3_000, 4);
  private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);
  private static final Duration PROBE_DEADLINE = Duration.ofSeconds(20);
  private static final int READ_CHUNK = 3_000;

  private final String name;
  private final Direction direction;
  private final FpgaProfile profile;
  private final Supplier<? extends RegisterBus> busFactory;
  private final Scheduler scheduler;
  private Session session;

  /**
   * An FPGA that is not yet connected.
   *
   * @param name name for status
   * @param direction which FPGA it is
   * @param profile what it has
   * @param busFactory a new bus for each session
   * @param scheduler for probes; closed with the target
   */
  public FpgaTarget(
      String name,
      Direction direction,
      FpgaProfile profile,
      Supplier<? extends RegisterBus> busFactory,
      Scheduler scheduler) {
    this.name = name;
    this.direction = direction;
    this.profile = profile;
    this.busFactory = busFactory;
    this.scheduler = scheduler;
  }

  /** A bus in use, until it fails or is given up. */
  private static final class Session {
    final RegisterBus bus;
    final FpgaRegisters registers;
    final SessionListener listener;

    Session(RegisterBus bus, Direction direction, SessionListener listener) {
      this.bus = bus;
      this.registers = new FpgaRegisters(bus, direction);
      this.listener = listener;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public void connect(SessionListener listener) {
    disconnect();
    Session begun;
    synchronized (this) {
      begun = new Session(busFactory.get(), direction, listener);
      session = begun;
    }
    probe(begun, listener::up);
  }

  /** Reads one register; then does {@code next} and goes on probing. */
  private void probe(Session probed, Runnable next) {
    if (probed != current()) {
      return;
    }
    BucketSize register = new BucketSize(direction, FpgaLevel.PORT, 0);
    Scheduler.Cancellable deadline =
        scheduler.schedule(
            PROBE_DEADLINE,
            () ->
                fail(
                    probed,
                    new RegisterBusException(
                        "the registers have not answered for "
                            + PROBE_DEADLINE.toSeconds()
                            + " s")));
    probed
        .registers
        .read(List.of(register))
        .whenComplete(
            (values, failure) -> {
              deadline.cancel();
              if (failure != null) {
                fail(probed, failure);
              } else if (probed == current()) {
                next.run();
                scheduler.schedule(PROBE_INTERVAL, () -> probe(probed, () -> {}));
              }
            });
  }

  private void fail(Session failed, Throwable failure) {
    synchronized (this) {
      if (session != failed) {
        return;
      }
      session = null;
    }
    failed.bus.close();
    failed.listener.down(message(failure));
  }

  private static String message(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  private synchronized Session current() {
    return session;
  }

  @Override
  public void disconnect() {
    Session ended;
    synchronized (this) {
      ended = session;
      session = null;
    }
    if (ended != null) {
      ended.bus.close();
    }
  }

  @Override
  public void write(WriteBatch<FpgaSetting> batch, WriteHandler handler) {
    Session writing = current();
    if (writing == null) {
      handler.lost("not connected");
      return;
    }
    List<FpgaSetting> settings = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      settings.add(batch.entity(i));
    }
    write(writing, settings, 0, new WriteResults(settings.size()), handler);
  }

  /** Writes from a place on; a write that is refused does not keep those behind it from theirs. */
  private static void write(
      Session writing,
      List<FpgaSetting> settings,
      int from,
      WriteResults results,
      WriteHandler handler) {
    if (from == settings.size()) {
      handler.done(results);
      return;
    }
    CompletionStage<List<Unwritten>> answer;
    int end = settings.size();
    try {
      answer = writing.registers.write(settings.subList(from, end));
    } catch (InvalidValueException e) {
      if (end - from > 1) {
        writeSingly(writing, settings, from, results, handler);
      } else {
        results.set(from, WriteCode.REFUSED, e.getMessage());
        handler.done(results);
      }
      return;
    }
    answer.whenComplete(
        (unwritten, failure) -> {
          if (failure != null) {
            handler.lost(message(failure));
          } else if (unwritten.isEmpty()) {
            handler.done(results);
          } else {
            int refused = end - unwritten.size();
            results.set(refused, WriteCode.REFUSED, unwritten.get(0).reason());
            write(writing, settings, refused + 1, results, handler);
          }
        });
  }

  /** Some setting does not fit its register, so that nothing was sent: finds out which. */
  private static void writeSingly(
      Session writing,
      List<FpgaSetting> settings,
      int from,
      WriteResults results,
      WriteHandler handler) {
    if (from == settings.size()) {
      handler.done(results);
      return;
    }
    WriteResults single = new WriteResults(1);
    write(
        writing,
        settings.subList(from, from + 1),
        0,
        single,
        new WriteHandler() {
          @Override
          public void done(WriteResults done) {
            results.set(from, done.code(0), done.message(0));
            writeSingly(writing, settings, from + 1, results, handler);
          }

          @Override
          public void lost(String reason) {
            handler.lost(reason);
          }
        });
  }

  @Override
  public void read(ReadHandler<FpgaSetting> handler) {
    Session reading = current();
    if (reading == null) {
      handler.failed("not connected");
      return;
    }
    read(reading, settings(), 0, handler);
  }

  private void read(
      Session reading, List<FpgaSetting> all, int from, ReadHandler<FpgaSetting> handler) {
    if (from == all.size()) {
      handler.complete();
      return;
    }
    List<FpgaSetting> part = all.subList(from, Math.min(all.size(), from + READ_CHUNK));
    reading
        .registers
        .read(part)
        .whenComplete(
            (values, failure) -> {
              if (failure != null) {
                handler.failed(message(failure));
                return;
              }
              List<FpgaSetting> read = new ArrayList<>(part.size());
              for (int i = 0; i < values.length; i++) {
                read.add(withValue(part.get(i), values[i]));
              }
              handler.entries(read);
              scheduler.execute(() -> read(reading, all, from + part.size(), handler));
            });
  }

  private static FpgaSetting withValue(FpgaSetting setting, int value) {
    if (setting instanceof RateWord s) {
      return new RateWord(s.direction(), s.level(), s.index(), value);
    } else if (setting instanceof BucketSize s) {
      return new BucketSize(s.direction(), s.level(), value);
    }
    return new QueueDepth(setting.direction(), ((QueueDepth) setting).queueClass(), value);
  }

  /** Every setting the FPGA has, with value 0. */
  private List<FpgaSetting> settings() {
    List<FpgaSetting> settings = new ArrayList<>();
    for (FpgaLevel level : FpgaLevel.values()) {
      settings.add(new BucketSize(direction, level, 0));
    }
    for (int queueClass = 0; queueClass < profile.classes(); queueClass++) {
      settings.add(new QueueDepth(direction, queueClass, 0));
    }
    for (int port = 0; port < profile.ports(); port++) {
      settings.add(new RateWord(direction, FpgaLevel.PORT, port, 0));
      for (int tree = 0; tree < profile.treesPerPort(); tree++) {
        settings.add(new RateWord(direction, FpgaLevel.TREE, QueueId.treeIndex(port, tree), 0));
        for (int customer = 0; customer < profile.customersPerTree(); customer++) {
          int index = QueueId.customerIndex(QueueId.of(port, tree, customer));
          settings.add(new RateWord(direction, FpgaLevel.CUSTOMER, index, 0));
        }
      }
    }
    return settings;
  }

  @Override
  public void close() {
    disconnect();
    scheduler.close();
  }
}
