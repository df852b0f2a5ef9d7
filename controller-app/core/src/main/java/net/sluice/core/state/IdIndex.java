package net.sluice.core.state;

/**
 * Subscriber ids by subscriber index and back. Per subscriber: 11 to 22 bytes of hash beside its
 * {@link IdTexts}. Not thread-safe.
 */
public final class IdIndex {
  private final IdTexts texts = new IdTexts();
  private final SlotHash hash =
      new SlotHash() {
        @Override
        int hashOf(int number) {
          return texts.hashOf(number);
        }
      };

  /** The index of {@code id}, or 0. */
  public int find(String id) {
    return hash.find(IdTexts.hash(id), index -> texts.holds(index, IdTexts.bytesOf(id)));
  }

  /** The id of an index in use. */
  public String id(int index) {
    return texts.id(index);
  }

  /** Gives an index without an id one. */
  public void put(String id, int index) {
    texts.put(id, index);
    hash.add(index);
  }

  /** Takes an index its id away. */
  public void remove(int index) {
    hash.remove(index);
    texts.remove(index);
  }

  /** Bytes of its arrays. */
  public long bytes() {
    return texts.bytes() + hash.bytes();
  }
}
