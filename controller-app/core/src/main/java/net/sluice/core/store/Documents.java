package net.sluice.core.store;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;

/**
 * Documents by name. What a method has written outlives the death of the machine when it returns.
 *
 * <p>Thread-safe. Every method throws {@link StoreException} if the store fails, or if another
 * process writes it by now.
 */
public interface Documents {
  /** The version of a document that is not there. */
  long ABSENT = 0;

  /**
   * A document.
   *
   * @param version another one after each change; never {@link #ABSENT}
   */
  record Stored(byte[] bytes, long version) {}

  /** The most bytes that a document may have. */
  int maxBytes();

  /** The names of all documents. */
  SortedSet<String> names();

  /** The document of a name: 1 to 128 characters of ASCII without control characters. */
  Optional<Stored> get(String name);

  /**
   * Writes a document if its version is the expected one. If this fails by {@link StoreException}
   * it may have been written all the same; that holds for all methods that write.
   *
   * @param expected {@link #ABSENT} for a document that is new
   * @return its version then; empty if it has another version
   * @throws IllegalArgumentException if it has more than {@link #maxBytes}, or the name is none
   */
  OptionalLong put(String name, byte[] bytes, long expected);

  /** Writes a document. One of that name is replaced, in any version. */
  void put(String name, byte[] bytes);

  /** Deletes a document if its version is the expected one; false if it has another one. */
  boolean delete(String name, long expected);

  /** Deletes a document; there may be none. */
  void delete(String name);

  /** Whether a document may have that name. */
  static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= 128
        && name.chars().allMatch(each -> each >= ' ' && each <= '~');
  }

  /**
   * Refuses what is no name of a document, and what is too large for one.
   *
   * @throws IllegalArgumentException if so
   */
  static void require(String name, byte[] bytes, int maxBytes) {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "name is \"%s\"; allowed: 1 to 128 characters of ASCII without control characters"
              .formatted(name));
    }
    if (bytes.length > maxBytes) {
      throw new IllegalArgumentException(
          "document \"%s\" has %d bytes; allowed: 0 to %d".formatted(name, bytes.length, maxBytes));
    }
  }
}
