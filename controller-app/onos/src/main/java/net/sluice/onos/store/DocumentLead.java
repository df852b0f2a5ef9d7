package net.sluice.onos.store;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import net.sluice.core.store.StoreException;
import org.onosproject.store.service.Versioned;

/**
 * Says whether this instance is the one that writes documents: a value in their map has the number
 * of the last takeover.
 */
final class DocumentLead {
  private static final String EPOCH = "epoch";

  private final ClusterMap map;
  private final Consumer<StoreException> lost;
  private volatile long epoch;
  private volatile StoreException failure;

  /**
   * That of documents in a map; {@link #takeOver} has to be called.
   *
   * @param lost told if this instance can no longer write
   */
  DocumentLead(ClusterMap map, Consumer<StoreException> lost) {
    this.map = map;
    this.lost = lost;
  }

  /** From here on other instances find that they lead no more. */
  void takeOver() {
    epoch =
        epoch(
            map.update(
                EPOCH,
                now ->
                    ByteBuffer.allocate(Long.BYTES)
                        .putLong(now == null ? 1 : epoch(now) + 1)
                        .array()));
  }

  private static long epoch(byte[] value) {
    return ByteBuffer.wrap(value).getLong();
  }

  /** Asks the cluster. */
  void requireOurs() {
    requireWell();
    Versioned<byte[]> now = map.get(EPOCH);
    if (now == null || epoch(now.value()) < epoch) {
      throw fail("the cluster's storage has gone back: it has lost who writes documents");
    }
    if (epoch(now.value()) > epoch) {
      throw fail("another instance leads now");
    }
  }

  /** Asks nobody. */
  void requireWell() {
    if (failure != null) {
      throw new StoreException(failure.getMessage(), failure);
    }
  }

  private StoreException fail(String reason) {
    StoreException failed = new StoreException(reason);
    failure = failed;
    lost.accept(failed);
    return failed;
  }

  void close() {
    if (failure == null) {
      failure = new StoreException("the cluster's store is closed");
    }
  }
}
