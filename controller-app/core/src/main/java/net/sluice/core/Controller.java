package net.sluice.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import net.sluice.core.declaration.Exported;
import net.sluice.core.declaration.TariffProgress;
import net.sluice.core.traffic.CountedSwitch;
import net.sluice.core.traffic.DropStatus;
import net.sluice.core.traffic.NextHopStatus;
import net.sluice.core.traffic.QueueStatus;
import net.sluice.core.traffic.Sharing;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SwitchReadings;
import net.sluice.core.traffic.UnknownStatus;
import net.sluice.core.traffic.WireStatus;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Refusal;

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
   * @throws UnavailableException if the store takes no changes, or a target's queue has been full
   *     for {@link ControllerConfig#roomWait}; nothing has changed, unless the store failed with
   *     this very change: whether that is kept then shows when the store is next opened
   * @throws ControllerException if the controller fails otherwise; nothing has changed
   */
  Outcome apply(Change change);

  /** The answer that {@link #apply} would give now; changes nothing. */
  Outcome dryRun(Change change);

  /**
   * Applies changes in order; each is accepted or refused on its own. They become durable in groups
   * of at most {@link ControllerConfig#bulkCommitChanges} changes and about {@link
   * ControllerConfig#commitWrites} entity writes. Waits while a target's queue is full, as long as
   * the target gets on.
   *
   * <p>In a network, a switch that has no room for long leaves its own changes {@link
   * Outcome.Unmade}; those at other switches are made.
   *
   * @param out told one outcome per change, in order, each when its change is durable; called on
   *     the caller's thread, and may block it
   * @throws ControllerException as in {@link #apply}; changes of which {@code out} was told are
   *     durable, and none after them was begun but those of one group
   */
  void applyAll(List<Change> changes, Consumer<? super Outcome> out);

  /** As {@link #applyAll(List, Consumer)}; all outcomes in order. */
  default List<Outcome> applyAll(List<Change> changes) {
    List<Outcome> outcomes = new ArrayList<>(changes.size());
    applyAll(changes, outcomes::add);
    return outcomes;
  }

  /** Most changes of {@link #applyTogether}. */
  int MOST_TOGETHER = 10_000;

  /**
   * Applies changes that come into force together or not at all, over several switches too, with
   * one commit. Each is admitted against the state that all of them lead to: their order does not
   * matter. A declaration is put once, deleted once, or both, which puts it anew.
   *
   * @param changes at most {@link #MOST_TOGETHER}
   * @param dryRun whether only to tell what would become of them
   * @throws ControllerException as in {@link #apply}
   */
  SetOutcome applyTogether(List<Change> changes, boolean dryRun);

  /** How far the change of a tariff is at the switches that plan it now; empty if none does. */
  default Optional<TariffProgress> progress(String tariffId) {
    return Optional.empty();
  }

  /**
   * The outcome that {@link #applyTogether} would have now, and what the switches would share then;
   * changes nothing.
   *
   * @param changes at most {@link #MOST_TOGETHER}, perhaps none
   * @param look given the sharing at each switch, if all are accepted; once more if others change
   *     what is declared meanwhile, of which the last time counts
   */
  SetOutcome suppose(List<Change> changes, Consumer<List<Sharing>> look);

  /** The declaration in force of that kind and identifier. */
  Optional<Declared> find(Kind kind, String id);

  /**
   * The rate limit in force of exactly that scope; there is at most one.
   *
   * @param switchName the switch that the scope's numbers are of; empty for the only one
   */
  Optional<Declared> rateLimitOf(Scope scope, Optional<String> switchName);

  /**
   * Declarations of one kind by identifier. Whoever goes on after {@link Page#next} until the end
   * is told each declaration once that is asked for and in force all the while, wherever it moves;
   * of what comes and goes meanwhile, what is there when its page is read. A page may have fewer
   * items than asked for, even none, before the end: only so many declarations are looked at.
   *
   * @param afterId the identifier after which to begin; "" for the beginning
   * @param limit most items, 1 to {@link Page#MAX_LIMIT}
   */
  Page list(Kind kind, Selection which, String afterId, int limit);

  /**
   * Identifiers that begin with {@code prefix}, in order.
   *
   * @param prefix the beginning; "" for any
   * @param limit most identifiers, 1 to {@link Page#MAX_LIMIT}
   */
  List<String> ids(Kind kind, String prefix, int limit);

  /**
   * Passes on all declarations in force in the form in which they can be put again: policies, then
   * subscribers, then rate limits, each by identifier. All are of one moment, where the store can
   * be read so; changes go on meanwhile.
   *
   * @throws ControllerException if the store cannot be read
   */
  void export(Consumer<? super Exported> out);

  /**
   * Copies the store as it is at one moment; changes go on meanwhile.
   *
   * @throws ControllerException if it cannot be copied
   */
  StoreBackup backUp();

  /**
   * Reads a subscriber's counters from the switch; no thread waits for it.
   *
   * @return empty if there is no such subscriber; fails with {@link ControllerException} if the
   *     switch cannot be read
   */
  CompletableFuture<Optional<SubscriberCounters>> counters(String subscriberId);

  /** The switches by now, for reading the counters of all their subscribers. */
  List<CountedSwitch> counted();

  /** The sharing of the subscribers of each switch, in the order of the switches. */
  List<Sharing> sharing();

  /**
   * The class queues whose delay is managed, by port and queue, with counters read from the
   * switches; no thread waits for them.
   *
   * @return fails with {@link ControllerException} if the store cannot be read
   */
  CompletableFuture<SwitchReadings<QueueStatus>> queues();

  /**
   * The packets that each switch has dropped, by switch and reason, read from the switches; no
   * thread waits for them.
   */
  CompletableFuture<SwitchReadings<DropStatus>> drops();

  /**
   * The ends of wires, by switch and wire, with what belongs to no subscriber there, read from the
   * switches; no thread waits for them.
   */
  CompletableFuture<SwitchReadings<WireStatus>> wires();

  /**
   * The next hops that are given by their IP addresses, by switch and port; what was dropped for
   * want of them is read from the switches. No thread waits for them.
   */
  CompletableFuture<SwitchReadings<NextHopStatus>> nextHops();

  /**
   * The traffic of addresses that no subscriber has, by switch and port; read already.
   *
   * @return in {@code unread} the switches that cannot tell
   */
  CompletableFuture<SwitchReadings<UnknownStatus>> unknown();

  /** Counts per target and state, and how the store is. */
  InstallSummary summary();

  /**
   * How far one target has got, over all declarations.
   *
   * @throws Refusal NOT_FOUND if there is no such target
   */
  InstallSummary.PerTarget target(String target) throws Refusal;

  /** Whether changes can be kept. */
  StoreHealth storeHealth();

  /**
   * A write to the store has failed that is no change's: it takes no changes until it has been
   * opened again.
   *
   * @param reason for people, a clause
   */
  void storeFailed(String reason);

  /** Everything without which changes are refused. */
  ChangeNeeds needs();

  /** The switches, each with its ports and how full it is; at least one. */
  List<SwitchStatus> switches();

  /**
   * The declarations that are stored and not in force, by switch, kind and id.
   *
   * @param limit most of them, 1 to {@link Page#MAX_LIMIT}
   */
  List<Conflict> conflicts(int limit);

  /** Number of {@link #conflicts}. */
  long conflicts();

  /**
   * Declares what a conflict is about at its switch, as {@link #apply} would; if that is accepted
   * the conflict is over.
   *
   * @throws Refusal NOT_FOUND if there is no such conflict
   */
  Outcome declareConflict(String switchName, Kind kind, String id) throws Refusal;

  /**
   * Forgets what is stored and not in force; what is in force stays.
   *
   * @throws Refusal NOT_FOUND if there is no such conflict
   */
  void forgetConflict(String switchName, Kind kind, String id) throws Refusal;

  /** Notes for people about all of it: schedules that cannot be followed. */
  default List<String> notes() {
    return List.of();
  }

  /** Switches that could not be taken into the network as it was opened, with the reason. */
  Map<String, String> leftOut();

  /**
   * Tells when every target that has to hold something for the declaration holds it. No thread
   * waits meanwhile; what follows must not block, or leave the thread that completes this.
   *
   * @return true as soon as that is so; false if {@code timeout} passes, there is no such
   *     declaration by then, or the controller is closed
   */
  CompletableFuture<Boolean> whenInstalled(Kind kind, String id, Duration timeout);

  /**
   * The targets that still hold a part of a declaration that was deleted: one element per target,
   * {@code PENDING} or {@code FAILED}. Empty when nothing is left, if it is declared again, and if
   * this controller did not delete it since it was opened.
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

  /**
   * Has one target read back and corrected; returns at once, as {@link #reconcile}.
   *
   * @throws Refusal NOT_FOUND if there is no such target, CONFLICT if it has no session
   */
  void reconcile(String target) throws Refusal;

  /**
   * Has a target corrected that the controller refuses to correct for what that deletes there;
   * returns at once.
   *
   * @throws Refusal NOT_FOUND if there is no such target, CONFLICT if nothing is refused there
   */
  void adopt(String target) throws Refusal;

  /**
   * How a target differed from the declarations when it was last compared with them, and what has
   * become of the repairs.
   *
   * @throws Refusal NOT_FOUND if there is no such target
   */
  TargetDrift drift(String target) throws Refusal;

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
