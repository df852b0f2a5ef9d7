package net.sluice.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;

/**
 * The controller: accepts changes, keeps them, installs them at the targets, keeps them installed
 * and tells how far it has got.
 *
 * <p>All methods may be called from any thread. Changes are applied one after the other in one
 * order, and each sees those before it.
 */
public interface Controller extends AutoCloseable {
  /**
   * Applies one change. When this returns {@link Outcome.Accepted} the change is durable; the
   * targets follow, see {@link #whenInstalled}.
   *
   * @throws ControllerException if the store fails; whether the change is kept then shows when the
   *     store is next opened
   */
  Outcome apply(Change change);

  /** What {@link #apply} would answer now; changes nothing. */
  Outcome dryRun(Change change);

  /**
   * Applies changes in order; each is accepted or refused on its own. All those accepted become
   * durable together, with one commit per {@link ControllerConfig#bulkCommitChanges} changes,
   * before this returns. Blocks while a target's queue is full.
   *
   * @return one outcome per change, in order
   * @throws ControllerException if the store fails, as in {@link #apply}
   */
  List<Outcome> applyAll(List<Change> changes);

  /** The declaration in force of that kind and identifier. */
  Optional<Declared> find(Kind kind, String id);

  /** The rate limit in force of exactly that scope; there is at most one. */
  Optional<Declared> rateLimitOf(Scope scope);

  /**
   * Declarations of one kind by identifier.
   *
   * @param offset number to leave out, 0 or more
   * @param limit most items, 1 to {@link Page#MAX_LIMIT}
   */
  Page list(Kind kind, long offset, int limit);

  /**
   * Identifiers that begin with {@code prefix}, in order.
   *
   * @param prefix the beginning; "" for any
   * @param limit most identifiers, 1 to {@link Page#MAX_LIMIT}
   */
  List<String> ids(Kind kind, String prefix, int limit);

  /**
   * Reads a subscriber's counters from the switch; empty if there is no such subscriber.
   *
   * @throws ControllerException if the switch cannot be read
   */
  Optional<SubscriberCounters> counters(String subscriberId);

  /** Counts per target and state, and how the store is. */
  InstallSummary summary();

  /** Whether changes can be kept. */
  StoreHealth storeHealth();

  /** What is known of the switch's ports; empty if nothing tells of them. */
  default Optional<PortSummary> ports() {
    return Optional.empty();
  }

  /** How full the switch is: one element per resource that declarations use up. */
  List<TableUse> tableUse();

  /**
   * Tells when every target that has to hold something for the declaration holds it. No thread
   * waits meanwhile; what follows must not block, or leave the thread that completes this.
   *
   * @return true as soon as that is so; false if {@code timeout} passes, there is no such
   *     declaration by then, or the controller is closed
   */
  CompletableFuture<Boolean> whenInstalled(Kind kind, String id, Duration timeout);

  /**
   * What targets still hold of a declaration that was deleted: one element per target, {@code
   * PENDING} or {@code FAILED}. Empty when nothing is left, if it is declared again, and if this
   * controller did not delete it since it was opened.
   */
  List<TargetStatus> remaining(Kind kind, String id);

  /**
   * Tells when no target holds anything of a deleted declaration any more, as {@link
   * #whenInstalled} does for one in force.
   *
   * @return true as soon as {@link #remaining} is empty; false if {@code timeout} passes or the
   *     controller is closed
   */
  CompletableFuture<Boolean> whenGone(Kind kind, String id, Duration timeout);

  /**
   * Waits until every target holds everything that was accepted.
   *
   * @return true if so, false if the time is up
   */
  boolean awaitAllInstalled(Duration timeout) throws InterruptedException;

  /**
   * Has every connected target read back and corrected. Returns at once; {@link
   * ControllerEvent.Reconciled} tells the end, and {@link #awaitAllInstalled} waits for it.
   */
  void reconcile();

  /** Registers a listener until the returned handle is closed. */
  Registration listen(ControllerListener listener);

  /** Ends the sessions and closes the store. What was accepted stays. */
  @Override
  void close();

  /** Undoes a registration. */
  interface Registration extends AutoCloseable {
    @Override
    void close();
  }
}
