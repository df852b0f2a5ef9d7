package net.sluice.core.status;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntUnaryOperator;
import net.sluice.core.ControllerException;
import net.sluice.core.InstallSummary;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.TargetState;
import net.sluice.core.session.StatusBoard;
import net.sluice.core.session.TargetSession;
import net.sluice.core.session.WriteBarrier;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.MergedWrites;
import net.sluice.intents.plan.MergedWrites.Placed;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/** The sessions of all targets: hands accepted plans to them and adds up how far they are. */
public final class Sessions {
  private final TargetSession<SwitchEntry> switchSession;
  private final Map<TargetKey<FpgaSetting>, TargetSession<FpgaSetting>> fpgas;

  /** Those that something of this switch waits for. */
  private final Set<Arrivals> awaited = ConcurrentHashMap.newKeySet();

  public Sessions(
      TargetSession<SwitchEntry> switchSession,
      Map<TargetKey<FpgaSetting>, TargetSession<FpgaSetting>> fpgas) {
    this.switchSession = switchSession;
    this.fpgas = new LinkedHashMap<>(fpgas);
  }

  /**
   * Lets FPGAs have sessions exactly while the switch has one: whoever is primary at the switch is
   * the one who may write beside it.
   */
  public void followSwitch() {
    // Each caller sees the switch's newest state, and the last one to come leaves it behind.
    synchronized (fpgas) {
      Optional<String> obstacle = switchSession.obstacle();
      for (TargetSession<FpgaSetting> fpga : fpgas.values()) {
        if (obstacle.isPresent()) {
          fpga.hold(
              "waits for the switch: its registers are written only while this controller is the"
                  + " switch's primary; state of the switch: "
                  + obstacle.get());
        } else {
          fpga.release();
        }
      }
    }
  }

  public TargetSession<SwitchEntry> ofSwitch() {
    return switchSession;
  }

  Optional<TargetSession<?>> of(TargetKey<?> target) {
    return Optional.ofNullable(target == TargetKey.SWITCH ? switchSession : fpgas.get(target));
  }

  public Collection<TargetSession<FpgaSetting>> ofFpgas() {
    return fpgas.values();
  }

  /** The switch first. */
  public List<TargetSession<?>> all() {
    List<TargetSession<?>> all = new ArrayList<>();
    all.add(switchSession);
    all.addAll(fpgas.values());
    return all;
  }

  /** Those that a plan writes to. */
  List<TargetSession<?>> writtenBy(Plan plan) {
    List<TargetSession<?>> written = new ArrayList<>();
    if (plan.writes().containsKey(TargetKey.SWITCH)) {
      written.add(switchSession);
    }
    fpgas.forEach(
        (target, session) -> {
          if (plan.writes().containsKey(target)) {
            written.add(session);
          }
        });
    return written;
  }

