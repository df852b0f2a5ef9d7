package net.sluice.onos.cluster;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.UnavailableException;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreException;
import net.sluice.core.time.Backoff;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.value.InvalidValueException;
import org.onosproject.cluster.Leader;
import org.onosproject.cluster.Leadership;
import org.onosproject.cluster.LeadershipEvent;
import org.onosproject.cluster.LeadershipEventListener;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.service.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One instance of the cluster. It stands for leader; while it leads it has a controller over the
 * cluster's store and drives the targets, otherwise it has none. Whoever takes over loads what was
 * acknowledged and reconciles the targets, so instances have nothing to keep in step.
 *
 * <p>A candidacy ends with the instance's session with the cluster's storage: when the storage is
 * silent or restarted, or this process was frozen. ONOS neither renews it nor tells of its end. So
 * the instance stands anew every {@value #RENEWAL_SECONDS} seconds, which changes nothing while its
 * candidacy is in force.
 *
 * <p>Leadership says who should write; the store's epoch says who can, so that an instance that has
 * not noticed yet that it no longer leads does no harm. Where leadership changes hands quickly, one
 * that was to lead in between may take the store over last: so the leader asks the store at each
 * renewal whether it still may write.
 */
public final class ClusterMember implements AutoCloseable {
  /** The topic that instances stand for leader of. */
  public static final String TOPIC = "net.sluice.controller";

  private static final Logger LOG = LoggerFactory.getLogger(ClusterMember.class);
  private static final String SILENT = "the cluster's storage does not answer";
  private static final int RENEWAL_SECONDS = 5;
  private static final Duration RENEWAL = Duration.ofSeconds(RENEWAL_SECONDS);
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

  /** Takes the cluster's store over; the consumer is told when it is of no more use. */
  @FunctionalInterface
  public interface StoreOpener {
    NetworkStore open(Consumer<StoreException> lost);
  }

  /** The role of this instance. */
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
   * @param detail why it has not taken over yet, or why nobody is known to lead
   * @param next when it tries to take over again
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
  private final Function<NetworkStore, ? extends Led> opener;
  private final Consumer<Controller> onLeading;
  private final Scheduler scheduler;
  private final Clock clock;
  private final LeadershipEventListener listener = this::heard;

  /** Held while this instance stands or withdraws, so that it does not stand after it is closed. */
  private final Object candidacy = new Object();

  // Used by the scheduler's tasks only.
  private final Backoff backoff = new Backoff(FIRST_RETRY, RENEWAL);
  private String lastReason = "";
  private int term;
  private boolean retryIsDue;
  private NetworkStore leadingWith;

  // Written with this object's lock held, because it may be closed at any time.
  private volatile Led led;
  private volatile Standing standing;

  /**
   * An instance that does nothing until {@link #start}.
   *
   * @param opener opens a controller over a store, which it closes with it
   * @param onLeading is told each such controller once this instance leads with it
   * @param scheduler what happens to this instance happens on it; closed with this
   */
  public ClusterMember(
      NodeId self,
      LeadershipService leadership,
      StoreOpener stores,
      Function<NetworkStore, ? extends Led> opener,
      Consumer<Controller> onLeading,
      Scheduler scheduler,
      Clock clock) {
    this.self = self;
    this.leadership = leadership;
    this.stores = stores;
    this.opener = opener;
    this.onLeading = onLeading;
    this.scheduler = scheduler;
    this.clock = clock;
    standing = standing(Role.NO_LEADER, Optional.empty());
  }

  /** Stands for leader from now on; does not wait for the cluster's storage. */
  public void start() {
    leadership.addListener(listener);
    scheduler.execute(this::renew);
  }

  private void renew() {
    ask(this::standForLeader);
    scheduler.schedule(RENEWAL, this::renew);
  }

  private Leadership standForLeader() {
    synchronized (candidacy) {
      return standing.role() == Role.CLOSED ? null : leadership.runForLeadership(TOPIC);
    }
  }

  private void heard(LeadershipEvent event) {
    if (event.subject().topic().equals(TOPIC)) {
      scheduler.execute(this::follow);
    }
  }

  private void follow() {
    ask(() -> leadership.getLeadership(TOPIC));
  }

  /**
   * Asks the cluster's storage who leads, and follows the answer. Without an answer this instance
   * goes on as it is: if it leads, the store's epoch says whether it still may write.
   */
  private void ask(Supplier<Leadership> question) {
    Leadership answer;
    try {
      answer = question.get();
    } catch (StorageException e) {
      LOG.debug("the cluster does not tell who leads", e);
      unanswered();
      return;
    }
    follow(answer == null ? null : answer.leader());
  }

  private void unanswered() {
    Role role = standing.role();
    boolean tries = role == Role.TAKING_OVER && !retryIsDue;
    if (role != Role.NO_LEADER && !tries) {
      return;
    }
    boolean known = standing.detail().isPresent();
    Standing next =
        new Standing(
            role,
            standing.leader(),
            standing.since(),
            standing.detail().or(() -> Optional.of(SILENT)),
            tries ? Optional.of(clock.instant().plus(RENEWAL)) : Optional.empty());
    if (stand(next) && !known) {
      LOG.warn("{}", explain(next));
    }
  }

  /** The controller, if this instance leads. */
  public Optional<Controller> controller() {
    return Optional.ofNullable(led).map(Led::controller);
  }

  /** Where this instance stands. */
  public Standing standing() {
    return standing;
  }

  /** True if this instance leads or is to lead, as far as it knows; never waits. */
  public boolean leads() {
    Role role = standing.role();
    return role == Role.LEADER || role == Role.TAKING_OVER;
  }

  /**
   * The services of this instance as it leads.
   *
   * @throws UnavailableException if it does not lead; says who does, since when, and what happens
   *     next
   */
  public Led require() {
    Led leading = led;
    if (leading != null) {
      return leading;
    }
    throw new UnavailableException(explain(standing), RENEWAL);
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
              + now.detail().map(why -> ": " + why).orElse("")
              + "; each that is up stands for leader every "
              + RENEWAL_SECONDS
              + " s";
      case TAKING_OVER, LEADER ->
          "this instance is taking over"
              + since
              + now.detail().map(why -> ": " + why).orElse("")
              + now.next().map(at -> "; next attempt at " + at).orElse("");
      case CLOSED -> "this instance takes no more part" + since;
    };
  }

  /** Makes the controller follow the leadership; {@code leader} is null if there is none. */
  private void follow(Leader leader) {
    if (standing.role() == Role.CLOSED) {
      return;
    }
    if (leader != null && self.equals(leader.nodeId())) {
      if (led != null) {
        requireStore();
      } else if (!retryIsDue) {
        takeOver();
      }
      return;
    }
    backoff.reset();
    term++;
    stop();
    Standing next = leader == null ? standing(Role.NO_LEADER, Optional.empty()) : behind(leader);
    boolean isNews =
        standing.role() != next.role()
            || !standing.leader().equals(next.leader())
            || standing.detail().isPresent();
    if (isNews && stand(next)) {
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

  /** Leads with that from now on, unless it was closed meanwhile. */
  private synchronized boolean lead(Led opened) {
    if (!stand(standing(Role.LEADER, Optional.of(self)))) {
      return false;
    }
    led = opened;
    return true;
  }

  private void requireStore() {
    try {
      leadingWith.requireOurs();
    } catch (StoreException e) {
      // If another instance has taken over, that has been told; else this one goes on as it is.
      LOG.debug("the store is not known to be this instance's", e);
    }
  }

  private void takeOver() {
    int attempt = ++term;
    if (standing.role() != Role.TAKING_OVER) {
      stand(standing(Role.TAKING_OVER, Optional.of(self)));
    }
    NetworkStore store = null;
    Led opened;
    try {
      store = stores.open(reason -> scheduler.execute(() -> lost(attempt, reason)));
      opened = opener.apply(store);
    } catch (ControllerException | InvalidValueException e) {
      giveUp(store);
      retry(e.getMessage(), e);
      return;
    } catch (StorageException e) {
      giveUp(store);
      retry(SILENT, e);
      return;
    } catch (RuntimeException | Error e) {
      // An unforeseen failure, a class that cannot be loaded as much as a mistake: left alone it
      // would end the task only, and nothing would ever be tried again.
      giveUp(store);
      retry("given up: " + e, e);
      return;
    }
    if (!lead(opened)) {
      opened.close();
      return;
    }
    leadingWith = store;
    backoff.reset();
    lastReason = "";
    LOG.info("this instance leads");
    onLeading.accept(opened.controller());
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
      } else if (reason instanceof ControllerException
          || reason instanceof InvalidValueException
          || reason instanceof StorageException) {
        LOG.warn("{}", explain(next));
      } else {
        LOG.warn("{}", explain(next), reason);
      }
      lastReason = words;
      retryIsDue = true;
      scheduler.schedule(
          wait,
          () -> {
            retryIsDue = false;
            follow();
          });
    }
  }

  /** The store of a term is of no more use. */
  private void lost(int ofTerm, StoreException reason) {
    if (ofTerm != term || standing.role() == Role.CLOSED) {
      return;
    }
    // First, because a controller may take a while to stop where the cluster does not answer.
    stand(
        new Standing(
            Role.TAKING_OVER,
            Optional.of(self),
            clock.instant(),
            Optional.of(reason.getMessage()),
            Optional.empty()));
    stop();
    // Whoever leads by then: the next attempt asks.
    retry(reason.getMessage(), reason);
  }

  private void stop() {
    Led old;
    synchronized (this) {
      old = led;
      led = null;
    }
    if (old != null) {
      old.close();
    }
  }

  /** That of a follower; the other one may lead since long before this one hears of it. */
  private static Standing behind(Leader leader) {
    return new Standing(
        Role.FOLLOWER,
        Optional.of(leader.nodeId()),
        Instant.ofEpochMilli(leader.termStartTime()),
        Optional.empty(),
        Optional.empty());
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
    synchronized (candidacy) {
      try {
        leadership.withdraw(TOPIC);
      } catch (StorageException e) {
        LOG.warn("the cluster does not answer, so that this instance stays a candidate", e);
      }
    }
    scheduler.close();
  }
}
