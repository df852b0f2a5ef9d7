package net.sluice.intents.verdict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.limit.Limiters;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.Wire;
import net.sluice.intents.share.SharedLimit;
import net.sluice.intents.share.SharedLimit.Sharing;
import net.sluice.intents.share.Sharers;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.value.Direction;

/** The sharing of the subscribers of a switch, as it is declared. Pure functions of a state. */
public final class SwitchSharing {
  /** Slots of policies are below this. */
  private static final int SLOTS = 64;

  private static final int UNKNOWN = Integer.MIN_VALUE;

  private final SlaState state;
  private final Limiters limiters;
  private final Topology topology;

  /** Lines by direction and BNG port, once they have been looked for. */
  private final int[][] lines = new int[Direction.values().length][Attachment.MAX_PORT + 1];

  /** The sharing under a state, which is read whenever something is asked. */
  public SwitchSharing(SlaState state, Limiters limiters, Topology topology) {
    this.state = state;
    this.limiters = limiters;
    this.topology = topology;
    for (int[] each : lines) {
      Arrays.fill(each, UNKNOWN);
    }
  }

  /**
   * A tally of a direction.
   *
   * @param switchName for people; empty if there is only one
   * @param carriedBps what leaves by a switch port, bit/s; not a number if that is not known
   */
  public Tally tally(Direction direction, String switchName, IntToDoubleFunction carriedBps) {
    List<ThroughputValueFunction> functions = new ArrayList<>();
    for (int slot = 0; slot < SLOTS; slot++) {
      functions.add(
          state
              .policyInSlot(slot)
              .<ThroughputValueFunction>map(policy -> policy.function())
              .orElse(BuiltInFunction.SILVER));
    }
    return new Tally(
        functions,
        IntStream.range(0, Attachment.TREES)
            .mapToObj(Attachment::ofTreeIndex)
            .map(at -> shared(new Scope.OfTree(at.port(), at.tree()), direction))
            .toArray(SharedLimit[]::new),
        IntStream.rangeClosed(0, Attachment.MAX_PORT)
            .mapToObj(port -> shared(new Scope.OfPort(port), direction))
            .toArray(SharedLimit[]::new),
        topology.ports().stream()
            .map(
                port ->
                    new Tally.Line(
                        new LimitVerdict.Place(switchName, port.number()),
                        port.rateBps(),
                        carriedBps.applyAsDouble(port.number())))
            .toList());
  }

  private SharedLimit shared(Scope scope, Direction direction) {
    return state.rateLimits() == 0
        ? null
        : state
            .rateLimitOf(scope)
            .filter(limit -> limit.rateBps(direction).isPresent())
            .map(
                limit ->
                    new SharedLimit(
                        limiters.grantedBps(limit, direction),
                        limiters.isShapedByFpga(limit, direction)
                            ? Sharing.EQUAL
                            : Sharing.AS_OFFERED))
            .orElse(null);
  }

  /** Where a subscriber stands in a tally of that direction. */
  public Stand stand(Subscriber subscriber, Direction direction) {
    AppliedLimits limits = AppliedLimits.of(state, subscriber);
    double ownBps = Double.POSITIVE_INFINITY;
    if (limits.own().isPresent() && limits.own().get().rateBps(direction).isPresent()) {
      RateLimit own = limits.own().get();
      ownBps =
          own.gate() == Gate.CLOSED && limiters.isShapedByFpga(own, direction)
              ? 0
              : limiters.grantedBps(own, direction);
    }
    boolean fpga =
        List.of(limits.own(), limits.tree(), limits.port()).stream()
            .flatMap(each -> each.stream())
            .anyMatch(
                limit ->
                    limit.rateBps(direction).isPresent()
                        && limiters.isShapedByFpga(limit, direction));
    return new Stand(
        ownBps,
        subscriber.attachment().treeIndex(),
        subscriber.attachment().port(),
        line(subscriber.attachment().port(), direction),
        state.policy(subscriber.policyId(direction)).orElseThrow().slot(),
        fpga);
  }

  /** The port that packets leave by, by its place in the topology. */
  private int line(int bngPort, Direction direction) {
    int[] known = lines[direction.ordinal()];
    if (known[bngPort] == UNKNOWN) {
      known[bngPort] = findLine(bngPort, direction);
    }
    return known[bngPort];
  }

  private int findLine(int bngPort, Direction direction) {
    OptionalInt access = topology.switchPort(bngPort);
    if (access.isEmpty()) {
      return Sharers.NONE;
    }
    if (direction == Direction.DOWN) {
      return place(access.getAsInt());
    }
    for (Wire wire : topology.wires()) {
      if (wire.access() == access.getAsInt()) {
        return place(wire.core());
      }
    }
    // With several routes it is unknown which ones a subscriber's packets take.
    int[] ports = topology.routes().stream().mapToInt(Topology.Route::port).distinct().toArray();
    return ports.length == 1 ? place(ports[0]) : Sharers.NONE;
  }

  private int place(int number) {
    List<SwitchPort> ports = topology.ports();
    for (int i = 0; i < ports.size(); i++) {
      if (ports.get(i).number() == number) {
        return ports.get(i).valueDropping() ? i : Sharers.NONE;
      }
    }
    return Sharers.NONE;
  }
}
