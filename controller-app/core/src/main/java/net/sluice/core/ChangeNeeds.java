package net.sluice.core;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Everything without which changes are refused, in one list: the store, and what hosts add to it.
 * Refusals, readiness, status and metrics all ask it, so that none of them says otherwise than the
 * others. Thread-safe.
 */
public final class ChangeNeeds {
  /** The name of the need for the store. */
  public static final String STORE = "store";

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final Supplier<StoreHealth> store;
  private final List<Need> added = new CopyOnWriteArrayList<>();

  /** Something without which changes are refused. */
  public interface Need {
    /** Its name, the same for ever: lower case letters and hyphens. */
    String name();

    /** The lack of it; empty if there is none. Answers at once. */
    Optional<Lack> lack();
  }

  /**
   * Something that changes need and that is not there.
   *
   * @param need its name
   * @param reason for people, a clause
   */
  public record Lack(String need, String reason) {}

  /** Changes need {@code store} to be writable. */
  public ChangeNeeds(Supplier<StoreHealth> store) {
    this.store = store;
  }

  /** From now on changes need that, too. */
  public void add(Need need) {
    added.add(need);
  }

  /** All needs by name, each with the lack of it. */
  public Map<String, Optional<Lack>> all() {
    Map<String, Optional<Lack>> all = new LinkedHashMap<>();
    all.put(
        STORE,
        store.get() instanceof StoreHealth.Failed failed
            ? Optional.of(
                new Lack(
                    STORE,
                    "the store takes no changes since "
                        + failed.since().truncatedTo(ChronoUnit.MILLIS)
                        + ": "
                        + failed.reason()))
            : Optional.empty());
    added.forEach(need -> all.put(need.name(), need.lack()));
    return all;
  }

  /** Everything that is not there. */
  public List<Lack> lacks() {
    List<Lack> lacks = new ArrayList<>();
    all().values().forEach(each -> each.ifPresent(lacks::add));
    return lacks;
  }

  /**
   * Refuses a change while something is missing. The store is asked by the change itself, at the
   * switch that it is for.
   *
   * @throws UnavailableException names the first that is missing
   */
  public void require() {
    for (Need need : added) {
      Optional<Lack> lack = need.lack();
      if (lack.isPresent()) {
        throw new UnavailableException(
            lack.get().reason() + "; nothing is changed until then", RETRY_AFTER);
      }
    }
  }
}
