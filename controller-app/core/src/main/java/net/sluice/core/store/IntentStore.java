package net.sluice.core.store;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;

/**
 * Keeps declarations and what was allocated to them.
 *
 * <p>Reads may run beside each other and beside one {@link #commit}; each sees either all or
 * nothing of a commit to the record it reads. Every method throws {@link StoreException} if the
 * store fails.
 */
public interface IntentStore extends AutoCloseable {
  /** A number made at random when the store was created, which tells it from all others. Not 0. */
  long identity();

  /** The commits for this switch that are durable here. Reads nothing, and never fails. */
  StoreHistory history();

  /**
   * Whether the store has that commit, for this switch or for another one: a switch may be driven
   * by another name than before. Reads nothing, and never fails.
   */
  default boolean has(Revision revision) {
    return history().has(revision);
  }

  /**
   * The last commit that this process knows the store to have had, which is not in {@link #history}
   * if the store has gone back meanwhile. Never fails.
   */
  default Revision furthest() {
    return history().revision();
  }

  /** The store counts as it is: {@link #furthest} is its last commit. */
  default void accept() {}

  /** Whether no declaration is kept. */
  default boolean isEmpty() {
    return Arrays.stream(Kind.values()).allMatch(kind -> scan(kind, "", 0, 1, each -> {}) == 0);
  }

  /**
   * Makes a batch durable, all of it or nothing; when this returns it survives a crash. With it go
   * the records of what it announces, see {@link NetworkStore#recordChanges}. An {@link
   * StoreBatch#isEmpty empty} one is no commit: its records are only appended.
   */
  void commit(StoreBatch batch);

  /**
   * Brings the store back after a failure, so that it can be written; what can be read then may or
   * may not have the batch with which it failed. What was committed can be read meanwhile, and also
   * if this fails.
   */
  void reopen();

  /** The subscriber with that id. */
  Optional<SubscriberState> subscriber(String id);

  /** The policy with that id. */
  Optional<PolicyState> policy(String id);

  /** The rate limit with that id. */
  Optional<RateLimit> rateLimit(String id);

  /** The tariff with that id. */
  Optional<Tariff> tariff(String id);

  /**
   * Passes on the records of a kind in the order of their ids.
   *
   * @param afterId where to begin: the first has a greater id; "" for the beginning
   * @param skip number of records to leave out from there
   * @param limit most records to pass on
   * @return number passed on
   */
  int scan(Kind kind, String afterId, long skip, int limit, Consumer<? super StoredRecord> out);

  /** Passes on subscribers, as {@link #scan}. */
  default int scanSubscribers(
      String afterId, long skip, int limit, Consumer<? super SubscriberState> out) {
    return scan(Kind.SUBSCRIBER, afterId, skip, limit, record -> out.accept(record.subscriber()));
  }

  /** Passes on policies, as {@link #scan}. */
  default int scanPolicies(
      String afterId, long skip, int limit, Consumer<? super PolicyState> out) {
    return scan(Kind.POLICY, afterId, skip, limit, record -> out.accept(record.policy()));
  }

  /** Passes on rate limits, as {@link #scan}. */
  default int scanRateLimits(
      String afterId, long skip, int limit, Consumer<? super RateLimit> out) {
    return scan(Kind.RATE_LIMIT, afterId, skip, limit, record -> out.accept(record.rateLimit()));
  }

  /** Passes on tariffs, as {@link #scan}. */
  default int scanTariffs(String afterId, long skip, int limit, Consumer<? super Tariff> out) {
    return scan(Kind.TARIFF, afterId, skip, limit, record -> out.accept(record.tariff()));
  }

  @Override
  void close();
}