  /**
   * Waits until fewer than {@code capacity} writes wait at each target that is connected; false if
   * one has more for all of {@code patience}.
   *
   * @throws ControllerException if the thread is interrupted
   */
  public boolean awaitSpace(int capacity, Duration patience) {
    try {
      for (TargetSession<?> session : all()) {
        if (!session.awaitSpace(capacity, patience)) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ControllerException("interrupted while waiting for room at a target", e);
    }
  }

  /**
   * The session with the target of that name.
   *
   * @throws Refusal if there is none
   */
  public TargetSession<?> named(String target) throws Refusal {
    for (TargetSession<?> session : all()) {
      if (session.name().equals(target)) {
        return session;
      }
    }
    throw noTarget(target, all().stream().map(TargetSession::name).toList());
  }

  /** That there is no target of that name beside those that there are. */
  public static Refusal noTarget(String target, List<String> names) {
    String known = String.join(", ", names);
    return new Refusal(
        List.of(
            new Problem(
                Problem.Code.NOT_FOUND,
                "target",
                target,
                known,
                "There is no target " + target + "; there are: " + known + ".")));
  }

  /** Rises whenever a target answers. */
  public long answered() {
    return all().stream().mapToLong(TargetSession::answered).sum();
  }

  /** The target with the most writes waiting. */
  public String fullest() {
    return Collections.max(all(), Comparator.comparingInt(TargetSession::waiting)).name();
  }

  /**
   * Hands over what is now durable; the memory is held.
   *
   * @param doneFor the owner that all of it is also done for: a deletion, or a limit whose
   *     subscribers have it; {@link OwnerIds#NONE} for none
   */
  public void submit(Plan plan, int doneFor) {
    if (plan.delta().left() != 0) {
      submitMove(plan);
    } else if (plan.beginsAtSwitch()) {
      // What the FPGA no longer limits the switch does before, so that there is no gap.
      WriteBarrier unused = submitToFpgas(plan, doneFor, submitToSwitch(plan, doneFor, null));
    } else {
      // A limit takes hold at the FPGA before the switch sends it anything.
      WriteBarrier unused = submitToSwitch(plan, doneFor, submitToFpgas(plan, doneFor, null));
    }
  }

  /** A subscriber comes to another index, and nothing of it is at the old one when it is there. */
  private void submitMove(Plan plan) {
    MergedWrites merged = new MergedWrites();
    merged.add(plan, 0);
    Map<TargetKey<FpgaSetting>, List<Placed<FpgaSetting>>> toFpgas = new LinkedHashMap<>();
    for (Direction direction : Direction.values()) {
      toFpgas.put(TargetKey.fpga(direction), merged.ofFpga(direction));
    }
    BitSet freed = new BitSet();
    if (plan.delta().freesIndex()) {
      freed.set(plan.delta().left());
    }
    int owner = OwnerIds.subscriber(plan.delta().number());
    submit(
        merged.ofSwitch((table, deletes) -> false),
        toFpgas,
        cause -> owner,
        freed,
        Optional.empty());
  }

  /**
   * Hands over changes that are made together, step by step: each waits for the answers to those
   * before it.
   *
   * @param doneFor the owner that what is written for a change is also done for, see {@link #submit
   *     submit}; {@link OwnerIds#NONE} for none
   * @param freed the subscriber indices that are left free
   * @param arrivals what has to come at other switches, too, before anything goes here
   */
  public void submit(
      List<Placed<SwitchEntry>> toSwitch,
      Map<TargetKey<FpgaSetting>, List<Placed<FpgaSetting>>> toFpgas,
      IntUnaryOperator doneFor,
      BitSet freed,
      Optional<Arrivals> arrivals) {
    Map<TargetKey<FpgaSetting>, StepWriter<FpgaSetting>> ofFpgas = new LinkedHashMap<>();
    fpgas.forEach(
        (target, fpga) ->
            ofFpgas.put(
                target,
                new StepWriter<>(
                    fpga, toFpgas.getOrDefault(target, List.of()), doneFor, new BitSet())));
    StepWriter<SwitchEntry> ofSwitch = new StepWriter<>(switchSession, toSwitch, doneFor, freed);
    WriteBarrier before = null;
    for (int step = 0; step < MergedWrites.STEPS; step++) {
      if (step == MergedWrites.RELEASE && arrivals.isPresent()) {
        WriteBarrier own = before;
        awaited.add(arrivals.get());
        arrivals.get().add(this, own == null ? () -> true : own);
        before = arrivals.get();
      }
      List<WriteBarrier> settled = new ArrayList<>(1);
      ofSwitch.submit(step, before).ifPresent(settled::add);
      for (StepWriter<FpgaSetting> ofFpga : ofFpgas.values()) {
        ofFpga.submit(step, before).ifPresent(settled::add);
      }
      if (!settled.isEmpty()) {
        before = () -> settled.stream().allMatch(WriteBarrier::isLifted);
      }
    }
  }

  private WriteBarrier submitToFpgas(Plan plan, int deletion, WriteBarrier barrier) {
    List<WriteBarrier> settled = new ArrayList<>(0);
    fpgas.forEach(
        (target, fpga) -> {
          long last = 0;
          List<Write<FpgaSetting>> writes = plan.writes(target);
          for (Write<FpgaSetting> write : writes) {
            last = fpga.submit(write.op(), write.entity(), write.owner(), deletion, barrier, false);
          }
          if (!writes.isEmpty()) {
            long number = last;
            settled.add(() -> fpga.isSettled(number));
          }
        });
    return settled.isEmpty() ? null : () -> settled.stream().allMatch(WriteBarrier::isLifted);
  }

  private WriteBarrier submitToSwitch(Plan plan, int deletion, WriteBarrier barrier) {
    List<Write<SwitchEntry>> writes = plan.writes(TargetKey.SWITCH);
    int retiring = plan.delta().freesIndex() ? lastOfSubscriber(writes) : -1;
    long last = 0;
    for (int i = 0; i < writes.size(); i++) {
      Write<SwitchEntry> write = writes.get(i);
      last =
          switchSession.submit(
              write.op(), write.entity(), write.owner(), deletion, barrier, i == retiring);
    }
    long number = last;
    return writes.isEmpty() ? null : () -> switchSession.isSettled(number);
  }

  private static int lastOfSubscriber(List<Write<SwitchEntry>> writes) {
    int i = writes.size() - 1;
    while (i >= 0 && !OwnerIds.isSubscriber(writes.get(i).owner())) {
      i--;
    }
    return i;
  }

  /** Has every connected target read back and corrected. */
  public void reconcile() {
    all().forEach(TargetSession::reconcile);
  }

  /** Begins all sessions anew, see {@link TargetSession#restart}. */
  public void restart(String reason) {
    all().forEach(session -> session.restart(reason));
  }

  public void flush() {
    for (TargetSession<?> session : all()) {
      session.flush();
    }
  }

  /** Tells every session that another one has got on: its barriers may be lifted now. */
  public void settled(String target) {
    for (TargetSession<?> session : all()) {
      if (!target.equals(session.name())) {
        session.barriersChanged();
      }
    }
    awaited.forEach(Arrivals::gotOn);
  }

  /** All switches of a set have what comes there: the writes that wait for that here go. */
  void arrived(Arrivals at) {
    if (awaited.remove(at)) {
      for (TargetSession<?> session : all()) {
        session.barriersChanged();
      }
    }
  }

  /** Counts per target and state, the switch first. */
  public List<InstallSummary.PerTarget> summary() {
    List<InstallSummary.PerTarget> targets = new ArrayList<>();
    all().forEach(session -> targets.add(summary(session)));
    return targets;
  }

  public static InstallSummary.PerTarget summary(TargetSession<?> session) {
    StatusBoard board = session.board();
    String unowned = board.unownedError();
    SessionState state = session.state();
    Optional<String> detail =
        session
            .detail()
            .or(() -> unowned.isEmpty() ? Optional.empty() : Optional.of(unowned))
            .or(session::unkept);
    return new InstallSummary.PerTarget(
        session.name(),
        state,
        detail,
        board.count(TargetState.INSTALLED),
        board.count(TargetState.PENDING),
        board.count(TargetState.FAILED),
        session.waiting(),
        session.inFlight(),
        session.agent());
  }
}
