package net.sluice.northbound.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import net.sluice.core.Controller;
import net.sluice.core.Outcome;
import net.sluice.core.SetOutcome;
import net.sluice.core.traffic.Sharing;
import net.sluice.intents.plan.Change;
import net.sluice.intents.share.Division;
import net.sluice.intents.share.Sharers;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Cause;
import net.sluice.intents.verdict.SwitchStanding;
import net.sluice.intents.verdict.Tally;
import net.sluice.intents.verdict.TrafficLoad;
import net.sluice.northbound.explain.Explanations;
import net.sluice.northbound.usage.Usage;

/**
 * Divides all switches among their subscribers twice: by what is declared, and by what would be.
 * Both times they want the same. Nothing is changed.
 */
public final class ChangeSimulation {
  /** Tries without those that are refused; each leaves out at least one. */
  private static final int MOST_TRIES = 8;

  /** A rate that differs by no more than this part is the same. */
  private static final double SAME = 0.001;

  private static final double PERCENT = 100;

  private final Controller controller;
  private final Map<String, Map<Direction, Double>> wanted = new HashMap<>();
  private final Map<String, double[]> othersBps = new HashMap<>();

  /** A simulation at what {@code controller} holds, in which no subscriber wants anything. */
  public ChangeSimulation(Controller controller) {
    this.controller = controller;
  }

  /**
   * Has a subscriber want that much, in place of what was measured of it.
   *
   * @param bps bit/s of frames, or {@link Sharers#ELASTIC} for all that it can get
   */
  public void wants(String id, Direction direction, double bps) {
    wanted.computeIfAbsent(id, any -> new EnumMap<>(Direction.class)).put(direction, bps);
  }

  /** Has all others want what {@code usage} has measured of them last. */
  public void wantAsMeasured(Usage usage) {
    for (Sharing sharing : controller.sharing()) {
      for (Direction direction : Direction.values()) {
        Tally tally = sharing.tally(direction);
        List<String> ids = new ArrayList<>();
        usage.walk(
            sharing.switchName(),
            (id, point) ->
                point
                    .of(direction)
                    .filter(rates -> rates.offeredBps() > 0)
                    .flatMap(
                        rates ->
                            sharing
                                .stand(id, direction)
                                .map(
                                    stand -> {
                                      TrafficLoad load = Explanations.load(rates);
                                      tally.add(load, stand);
                                      return id;
                                    }))
                    .ifPresent(ids::add));
        SwitchStanding unused = tally.close();
        othersBps.put(key(sharing, direction), tally.othersBps());
        for (int i = 0; i < ids.size(); i++) {
          double bps = tally.wantedBps(i);
          wanted
              .computeIfAbsent(ids.get(i), any -> new EnumMap<>(Direction.class))
              .putIfAbsent(direction, bps);
        }
      }
    }
  }

  private static String key(Sharing sharing, Direction direction) {
    return sharing.switchName() + "/" + direction.text();
  }

  /** The rate of one direction of a subscriber, and what leaves it no more. */
  private record Rate(double bps, String limitedBy) {}

  /** The rates of both directions by subscriber. */
  private static final class Rates {
    private final Map<String, Map<Direction, Rate>> all = new HashMap<>();

    void put(String id, Direction direction, Rate rate) {
      all.computeIfAbsent(id, any -> new EnumMap<>(Direction.class)).put(direction, rate);
    }

    Rate of(String id, Direction direction) {
      return all.getOrDefault(id, Map.of()).getOrDefault(direction, new Rate(0, "not-declared"));
    }
  }

