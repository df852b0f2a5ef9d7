package net.sluice.northbound.explain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.sluice.core.Controller;
import net.sluice.core.traffic.Sharing;
import net.sluice.intents.model.Kind;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Cause;
import net.sluice.intents.verdict.LimitVerdict;
import net.sluice.intents.verdict.Stand;
import net.sluice.intents.verdict.SwitchStanding;
import net.sluice.intents.verdict.Tally;
import net.sluice.intents.verdict.TrafficLoad;
import net.sluice.northbound.usage.Judge;
import net.sluice.northbound.usage.Rates;

/**
 * Judges all subscribers of a switch by one sweep: one division a direction, in which those that
 * have traffic take part.
 */
public final class SweepJudge implements Judge {
  /** A subscriber that gets less than this part of what it should is short of it. */
  static final double ENOUGH = 0.9;

  private final Controller controller;

  /** A judge of the switches of {@code controller}. */
  public SweepJudge(Controller controller) {
    this.controller = controller;
  }

  @Override
  public void judge(String switchName, Loads loads, Findings to) {
    for (Sharing sharing : controller.sharing()) {
      if (sharing.switchName().equals(switchName)) {
        for (Direction direction : Direction.values()) {
          new Sweep(sharing, direction, loads, to).judge();
        }
      }
    }
  }

  /** One direction of a switch. */
  private final class Sweep {
    private final Sharing sharing;
    private final Direction direction;
    private final Loads loads;
    private final Findings to;
    private final Tally tally;
    private final Set<Integer> down;

    /** Indices of the members of the tally. */
    private int[] indices = new int[16];

    private final List<String> ids = new ArrayList<>();

    Sweep(Sharing sharing, Direction direction, Loads loads, Findings to) {
      this.sharing = sharing;
      this.direction = direction;
      this.loads = loads;
      this.to = to;
      tally = sharing.tally(direction);
      down = linesDown();
    }

    private Set<Integer> linesDown() {
      Set<Integer> lines = new HashSet<>();
      controller.switches().stream()
          .filter(each -> each.name().equals(sharing.switchName()))
          .flatMap(each -> each.ports().stream())
          .forEach(
              ports -> {
                for (int i = 0; i < ports.ports().size(); i++) {
                  if (ports.ports().get(i).up().equals(Optional.of(false))) {
                    lines.add(i);
                  }
                }
              });
      return lines;
    }

    void judge() {
      sharing.stands(direction, this::take);
      SwitchStanding standing = tally.close();
      for (int i = 0; i < ids.size(); i++) {
        Optional<Rates> rates = loads.of(indices[i], direction);
        if (rates.isPresent()) {
          judge(indices[i], ids.get(i), rates.get(), standing, tally.stand(i));
        }
      }
    }

    private void take(int index, String id, boolean isSuspended, Stand stand) {
      Optional<Rates> rates = loads.of(index, direction);
      if (rates.isEmpty()) {
        return;
      }
      if (isSuspended) {
        to.put(index, direction, new Finding(Cause.SUSPENDED, 0, false));
      } else if (down.contains(stand.line())) {
        to.put(index, direction, new Finding(Cause.PORT_DOWN, 0, true));
      } else if (rates.get().offeredBps() > 0) {
        tally.add(Explanations.load(rates.get()), stand);
        if (ids.size() == indices.length) {
          indices = Arrays.copyOf(indices, ids.size() + (ids.size() >> 1));
        }
        indices[ids.size()] = index;
        ids.add(id);
      }
    }

    private void judge(int index, String id, Rates rates, SwitchStanding standing, Stand stand) {
      TrafficLoad load = Explanations.load(rates);
      SwitchStanding.Finding found = standing.of(load, stand);
      double entitledBps = found.entitledBps();
      boolean isShort = rates.gotBps() < ENOUGH * Math.min(rates.offeredBps(), entitledBps);
      if (found.verdict() instanceof LimitVerdict.Nothing && !isShort) {
        return;
      }
      Cause cause = isShort && isOutOfStep(id) ? Cause.OUT_OF_STEP : found.verdict().cause();
      to.put(
          index,
          direction,
          new Finding(cause, Double.isFinite(entitledBps) ? Math.round(entitledBps) : 0, isShort));
    }

    private boolean isOutOfStep(String id) {
      return controller
          .find(Kind.SUBSCRIBER, id)
          .flatMap(found -> Explanations.outOfStep(found, direction))
          .isPresent();
    }
  }
}
