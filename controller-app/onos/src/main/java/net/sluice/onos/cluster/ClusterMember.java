package net.sluice.onos.cluster;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreException;
import net.sluice.core.time.Backoff;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.model.InvalidValueException;
import org.onosproject.cluster.LeadershipEvent;
import org.onosproject.cluster.LeadershipEventListener;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.cluster.NodeId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One instance of the cluster. It stands for leader; while it leads it has a controller over the
 * cluster's store and drives the targets, otherwise it has none. Whoever takes over loads what was
 * acknowledged and reconciles the targets, so instances have nothing to keep in step.
 *
 * <p>Leadership says who should write; the store's epoch says who can, so that an instance that has
 * not noticed yet that it no longer leads does no harm.
 */
public final class ClusterMember implements AutoCloseable {
  /** What instances stand for leader of. */
  public static final String TOPIC = "net.sluice.controller";

  private static final Logger LOG = LoggerFactory.getLogger(ClusterMember.class);
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration MAX_RETRY = Duration.ofSeconds(30);

  /** Takes the cluster's store over; the consumer is told when it is of no more use. */
  @FunctionalInterface
  public interface StoreOpener {
    NetworkStore open(Consumer<StoreException> lost);
  }

  /** What this instance does. */
  public enum Role {
    /** Another instance leads. */
    FOLLOWER,
    /** No instance leads. */
    NO_LEADER,
    /** This instance is to lead and has not managed to yet. */
    TAKING_OVER,
    /** This instance leads. */
    LEADER,
    /** It takes no more part. */
    CLOSED
  }

  /**
   * Where this instance stands.
   *
   * @param role what it does
   * @param leader who leads, if anyone does
   * @param since since when that is so
   * @param detail why it has not taken over yet
   * @param next when it tries again
   */
  public record Standing(
      Role role,
      Optional<NodeId> leader,
      Instant since,
      Optional<String> detail,
      Optional<Instant> next) {}

  private final NodeId self;
  private final LeadershipService leadership;
  private final StoreOpener stores;
  private final Function<NetworkStore, Controller> controllers;
  private final Consumer<Controller> onLeading;
  private final Scheduler scheduler;
  private final Clock clock;
  private final LeadershipEventListener listener = this::heard;

  // Used by the scheduler's tasks only.
  private final Backoff backoff = new Backoff(FIRST_RETRY, MAX_RETRY);
  private String lastReason = "";
  private int term;

  // Written with this object's lock held, because it may be closed at any time.
  private volatile Controller controller;
  private volatile Standing standing;

  /**
   * An instance that does nothing until {@link #start}.
   *
   * @param controllers opens a controller over a store, which it closes with it
   * @param onLeading is told each such controller once this instance leads with it
   * @param scheduler what happens to this instance happens on it; closed with this
   */
  public ClusterMember(
      NodeId self,
      LeadershipService leadership,
      StoreOpener stores,
      Function<NetworkStore, Controller> controllers,
      Consumer<Controller> onLeading,
      Scheduler scheduler,
      Clock clock) {
    this.self = self;
    this.leadership = leadership;
    this.stores = stores;
    this.controllers = controllers;
    this.onLeading = onLeading;
    this.scheduler = scheduler;
    this.clock = clock;
    standing = standing(Role.NO_LEADER, Optional.empty());
  }

  /** Stands for leader. */
  public void start() {
    leadership.addListener(listener);
    leadership.runForLeadership(TOPIC);
    scheduler.execute(this::follow);
  }

  private void heard(LeadershipEvent event) {
    if (event.subject().topic().equals(TOPIC)) {
      scheduler.execute(this::follow);
    }
  }

  /** The controller, if this instance leads. */
  public Optional<Controller> controller() {
    return Optional.ofNullable(controller);
  }

  /** Where this instance stands. */
  public Standing standing() {
    return standing;
  }

  /**
   * The controller.
   *
   * @throws ControllerException if this instance does not lead; says who does, since when, and what
   *     happens next
   */
  public Controller requireController() {
    Controller leading = controller;
    if (leading != null) {
      return leading;
    }
    throw new ControllerException(explain(standing));
  }

