package net.sluice.core.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.state.ShardState;
import net.sluice.core.target.PortMonitor;
import net.sluice.core.traffic.PortStatus;
import net.sluice.core.traffic.Sharing;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Stand;
import net.sluice.intents.verdict.SwitchSharing;
import net.sluice.intents.verdict.Tally;

/** The sharing of a shard's subscribers; each question is one look at the state. */
final class ShardSharing implements Sharing {
  /** Stands for the prefixes of a subscriber, which are not looked at. */
  private static final List<IpPrefix> ANY_PREFIX = List.of(IpPrefix.v4(0, 32));

  /** Subscribers that are looked at without letting others at the memory in between. */
  private static final int AT_ONCE = 128;

  private final String name;
  private final Consumer<Consumer<CompactSlaState>> state;
  private final Compiler compiler;
  private final Optional<PortMonitor> ports;

  /**
   * The sharing under a state.
   *
   * @param state passes it on for one look, unless it cannot be read
   */
  ShardSharing(
      String name,
      Consumer<Consumer<CompactSlaState>> state,
      Compiler compiler,
      Optional<PortMonitor> ports) {
    this.name = name;
    this.state = state;
    this.compiler = compiler;
    this.ports = ports;
  }

  /** Looks at the state in force. */
  static void inForce(ShardState shard, Consumer<CompactSlaState> look) {
    boolean unused =
        shard.inMemory(
            () -> {
              if (shard.isReadable()) {
                look.accept(shard.state());
              }
              return true;
            });
  }

  @Override
  public String switchName() {
    return name;
  }

  @Override
  public Tally tally(Direction direction) {
    String shown = name.equals(NetworkSwitch.ONLY) ? "" : name;
    Tally[] tally = {Tally.ofNone()};
    state.accept(of -> tally[0] = compiler.sharing(of).tally(direction, shown, this::carriedBps));
    return tally[0];
  }

  private double carriedBps(int port) {
    return ports
        .filter(PortMonitor::hasSource)
        .flatMap(monitor -> monitor.ports().port(port))
        .map(PortStatus::outBps)
        .filter(bps -> bps.isPresent())
        .map(bps -> bps.getAsDouble())
        .orElse(Double.NaN);
  }

  /** A subscriber as it was when it was looked at. */
  private record Seen(int index, Subscriber subscriber, Stand stand) {}

  @Override
  public void stands(Direction direction, Visitor visitor) {
    List<Seen> some = new ArrayList<>(AT_ONCE);
    int[] next = {1};
    while (next[0] > 0) {
      int from = next[0];
      next[0] = 0;
      state.accept(of -> next[0] = look(of, from, direction, some));
      for (Seen each : some) {
        visitor.subscriber(
            each.index, each.subscriber.id(), each.subscriber.parts().stopped(), each.stand);
      }
      some.clear();
    }
  }

  /** The index to go on with, or 0. */
  private int look(CompactSlaState of, int from, Direction direction, List<Seen> out) {
    SwitchSharing sharing = compiler.sharing(of);
    int to = Math.min(of.indexEnd(), from + AT_ONCE);
    for (int index = from; index < to; index++) {
      // A subscriber that moves away is counted by the other switch.
      if (of.isUsed(index) && (of.leavers() == 0 || of.leaving(of.idOf(index)).isEmpty())) {
        Subscriber subscriber = of.outline(index, ANY_PREFIX).subscriber();
        out.add(new Seen(index, subscriber, sharing.stand(subscriber, direction)));
      }
    }
    return to < of.indexEnd() ? to : 0;
  }

  @Override
  public Optional<Stand> stand(String subscriberId, Direction direction) {
    Stand[] stand = {null};
    state.accept(
        of -> {
          if (of.isInForce(Kind.SUBSCRIBER, subscriberId)) {
            Subscriber subscriber = of.outline(of.indexOf(subscriberId), ANY_PREFIX).subscriber();
            stand[0] = compiler.sharing(of).stand(subscriber, direction);
          }
        });
    return Optional.ofNullable(stand[0]);
  }
}
