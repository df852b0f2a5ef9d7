package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.InstallSummary;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.TargetState;
import net.sluice.core.session.Gate;
import net.sluice.core.session.Owners;
import net.sluice.core.session.StatusBoard;
import net.sluice.core.session.TargetSession;
import net.sluice.core.state.CompactSlaState;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaWrite;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchWrite;

/** The sessions of all targets: hands accepted plans to them and adds up how far they are. */
final class Sessions {
  private final Declarations declarations;
  private final TargetSession<SwitchEntry> switchSession;
  private final Map<Direction, TargetSession<FpgaSetting>> fpgas = new EnumMap<>(Direction.class);

  Sessions(
      Declarations declarations,
      TargetSession<SwitchEntry> switchSession,
      Map<Direction, TargetSession<FpgaSetting>> fpgas) {
    this.declarations = declarations;
    this.switchSession = switchSession;
    this.fpgas.putAll(fpgas);
  }

  TargetSession<SwitchEntry> ofSwitch() {
    return switchSession;
  }

  Optional<TargetSession<FpgaSetting>> ofFpga(Direction direction) {
    return Optional.ofNullable(fpgas.get(direction));
  }

  /** The switch first. */
  List<TargetSession<?>> all() {
    List<TargetSession<?>> all = new ArrayList<>();
    all.add(switchSession);
    all.addAll(fpgas.values());
    return all;
  }

  void awaitSpace() throws InterruptedException {
    for (TargetSession<?> session : all()) {
      session.awaitSpace();
    }
  }

  /** Begins to keep the status of everything declared; nothing is known of it yet. */
  void trackAll() {
    CompactSlaState state = declarations.state();
    StatusBoard board = switchSession.board();
    state.allPolicies().forEach(p -> board.track(Owners.policy(p.slot()), true));
    state.indicesWhere(i -> true).forEach(i -> board.track(Owners.subscriber(i), true));
    state
        .rateLimitIds()
        .forEach(id -> trackLimit(state.rateLimit(id).orElseThrow(), state.limitNumber(id), true));
  }

  private void trackLimit(RateLimit limit, int number, boolean stale) {
    fpgas.forEach(
        (direction, session) -> {
          if (limit.rateBps(direction).isPresent()) {
            session.board().track(Owners.limit(number), stale);
          } else {
            session.board().untrack(Owners.limit(number));
          }
        });
  }

  /**
   * Hands over what is now durable; the order of changes is held.
   *
   * @param limitNumber of the rate limit put or deleted
   */
  void submit(Plan plan, int limitNumber) {
    follow(plan, limitNumber);
    Change change = plan.delta().change();
    List<Gate> gates = new ArrayList<>(0);
    for (Map.Entry<Direction, TargetSession<FpgaSetting>> fpga : fpgas.entrySet()) {
      List<FpgaWrite> writes = plan.fpgaWrites(fpga.getKey());
      long last = 0;
      for (FpgaWrite write : writes) {
        int owner =
            write.setting() instanceof BucketSize && change instanceof Change.PutRateLimit
                ? Owners.limit(limitNumber)
                : declarations.ownerOf(write.setting());
        last = fpga.getValue().submit(Op.MODIFY, write.setting(), owner, null, false);
      }
      if (!writes.isEmpty()) {
        long number = last;
        gates.add(() -> fpga.getValue().isSettled(number));
      }
    }
    // A limit takes hold at the FPGA before the switch sends it anything, so that there is no gap.
    Gate gate = gates.isEmpty() ? null : () -> gates.stream().allMatch(Gate::isOpen);
    List<SwitchWrite> writes = plan.switchWrites();
    for (int i = 0; i < writes.size(); i++) {
      SwitchWrite write = writes.get(i);
      boolean retires = change instanceof Change.DeleteSubscriber && i == writes.size() - 1;
      switchSession.submit(
          write.op(), write.entry(), Declarations.ownerOf(write.entry()), gate, retires);
    }
  }

  private void follow(Plan plan, int limitNumber) {
    Change change = plan.delta().change();
    int number = plan.delta().number();
    StatusBoard board = switchSession.board();
    if (change instanceof Change.PutSubscriber) {
      board.track(Owners.subscriber(number), false);
    } else if (change instanceof Change.DeleteSubscriber) {
      board.untrack(Owners.subscriber(number));
    } else if (change instanceof Change.PutPolicy) {
      board.track(Owners.policy(number), false);
    } else if (change instanceof Change.DeletePolicy) {
      board.untrack(Owners.policy(number));
    } else if (change instanceof Change.PutRateLimit put) {
      trackLimit(put.rateLimit(), limitNumber, false);
    } else if (change instanceof Change.DeleteRateLimit) {
      fpgas.values().forEach(session -> session.board().untrack(Owners.limit(limitNumber)));
    }
  }

  void flush() {
    for (TargetSession<?> session : all()) {
      session.flush();
    }
  }

  /** Tells every session that another one has got on: its gates may be open now. */
  void settled(String target) {
    if (!target.equals(switchSession.name())) {
      switchSession.flush();
    }
  }

  InstallSummary summary() {
    List<InstallSummary.PerTarget> targets = new ArrayList<>();
    for (TargetSession<?> session : all()) {
      StatusBoard board = session.board();
      String unowned = board.unownedError();
      SessionState state = session.state();
      Optional<String> detail =
          session.detail().or(() -> unowned.isEmpty() ? Optional.empty() : Optional.of(unowned));
      targets.add(
          new InstallSummary.PerTarget(
              session.name(),
              state,
              detail,
              board.count(TargetState.INSTALLED),
              board.count(TargetState.PENDING),
              board.count(TargetState.FAILED),
              session.waiting(),
              session.inFlight()));
    }
    return new InstallSummary(targets);
  }
}
