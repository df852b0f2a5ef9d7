package net.sluice.core.shard;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.state.ShardState;
import net.sluice.core.target.CounterSource;
import net.sluice.core.traffic.CountedSwitch;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterSink;

/** The counters of all subscribers of a shard. */
final class ShardCounters implements CountedSwitch {
  /** Subscribers that are looked at without letting others at the memory in between. */
  private static final int AT_ONCE = 256;

  private final String name;
  private final ShardState shard;
  private final CounterSource counters;
  private final boolean shapes;

  ShardCounters(String name, ShardState shard, CounterSource counters, Topology topology) {
    this.name = name;
    this.shard = shard;
    this.counters = counters;
    shapes = !topology.loopPorts().isEmpty();
  }

  @Override
  public String name() {
    return name;
  }

  /** A subscriber as it was when it was looked at. */
  private record Seen(int index, String id, Attachment at, String downPolicy, String upPolicy) {}

  @Override
  public void subscribers(Visitor visitor) {
    List<Seen> some = new ArrayList<>(AT_ONCE);
    for (int next = 1; next > 0; some.clear()) {
      int from = next;
      next = shard.inMemory(() -> look(from, some));
      for (Seen each : some) {
        visitor.subscriber(
            each.index, each.id, each.at.port(), each.at.tree(), each.downPolicy, each.upPolicy);
      }
    }
  }

  /** The index to go on with, or 0. */
  private int look(int from, List<Seen> out) {
    if (!shard.isReadable()) {
      return 0;
    }
    CompactSlaState state = shard.state();
    int to = Math.min(state.indexEnd(), from + AT_ONCE);
    for (int index = from; index < to; index++) {
      if (state.isUsed(index)) {
        String id = state.idOf(index);
        // A subscriber that moves away is counted by the other switch.
        if (shard.leavers() == 0 || state.leaving(id).isEmpty()) {
          out.add(
              new Seen(
                  index,
                  id,
                  state.attachmentOf(index),
                  state.policyIdOf(index, Direction.DOWN),
                  state.policyIdOf(index, Direction.UP)));
        }
      }
    }
    return to < state.indexEnd() ? to : 0;
  }

  @Override
  public CompletableFuture<Void> readAll(BitSet indices, CounterSink sink) {
    return counters.readAll(new CounterSource.Wanted(indices, points()), sink);
  }

  /** Under shaped limits nothing is counted where there are none. */
  private Set<Point> points() {
    Set<Point> points = EnumSet.allOf(Point.class);
    if (!shapes || shard.inMemory(() -> shard.state().rateLimits() == 0)) {
      points.removeIf(CounterCodec::isOfShapedLimit);
    }
    return points;
  }
}