  private static String explain(Standing now) {
    String since = " since " + now.since();
    return switch (now.role()) {
      case FOLLOWER ->
          "instance "
              + now.leader().map(NodeId::toString).orElse("unknown")
              + " of the cluster leads"
              + since
              + "; ask it";
      case NO_LEADER ->
          "no instance of the cluster leads"
              + since
              + "; one takes over as soon as a majority of the cluster is up";
      case TAKING_OVER, LEADER ->
          "this instance is taking over"
              + since
              + now.detail().map(why -> ": " + why).orElse("")
              + now.next().map(at -> "; next attempt at " + at).orElse("");
      case CLOSED -> "this instance takes no more part" + since;
    };
  }

  /** Makes the controller follow the leadership. */
  private void follow() {
    if (standing.role() == Role.CLOSED) {
      return;
    }
    NodeId leader = leadership.getLeader(TOPIC);
    if (self.equals(leader)) {
      if (controller == null) {
        takeOver();
      }
      return;
    }
    backoff.reset();
    term++;
    stop();
    Role role = leader == null ? Role.NO_LEADER : Role.FOLLOWER;
    Optional<NodeId> other = Optional.ofNullable(leader);
    if ((standing.role() != role || !standing.leader().equals(other))
        && stand(standing(role, other))) {
      LOG.info("{}", explain(standing));
    }
  }

  /** Stands so from now on, unless it was closed meanwhile. */
  private synchronized boolean stand(Standing next) {
    if (standing.role() == Role.CLOSED) {
      return false;
    }
    standing = next;
    return true;
  }

  /** Leads with that controller from now on, unless it was closed meanwhile. */
  private synchronized boolean lead(Controller opened) {
    if (!stand(standing(Role.LEADER, Optional.of(self)))) {
      return false;
    }
    controller = opened;
    return true;
  }

  private void takeOver() {
    int attempt = ++term;
    if (standing.role() != Role.TAKING_OVER) {
      stand(standing(Role.TAKING_OVER, Optional.of(self)));
    }
    NetworkStore store = null;
    Controller opened;
    try {
      store = stores.open(reason -> scheduler.execute(() -> lost(attempt, reason)));
      opened = controllers.apply(store);
    } catch (ControllerException | InvalidValueException e) {
      giveUp(store);
      retry(e.getMessage(), e);
      return;
    } catch (RuntimeException | Error e) {
      // An unforeseen failure, a class that cannot be loaded as much as a mistake: left alone it
      // would
      // end the task only, and nothing would ever be tried again.
      giveUp(store);
      retry("given up: " + e, e);
      return;
    }
    if (!lead(opened)) {
      opened.close();
      return;
    }
    backoff.reset();
    lastReason = "";
    LOG.info("this instance leads");
    onLeading.accept(opened);
  }

  private static void giveUp(NetworkStore store) {
    if (store != null) {
      store.close();
    }
  }

  private void retry(String words, Throwable reason) {
    Duration wait = backoff.next();
    Standing next =
        new Standing(
            Role.TAKING_OVER,
            Optional.of(self),
            standing.since(),
            Optional.of(words),
            Optional.of(clock.instant().plus(wait)));
    if (stand(next)) {
      if (words.equals(lastReason)) {
        LOG.debug("{}", explain(next), reason);
      } else if (reason instanceof ControllerException || reason instanceof InvalidValueException) {
        LOG.warn("{}", explain(next));
      } else {
        LOG.warn("{}", explain(next), reason);
      }
      lastReason = words;
      scheduler.schedule(wait, this::follow);
    }
  }

  /** The store of a term is of no more use. */
  private void lost(int ofTerm, StoreException reason) {
    if (ofTerm != term || standing.role() == Role.CLOSED) {
      return;
    }
    stop();
    stand(standing(Role.TAKING_OVER, Optional.of(self)));
    if (self.equals(leadership.getLeader(TOPIC))) {
      retry(reason.getMessage(), reason);
    } else {
      follow();
    }
  }

  private void stop() {
    Controller old;
    synchronized (this) {
      old = controller;
      controller = null;
    }
    if (old != null) {
      old.close();
    }
  }

  private Standing standing(Role role, Optional<NodeId> leader) {
    return new Standing(role, leader, clock.instant(), Optional.empty(), Optional.empty());
  }

  /** Gives up leading, so that another instance takes over. */
  @Override
  public void close() {
    leadership.removeListener(listener);
    stand(standing(Role.CLOSED, Optional.empty()));
    stop();
    leadership.withdraw(TOPIC);
    scheduler.close();
  }
}
