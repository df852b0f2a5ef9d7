package net.sluice.core.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.ControllerException;
import net.sluice.core.InstallSummary;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.TargetState;
import net.sluice.core.session.OwnerIds;
import net.sluice.core.session.StatusBoard;
import net.sluice.core.session.TargetSession;
import net.sluice.core.session.WriteBarrier;
import net.sluice.intents.model.Direction;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaWrite;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.QueueAqmEntry;
import net.sluice.intents.plan.SwitchWrite;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;

/** The sessions of all targets: hands accepted plans to them and adds up how far they are. */
final class Sessions {
  private final WriteOwners owners;
  private final TargetSession<SwitchEntry> switchSession;
  private final Map<Direction, TargetSession<FpgaSetting>> fpgas = new EnumMap<>(Direction.class);

  Sessions(
      WriteOwners owners,
      TargetSession<SwitchEntry> switchSession,
      Map<Direction, TargetSession<FpgaSetting>> fpgas) {
    this.owners = owners;
    this.switchSession = switchSession;
    this.fpgas.putAll(fpgas);
  }

  /**
   * Lets FPGAs have sessions exactly while the switch has one: whoever is primary at the switch is
   * the one who may write beside it.
   */
  void followSwitch() {
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

  TargetSession<SwitchEntry> ofSwitch() {
    return switchSession;
  }

  Optional<TargetSession<FpgaSetting>> ofFpga(Direction direction) {
    return Optional.ofNullable(fpgas.get(direction));
  }

  Collection<TargetSession<FpgaSetting>> ofFpgas() {
    return fpgas.values();
  }

  /** The switch first. */
  List<TargetSession<?>> all() {
    List<TargetSession<?>> all = new ArrayList<>();
    all.add(switchSession);
    all.addAll(fpgas.values());
    return all;
  }

  /** Those that a plan writes to. */
  List<TargetSession<?>> writtenBy(Plan plan) {
    List<TargetSession<?>> written = new ArrayList<>();
    if (!plan.switchWrites().isEmpty()) {
      written.add(switchSession);
    }
    fpgas.forEach(
        (direction, session) -> {
          if (!plan.fpgaWrites(direction).isEmpty()) {
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
  boolean awaitSpace(int capacity, Duration patience) {
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
  TargetSession<?> named(String target) throws Refusal {
    for (TargetSession<?> session : all()) {
      if (session.name().equals(target)) {
        return session;
      }
    }
    throw noTarget(target, all().stream().map(TargetSession::name).toList());
  }

  /** That there is no target of that name beside those that there are. */
  static Refusal noTarget(String target, List<String> names) {
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
  long answered() {
    return all().stream().mapToLong(TargetSession::answered).sum();
  }

  /** The target with the most writes waiting. */
  String fullest() {
    return Collections.max(all(), Comparator.comparingInt(TargetSession::waiting)).name();
  }

  /**
   * Whose status each of a plan's FPGA writes counts for, in their order; the plan has just been
   * applied, the memory is held.
   *
   * @param ownerOfShared whose status counts settings that belong to no one declaration
   */
  Map<Direction, int[]> fpgaOwners(Plan plan, int ownerOfShared) {
    Map<Direction, int[]> all = Map.of();
    for (Direction direction : fpgas.keySet()) {
      List<FpgaWrite> writes = plan.fpgaWrites(direction);
      if (!writes.isEmpty()) {
        all = all.isEmpty() ? new EnumMap<>(Direction.class) : all;
        all.put(
            direction,
            writes.stream()
                .map(FpgaWrite::setting)
                .mapToInt(s -> s instanceof BucketSize ? ownerOfShared : owners.of(s))
                .toArray());
      }
    }
    return all;
  }

  /**
   * Hands over what is now durable; the memory is held.
   *
   * @param queueOwner whose status counts how queues are managed
   * @param fpgaOwners see {@link #fpgaOwners}
   * @param freesIndex whether the last write of a subscriber's entry leaves its index free
   * @param deletion the deletion that all of it is done for; {@link OwnerIds#NONE} for none
   */
  void submit(
      Plan plan,
      int queueOwner,
      Map<Direction, int[]> fpgaOwners,
      boolean freesIndex,
      int deletion) {
    List<WriteBarrier> barriers = new ArrayList<>(0);
    fpgaOwners.forEach(
        (direction, ownersOfWrites) -> {
          TargetSession<FpgaSetting> fpga = fpgas.get(direction);
          List<FpgaWrite> writes = plan.fpgaWrites(direction);
          long last = 0;
          for (int i = 0; i < ownersOfWrites.length; i++) {
            FpgaSetting setting = writes.get(i).setting();
            last = fpga.submit(Op.MODIFY, setting, ownersOfWrites[i], deletion, null, false);
          }
          long number = last;
          barriers.add(() -> fpga.isSettled(number));
        });
    // A limit takes hold at the FPGA before the switch sends it anything, so that there is no gap.
    WriteBarrier barrier =
        barriers.isEmpty() ? null : () -> barriers.stream().allMatch(WriteBarrier::isLifted);
    // A subscriber has moved to another index only when nothing is left at the old one.
    int moving = plan.delta().left() == 0 ? deletion : OwnerIds.subscriber(plan.delta().number());
    List<SwitchWrite> writes = plan.switchWrites();
    int last = freesIndex ? lastOfSubscriber(writes) : -1;
    for (int i = 0; i < writes.size(); i++) {
      SwitchWrite write = writes.get(i);
      int doneFor = write.op() == Op.DELETE ? moving : deletion;
      int owner = WriteOwners.of(write.entry(), queueOwner);
      switchSession.submit(write.op(), write.entry(), owner, doneFor, barrier, i == last);
    }
  }

  private static int lastOfSubscriber(List<SwitchWrite> writes) {
    int i = writes.size() - 1;
    while (i >= 0 && writes.get(i).entry() instanceof QueueAqmEntry) {
      i--;
    }
    return i;
  }

  /** Has every connected target read back and corrected. */
  void reconcile() {
    all().forEach(TargetSession::reconcile);
  }

  void flush() {
    for (TargetSession<?> session : all()) {
      session.flush();
    }
  }

  /** Tells every session that another one has got on: its barriers may be lifted now. */
  void settled(String target) {
    if (!target.equals(switchSession.name())) {
      switchSession.barriersChanged();
    }
  }

  /** Counts per target and state, the switch first. */
  List<InstallSummary.PerTarget> summary() {
    List<InstallSummary.PerTarget> targets = new ArrayList<>();
    all().forEach(session -> targets.add(summary(session)));
    return targets;
  }

  static InstallSummary.PerTarget summary(TargetSession<?> session) {
    StatusBoard board = session.board();
    String unowned = board.unownedError();
    SessionState state = session.state();
    Optional<String> detail =
        session.detail().or(() -> unowned.isEmpty() ? Optional.empty() : Optional.of(unowned));
    return new InstallSummary.PerTarget(
        session.name(),
        state,
        detail,
        board.count(TargetState.INSTALLED),
        board.count(TargetState.PENDING),
        board.count(TargetState.FAILED),
        session.waiting(),
        session.inFlight());
  }
}
