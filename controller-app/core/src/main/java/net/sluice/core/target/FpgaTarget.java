package net.sluice.core.target;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.sluice.core.time.Scheduler;
import net.sluice.fpga.CoreIdentity;
import net.sluice.fpga.FpgaRegisters;
import net.sluice.fpga.FpgaRegisters.Unwritten;
import net.sluice.fpga.RegisterBus;
import net.sluice.fpga.RegisterBusException;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;

/**
 * An FPGA behind a register bus. Registers have no sessions: one begins when the core has told that
 * it is built as the profile says and ends when an access fails or the core has been reset, which a
 * probe every second makes sure is noticed. The bus answers in order, so that a probe that is not
 * answered in time also tells of whatever it waits behind.
 */
public final class FpgaTarget extends SessionTarget<FpgaSetting, FpgaTarget.BusSession> {
  private static final Capabilities CAPABILITIES = new Capabilities(3_000, 4);
  private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);
  private static final Duration PROBE_DEADLINE = Duration.ofSeconds(20);
  private static final int READ_CHUNK = 3_000;

  private final Direction direction;
  private final FpgaProfile profile;
  private final Supplier<? extends RegisterBus> busFactory;
  private final Scheduler scheduler;

  /**
   * An FPGA that is not yet connected.
   *
   * @param name name for status
   * @param direction which FPGA it is
   * @param profile what it has
   * @param busFactory a new bus for each session; may throw {@link RegisterBusException}
   * @param scheduler for probes; closed with the target
   */
  public FpgaTarget(
      String name,
      Direction direction,
      FpgaProfile profile,
      Supplier<? extends RegisterBus> busFactory,
      Scheduler scheduler) {
    super(name, CAPABILITIES, scheduler);
    this.direction = direction;
    this.profile = profile;
    this.busFactory = busFactory;
    this.scheduler = scheduler;
  }

  /** A bus in use, until it fails or is given up. */
  static final class BusSession extends ProbedSession {
    private final RegisterBus bus;
    private final FpgaRegisters registers;

    private final FpgaProfile profile;

    /** Whether the core has CoDel and a depth for each customer; else it keeps to its classes'. */
    private boolean customerDelays;

    /** Whether the FPGA has been seen to keep a store's identity in this session. */
    private boolean keepsIdentity;

    BusSession(RegisterBus bus, Direction direction, FpgaProfile profile, Scheduler scheduler) {
      super(scheduler, PROBE_INTERVAL);
      this.bus = bus;
      this.registers = new FpgaRegisters(bus, direction);
      this.profile = profile;
    }

    @Override
    protected void begin() {
      within(
          registers.identify(),
          core -> {
            Optional<String> misfit =
                core.isPresent()
                    ? core.get().misfit(profile)
                    : CoreIdentity.misfitOfUnidentified(profile);
            if (misfit.isPresent()) {
              fail(misfit.get());
              return;
            }
            customerDelays = core.isPresent() && core.get().customerDelays();
            up();
            alive();
          });
    }

    /** A reset clears the identity of the store, and whatever the plan has set beside it. */
    @Override
    protected void probe() {
      within(
          registers.keepsIdentity(),
          keeps -> {
            if (keepsIdentity && !keeps) {
              fail("the FPGA has been reset: it no longer keeps the identity of the store");
              return;
            }
            keepsIdentity = keeps;
            alive();
          });
    }

    private <T> void within(CompletionStage<T> answer, Consumer<T> then) {
      within(
          PROBE_DEADLINE,
          answer,
          "the registers have not answered for " + PROBE_DEADLINE.toSeconds() + " s",
          this::fail,
          then);
    }

    @Override
    protected void release() {
      bus.close();
    }
  }

  @Override
  protected BusSession open() throws NotReadyException {
    try {
      return new BusSession(busFactory.get(), direction, profile, scheduler);
    } catch (RegisterBusException e) {
      throw new NotReadyException(e.getMessage());
    }
  }

  /** A setting that the core has no register for is as good as written, see {@link BusSession}. */
  @Override
  protected void write(BusSession session, WriteBatch<FpgaSetting> batch, WriteHandler handler) {
    List<FpgaSetting> settings = new ArrayList<>(batch.size());
    int[] places = new int[batch.size()];
    for (int i = 0; i < batch.size(); i++) {
      FpgaSetting setting = batch.entity(i);
      if (session.customerDelays || !setting.isOfDelay()) {
        places[settings.size()] = i;
        settings.add(setting);
      }
    }
    if (settings.size() == batch.size()) {
      write(session, settings, 0, new WriteResults(batch.size()), handler);
      return;
    }
    write(
        session,
        settings,
        0,
        new WriteResults(settings.size()),
        new WriteHandler() {
          @Override
          public void done(WriteResults held) {
            WriteResults results = new WriteResults(batch.size());
            for (int i = 0; i < settings.size(); i++) {
              results.set(places[i], held.code(i), held.message(i));
            }
            handler.done(results);
          }

          @Override
          public void lost(String reason) {
            handler.lost(reason);
          }
        });
  }

  /** Writes from a place on; a write that is refused does not keep those behind it from theirs. */
  private static void write(
      BusSession session,
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
      answer = session.registers.write(settings.subList(from, end));
    } catch (InvalidValueException e) {
      if (end - from > 1) {
        writeSingly(session, settings, from, results, handler);
      } else {
        results.set(from, WriteCode.REFUSED, e.getMessage());
        handler.done(results);
      }
      return;
    }
    answer.whenComplete(
        (unwritten, failure) -> {
          if (failure != null) {
            handler.lost(RpcErrors.text(failure));
          } else if (unwritten.isEmpty()) {
            handler.done(results);
          } else {
            int refused = end - unwritten.size();
            results.set(refused, WriteCode.REFUSED, unwritten.get(0).reason());
            write(session, settings, refused + 1, results, handler);
          }
        });
  }

  /** Some setting does not fit its register, so that nothing was sent: finds out which. */
  private static void writeSingly(
      BusSession session,
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
        session,
        settings.subList(from, from + 1),
        0,
        single,
        new WriteHandler() {
          @Override
          public void done(WriteResults done) {
            results.set(from, done.code(0), done.message(0));
            writeSingly(session, settings, from + 1, results, handler);
          }

          @Override
          public void lost(String reason) {
            handler.lost(reason);
          }
        });
  }

  @Override
  protected void read(
      BusSession session, ExpectedEntries<FpgaSetting> known, ReadHandler<FpgaSetting> handler) {
    session
        .registers
        .storeWords()
        .whenComplete(
            (words, failure) -> {
              if (failure != null) {
                handler.failed(RpcErrors.text(failure));
                return;
              }
              handler.entries(List.copyOf(words));
              scheduler.execute(
                  () ->
                      read(
                          session,
                          session.registers.settings(profile, session.customerDelays),
                          0,
                          handler));
            });
  }

  private void read(
      BusSession session, List<FpgaSetting> all, int from, ReadHandler<FpgaSetting> handler) {
    if (from == all.size()) {
      handler.complete();
      return;
    }
    List<FpgaSetting> part = all.subList(from, Math.min(all.size(), from + READ_CHUNK));
    session
        .registers
        .read(part)
        .whenComplete(
            (values, failure) -> {
              if (failure != null) {
                handler.failed(RpcErrors.text(failure));
                return;
              }
              List<FpgaSetting> read = new ArrayList<>(part.size());
              for (int i = 0; i < values.length; i++) {
                // Of most customers they are 0; the first part says that there are any.
                if (from == 0 || values[i] != 0 || !part.get(i).isOfDelay()) {
                  read.add(part.get(i).withValue(values[i]));
                }
              }
              handler.entries(read);
              scheduler.execute(() -> read(session, all, from + part.size(), handler));
            });
  }
}
