package net.sluice.core.shard;

import java.util.List;
import java.util.Optional;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.state.ShardState;
import net.sluice.core.target.PortMonitor;
import net.sluice.core.traffic.PortStatus;
import net.sluice.core.traffic.Sharing;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Stand;
import net.sluice.intents.verdict.Tally;

/** The sharing of a shard's subscribers; each question is one look at the memory. */
final class ShardSharing implements Sharing {
  /** Stands for the prefixes of a subscriber, which are not looked at. */
  private static final List<IpPrefix> ANY_PREFIX = List.of(IpPrefix.v4(0, 32));

  private final String name;
  private final ShardState shard;
  private final Compiler compiler;
  private final Optional<PortMonitor> ports;

  ShardSharing(String name, ShardState shard, Compiler compiler, Optional<PortMonitor> ports) {
    this.name = name;
    this.shard = shard;
    this.compiler = compiler;
    this.ports = ports;
  }

  @Override
  public String switchName() {
    return name;
  }

  @Override
  public Tally tally(Direction direction) {
    String shown = name.equals(NetworkSwitch.ONLY) ? "" : name;
    return shard.inMemory(
        () -> compiler.sharing(shard.state()).tally(direction, shown, this::carriedBps));
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

  @Override
  public Optional<Stand> stand(String subscriberId, Direction direction) {
    return shard.inMemory(
        () -> {
          CompactSlaState state = shard.state();
          return state.isInForce(Kind.SUBSCRIBER, subscriberId)
              ? Optional.of(
                  compiler
                      .sharing(state)
                      .stand(
                          state.outline(state.indexOf(subscriberId), ANY_PREFIX).subscriber(),
                          direction))
              : Optional.empty();
        });
  }
}
