package net.sluice.core.status;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import net.sluice.core.TargetStatus;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.StateDelta;

/**
 * The operations of a shard on the declarations of one kind; one implementation a kind. Whoever
 * calls holds the memory, except for what is read from the store.
 */
public interface KindHandler {
  /** The declaration in force with that id. */
  Optional<? extends Declaration> find(String id);

  /** Number of declarations in force. */
  int count();

  /** The declaration in the store with that id. */
  Optional<? extends Declaration> stored(String id);

  /**
   * Passes on declarations in the store, in the order of their ids.
   *
   * @param afterId where to begin: the first has a greater id; "" for the beginning
   * @param skip number of declarations to leave out from there
   * @param limit most declarations to pass on
   */
  void scan(String afterId, long skip, int limit, Consumer<? super Declaration> out);

  /**
   * Status at each target that has to hold something for the declaration; empty if there is none
   * with that id.
   */
  List<TargetStatus> status(String id);

  /** The id of the declaration with that index, slot or number; empty if it is gone. */
  Optional<String> idOf(int number);

  /** Begins to keep the status of every declaration in force; nothing is known of it yet. */
  void trackAll();

  /**
   * Begins or ends to keep the status of a declaration that is put or deleted.
   *
   * @param number index, slot or number of the rate limit
   */
  void follow(StateDelta delta, int number);

  /** The BNG port that a declaration is for, if it is for one. */
  default OptionalInt bngPort(Declaration declaration) {
    return OptionalInt.empty();
  }

  /** The owner of its writes (see {@link OwnerIds}) by index, slot or number. */
  int owner(int number);
}
