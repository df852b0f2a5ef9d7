package net.sluice.core.network;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.Names;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.model.Kind;
import net.sluice.intents.state.Leaving;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends moves: once the new switch holds all of a subscriber, the old one forgets it. Which
 * subscribers leave is state of the shards; nothing else is kept here. Looks after them when a
 * target has answered, and now and then as long as there are any, so that no move waits for one
 * wake-up.
 */
public final class PendingMoves implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PendingMoves.class);
  private static final Duration NOW_AND_THEN = Duration.ofSeconds(1);

  /** With more than a few moves a look takes long, so that the next one comes later. */
  private static final int FEW = 1_000;

  private static final long NANOS_PER_LEAVER = 10_000;

  private final Network network;
  private final Names names;
  private final MultiShardChanges joint;
  private final Scheduler scheduler;
  private final AtomicBoolean lookIsDue = new AtomicBoolean();
  private final AtomicBoolean timerRuns = new AtomicBoolean();

  public PendingMoves(Network network, Names names, MultiShardChanges joint, Scheduler scheduler) {
    this.network = network;
    this.names = names;
    this.joint = joint;
    this.scheduler = scheduler;
  }

  /** Subscribers may leave from now on, or a target has answered; holds nobody up. */
  public void wake() {
    int leavers = network.all().stream().mapToInt(SwitchShard::leavers).sum();
    if (leavers == 0) {
      return;
    }
    if (lookIsDue.compareAndSet(false, true)) {
      if (leavers <= FEW) {
        scheduler.execute(this::look);
      } else {
        scheduler.schedule(Duration.ofNanos(leavers * NANOS_PER_LEAVER), this::look);
      }
    }
    if (timerRuns.compareAndSet(false, true)) {
      scheduler.schedule(NOW_AND_THEN, this::timer);
    }
  }

  private void timer() {
    timerRuns.set(false);
    wake();
  }

  private void look() {
    lookIsDue.set(false);
    for (SwitchShard shard : network.all()) {
      try {
        if (shard.leavers() > 0) {
          int unused = network.held(() -> end(shard));
        }
      } catch (RuntimeException e) {
        // The store, for one, may be away: the timer tries again.
        LOG.debug("moves from switch {} cannot be ended yet", shard.name(), e);
      }
    }
  }

  private int end(SwitchShard from) {
    if (network.named(from.name()).filter(from::equals).isEmpty() || from.changes().isPaused()) {
      return 0;
    }
    Map<String, Leaving> over = new LinkedHashMap<>();
    from.leaving()
        .forEach(
            (id, leaving) -> {
              if (isOver(id, leaving)) {
                over.put(id, leaving);
              }
            });
    if (!over.isEmpty()) {
      joint.endMoves(from, over, this::isOver);
    }
    return over.size();
  }

  /**
   * Whether nobody needs the switch that a subscriber leaves any more: the one it is in force at
   * serves it. While the old switch was out of the network the subscriber may have moved on, or was
   * deleted: then it is in force nowhere, and does not leave the switch that it came to.
   */
  private boolean isOver(String id, Leaving leaving) {
    Optional<SwitchShard> inForce = names.switchOf(Kind.SUBSCRIBER, id).flatMap(network::named);
    return inForce.isPresent()
        ? inForce.get().isInstalled(Kind.SUBSCRIBER, id)
        : network
            .named(leaving.toSwitch())
            .filter(to -> to.isReadable() && to.leaving(id).isEmpty())
            .isPresent();
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