  /**
   * Simulates changes that come into force together.
   *
   * @param losesPercent the part of its rate that one loses more than to be told as one that loses
   */
  public Simulated of(List<Change> changes, double losesPercent) {
    Rates before = new Rates();
    divide(controller.sharing(), before);
    Map<Integer, Outcome.Refused> refused = new TreeMap<>();
    Rates[] after = {before};
    boolean isMade = false;
    for (int tried = 0; tried < MOST_TRIES && !isMade; tried++) {
      List<Change> left = new ArrayList<>();
      List<Integer> places = new ArrayList<>();
      for (int i = 0; i < changes.size(); i++) {
        if (!refused.containsKey(i)) {
          left.add(changes.get(i));
          places.add(i);
        }
      }
      SetOutcome outcome =
          controller.suppose(
              left,
              sharing -> {
                after[0] = new Rates();
                divide(sharing, after[0]);
              });
      isMade = outcome.isMade();
      for (int i = 0; i < left.size(); i++) {
        if (outcome.outcomes().get(i) instanceof Outcome.Refused one) {
          refused.put(places.get(i), one);
        }
      }
    }
    if (!isMade) {
      refuseOthers(changes, refused);
    }
    return compared(before, after[0], refused, losesPercent);
  }

  /** Each of too many tries has left out some of which others needed something. */
  private static void refuseOthers(List<Change> changes, Map<Integer, Outcome.Refused> refused) {
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      refused.computeIfAbsent(
          i,
          place ->
              new Outcome.Refused(
                  change,
                  List.of(
                      new Problem(
                          Problem.Code.CONFLICT,
                          change.kind().field(),
                          change.id(),
                          "changes that can be made without those that are refused",
                          "Not simulated: each time the refused ones were left out, others of the"
                              + " set were refused."))));
    }
  }

  private void divide(List<Sharing> switches, Rates to) {
    for (Sharing sharing : switches) {
      for (Direction direction : Direction.values()) {
        divide(sharing, direction, to);
      }
    }
  }

  private void divide(Sharing sharing, Direction direction, Rates to) {
    Tally tally = sharing.tally(direction);
    List<String> ids = new ArrayList<>();
    sharing.stands(
        direction,
        (index, id, isSuspended, stand) -> {
          Double bps = wanted.getOrDefault(id, Map.of()).get(direction);
          if (bps != null && isSuspended) {
            to.put(id, direction, new Rate(0, Cause.SUSPENDED.text()));
          } else if (bps != null) {
            tally.addWanting(bps, stand);
            ids.add(id);
          }
        });
    Division division =
        tally.forecast(othersBps.getOrDefault(key(sharing, direction), new double[tally.lines()]));
    for (int i = 0; i < ids.size(); i++) {
      to.put(
          ids.get(i), direction, new Rate(division.rateBps(i), Cause.of(division.bound(i)).text()));
    }
  }

  // ---------------------------------------------------------------- what differs

  /** A subscriber and the least part of its rate that it keeps. */
  private record Kept(Simulated.Subscriber subscriber, double part) {}

  private Simulated compared(
      Rates before, Rates after, Map<Integer, Outcome.Refused> refused, double losesPercent) {
    List<Kept> all = new ArrayList<>();
    int changed = 0;
    int losing = 0;
    for (Map.Entry<String, Map<Direction, Double>> each : wanted.entrySet()) {
      Map<Direction, Simulated.Way> ways = new EnumMap<>(Direction.class);
      double part = Double.MAX_VALUE;
      boolean loses = false;
      boolean differs = false;
      for (Map.Entry<Direction, Double> wants : each.getValue().entrySet()) {
        Direction direction = wants.getKey();
        double had = before.of(each.getKey(), direction).bps;
        Rate has = after.of(each.getKey(), direction);
        boolean losesHere = has.bps < had * (1 - losesPercent / PERCENT);
        ways.put(
            direction,
            new Simulated.Way(
                wants.getValue() == Sharers.ELASTIC
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(wants.getValue()),
                had,
                has.bps,
                has.limitedBy,
                losesHere));
        loses |= losesHere;
        differs |= Math.abs(has.bps - had) > SAME * Math.max(had, has.bps);
        part = Math.min(part, had == 0 ? Double.MAX_VALUE : has.bps / had);
      }
      losing += loses ? 1 : 0;
      changed += differs ? 1 : 0;
      all.add(new Kept(new Simulated.Subscriber(each.getKey(), ways), part));
    }
    return new Simulated(
        refused,
        changed,
        losing,
        all.stream()
            .sorted(
                Comparator.comparingDouble(Kept::part).thenComparing(kept -> kept.subscriber.id()))
            .map(Kept::subscriber)
            .toList());
  }
}
