package net.sluice.onos.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import net.sluice.core.store.StoreException;
import org.onosproject.store.service.Versioned;

/**
 * Says in which of the cluster's maps the store is. A backup that is restored is written to a new
 * generation of maps, which one replacement puts in the place of those in use: if another instance
 * has taken over meanwhile, that fails.
 */
final class Generations {
  /** Name of the map that says so. */
  static final String MAP = "sluice-store";

  /** The generation of a store that was never restored. */
  static final String FIRST = "";

  private static final String CURRENT = "current";
  private static final String LEFT = "left-";

  private final ClusterMap map;
  private long takeover;
  private String current;

  /**
   * The generation in use.
   *
   * @param takeover number of the last takeover
   */
  private record InUse(long takeover, String id) {
    byte[] encode() {
      byte[] name = id.getBytes(StandardCharsets.US_ASCII);
      return ByteBuffer.allocate(Long.BYTES + name.length).putLong(takeover).put(name).array();
    }

    static InUse decode(byte[] value) {
      ByteBuffer in = ByteBuffer.wrap(value);
      long takeover = in.getLong();
      return new InUse(takeover, StandardCharsets.US_ASCII.decode(in).toString());
    }
  }

  Generations(ClusterMap map) {
    this.map = map;
  }

  /** From here on no other instance changes the generation in use; its id. */
  String takeOver() {
    InUse taken =
        InUse.decode(
            map.update(
                CURRENT,
                now -> {
                  InUse before = now == null ? new InUse(0, FIRST) : InUse.decode(now);
                  return new InUse(before.takeover + 1, before.id).encode();
                }));
    takeover = taken.takeover;
    current = taken.id;
    return current;
  }

  /** Draws the id of a generation and notes that its maps are to be cleared while not in use. */
  String begin() {
    String id = HexFormat.of().toHexDigits(new SecureRandom().nextInt());
    note(id);
    return id;
  }

  private void note(String id) {
    Versioned<byte[]> unused = map.await("writing " + LEFT, map.write(LEFT + id, new byte[0]));
  }

  /**
   * Puts a generation into use.
   *
   * @throws StoreException if another instance has taken over since {@link #takeOver}
   */
  void use(String id) {
    note(current);
    Versioned<byte[]> now = map.get(CURRENT);
    boolean isOurs = now != null && InUse.decode(now.value()).takeover == takeover;
    if (!isOurs || !map.replace(CURRENT, now.version(), new InUse(takeover, id).encode())) {
      throw new StoreException("another instance leads now");
    }
    current = id;
  }

  /** The generations that were begun or used and are not in use. */
  List<String> left() {
    return map.allKeys().stream()
        .filter(key -> key.startsWith(LEFT))
        .map(key -> key.substring(LEFT.length()))
        .filter(id -> !id.equals(current))
        .toList();
  }

  /** The maps of a generation are cleared. */
  void forget(String id) {
    Versioned<byte[]> unused = map.await("removing " + LEFT, map.remove(LEFT + id));
  }
}
