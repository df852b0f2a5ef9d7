package net.sluice.core.store;

import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import net.sluice.core.StoreBackup;

/**
 * Keeps the declarations of a network's switches, those of each switch by themselves.
 *
 * <p>Thread-safe as {@link IntentStore} is; commits of different switches do not wait for each
 * other longer than the medium makes them.
 */
public interface NetworkStore extends AutoCloseable {
  /**
   * The store of one switch; closing it closes nothing.
   *
   * @param switchName name of a switch, whether or not anything is kept for it yet
   */
  IntentStore of(String switchName);

  /**
   * Makes the batches of several switches durable, all of them or nothing, as {@link
   * IntentStore#commit} does that of one; when this returns they survive a crash.
   *
   * @param batches by name of the switch
   * @throws StoreException if the store fails
   */
  void commit(Map<String, StoreBatch> batches);

  /**
   * Has everything read as of one moment, in stores that only {@code reading} uses and that see no
   * commit made since. A store that cannot do so reads what is there by then.
   *
   * @param reading is given the store of a switch by its name
   * @throws StoreException if the store cannot be read
   */
  default void atOneMoment(Consumer<Function<String, IntentStore>> reading) {
    reading.accept(this::of);
  }

  /**
   * The journal of a name, which is begun if there is none.
   *
   * @param name 1 to 32 of a to z, 0 to 9 and "-"
   * @return the same one each time
   * @throws StoreException if the store fails, or keeps no journals
   */
  Journal journal(String name);

  /**
   * The documents of a name, of which there may be none yet; others than those of another name.
   *
   * @param name as of {@link #journal}
   * @return the same ones each time
   * @throws StoreException if the store fails, or keeps no documents
   */
  Documents documents(String name);

  /**
   * Has every later commit append the records of the changes that it announces to a journal. The
   * journal has them if and only if the changes are in the store, also after a kill and with the
   * next leader. If a commit fails and is found stored later, they are there once the store is open
   * again. Changes that lead to nothing that is to be stored are recorded, too, by {@link
   * Journal#append}.
   *
   * @throws StoreException if the store fails, or keeps no journals
   */
  void recordChanges(String journal, ChangeRecords form);

  /**
   * Copies everything that is durable now; commits go on, or wait until it is copied.
   *
   * @throws StoreException if it cannot be copied
   */
  StoreBackup backUp();

  /** The switches that were declared, by name, each as a document whose form its host knows. */
  default Map<String, byte[]> switches() {
    return Map.of();
  }

  /**
   * Makes the declaration of a switch durable, or, with an empty one, its end.
   *
   * @throws StoreException if the store fails, or keeps none
   */
  default void declare(String switchName, Optional<byte[]> document) {
    throw new StoreException("this store keeps the declarations of one switch only");
  }

  /** Whether something may be kept for a switch. */
  default boolean holds(String switchName) {
    return true;
  }

  /**
   * The number of the network in which each switch was last, by name: the higher it is, the later
   * that was.
   */
  default Map<String, Long> lastSeen() {
    return Map.of();
  }

  /**
   * Makes {@link #lastSeen} durable.
   *
   * @throws StoreException if the store fails
   */
  default void lastSeen(Map<String, Long> numbers) {}

  /**
   * Finds out without a commit whether another process has taken the store over, of a store that
   * several share.
   *
   * @throws StoreException if one has, or the store does not answer
   */
  default void requireOurs() {}

  @Override
  void close();

  /** An identity for a store that has none yet, which is not 0: 8 bytes. */
  static byte[] drawIdentity() {
    byte[] drawn = new byte[Long.BYTES];
    new SecureRandom().nextBytes(drawn);
    drawn[0] |= 1;
    return drawn;
  }

  /**
   * Refuses what is no name of a journal or of documents.
   *
   * @throws IllegalArgumentException if so
   */
  static void requireName(String name) {
    if (!name.matches("[a-z0-9-]{1,32}")) {
      throw new IllegalArgumentException(
          "name is \"" + name + "\"; allowed: 1 to 32 of a to z, 0 to 9 and \"-\"");
    }
  }

  /**
   * The store of a network that always has one switch, of any name; it has no journals and no
   * documents.
   */
  static NetworkStore ofOne(IntentStore store) {
    return new NetworkStore() {
      @Override
      public IntentStore of(String switchName) {
        return store;
      }

      @Override
      public void commit(Map<String, StoreBatch> batches) {
        if (batches.size() > 1) {
          throw new StoreException("this store keeps the declarations of one switch only");
        }
        batches.values().forEach(store::commit);
      }

      @Override
      public Journal journal(String name) {
        throw new StoreException("the store of a single switch keeps no journal: " + name);
      }

      @Override
      public Documents documents(String name) {
        throw new StoreException("the store of a single switch keeps no documents: " + name);
      }

      @Override
      public void recordChanges(String journal, ChangeRecords form) {
        throw new StoreException("the store of a single switch keeps no journal: " + journal);
      }

      @Override
      public StoreBackup backUp() {
        throw new StoreException("the store of a single switch is not copied");
      }

      @Override
      public boolean holds(String switchName) {
        return false;
      }

      @Override
      public void close() {
        store.close();
      }
    };
  }
}
