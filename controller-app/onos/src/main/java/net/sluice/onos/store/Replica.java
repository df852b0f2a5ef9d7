package net.sluice.onos.store;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import net.sluice.core.store.StoreCodec;
import net.sluice.core.store.StoreContent;
import net.sluice.core.store.StoreException;

/**
 * The content of the cluster's store in the leader's memory: the blocks as they are stored, and the
 * ids in order. Not thread-safe.
 */
final class Replica {
  private static final int SUBSCRIBERS_PER_BLOCK = 32;
  private static final int LIMIT_BLOCKS = 1024;
  private static final char SUBSCRIBER = 's';
  private static final char POLICY = 'p';
  private static final char LIMIT = 'l';
  private static final char TARIFF = 't';
  private static final char DOCUMENTS = 'd';
  private static final HashFunction DIGEST = Hashing.farmHashFingerprint64();

  /** Key of the block with the switch's document. */
  static final String DOCUMENT_BLOCK = Character.toString(DOCUMENTS);

  /** Id of the document in its block. */
  static final String DOCUMENT = "document";

  /** Id of the openings of the store that committed something, in the same block. */
  static final String OPENINGS = "openings";

  private final Map<String, byte[]> blocks = new HashMap<>();
  private final SortedSubscribers subscribers = new SortedSubscribers();
  private final NavigableSet<String> policies = new TreeSet<>();
  private final NavigableSet<String> limits = new TreeSet<>();
  private final NavigableSet<String> tariffs = new TreeSet<>();
  private long digest;

  /** Key of the block that the subscriber with that index is in. */
  static String subscriberBlock(int index) {
    return SUBSCRIBER + Integer.toString(index / SUBSCRIBERS_PER_BLOCK, Character.MAX_RADIX);
  }

  /** Key of the block that a policy is in. */
  static String policyBlock(String id) {
    return POLICY + id;
  }

  /** Key of the block that a tariff is in. */
  static String tariffBlock(String id) {
    return TARIFF + id;
  }

  private NavigableSet<String> ids(char kind) {
    return switch (kind) {
      case POLICY -> policies;
      case TARIFF -> tariffs;
      default -> limits;
    };
  }

  /** Key of the block that a rate limit is in. */
  static String limitBlock(String id) {
    return LIMIT + Integer.toString(id.hashCode() & LIMIT_BLOCKS - 1, Character.MAX_RADIX);
  }

  /**
   * Takes over blocks as they were read, into an empty replica.
   *
   * @throws StoreException if the blocks contradict each other
   */
  void load(Map<String, byte[]> read) {
    record Found(String id, int index) {}
    List<Found> found = new ArrayList<>();
    read.forEach(
        (key, image) -> {
          blocks.put(key, image);
          digest += digest(key, image);
          RecordBlock.records(key, image)
              .forEach(
                  (id, record) -> {
                    if (key.charAt(0) == SUBSCRIBER) {
                      int index = StoreCodec.subscriberIndex(id, record);
                      if (!key.equals(subscriberBlock(index))) {
                        throw new StoreException(
                            "the cluster's store contradicts itself: subscriber "
                                + id
                                + " with index "
                                + index
                                + " is in block "
                                + key);
                      }
                      found.add(new Found(id, index));
                    } else if (key.charAt(0) != DOCUMENTS) {
                      ids(key.charAt(0)).add(id);
                    }
                  });
        });
    found.sort(Comparator.comparing(Found::id));
    for (Found each : found) {
      if (subscribers.find(each.id) != 0) {
        throw new StoreException(
            "the cluster's store contradicts itself: subscriber " + each.id + " is in it twice");
      }
      subscribers.add(each.id, each.index);
    }
  }

  /** The blocks that changes touch, as they will be; the replica stays as it is. */
  Map<String, byte[]> changed(List<RecordChange> changes) {
    Map<String, Map<String, byte[]>> touched = new LinkedHashMap<>();
    for (RecordChange change : changes) {
      Map<String, byte[]> records =
          touched.computeIfAbsent(
              change.block(),
              key -> {
                byte[] image = blocks.get(key);
                return image == null ? new LinkedHashMap<>() : RecordBlock.records(key, image);
              });
      if (change.record() == null) {
        records.remove(change.id());
      } else {
        records.put(change.id(), change.record());
      }
    }
    Map<String, byte[]> images = new LinkedHashMap<>();
    touched.forEach((key, records) -> images.put(key, RecordBlock.image(records)));
    return images;
  }

  /** Makes changes, whose blocks have become {@code images}. */
  void apply(List<RecordChange> changes, Map<String, byte[]> images) {
    // All that leave first: others may come to their indices.
    for (RecordChange change : changes) {
      int old = change.block().charAt(0) == SUBSCRIBER ? subscribers.find(change.id()) : 0;
      if (old != 0 && leaves(change, old)) {
        subscribers.remove(change.id());
      }
    }
    for (RecordChange change : changes) {
      String id = change.id();
      char kind = change.block().charAt(0);
      if (kind == SUBSCRIBER) {
        if (change.record() != null && subscribers.find(id) == 0) {
          subscribers.add(id, StoreCodec.subscriberIndex(id, change.record()));
        }
      } else if (kind != DOCUMENTS) {
        NavigableSet<String> ids = ids(kind);
        if (change.record() == null) {
          ids.remove(id);
        } else {
          ids.add(id);
        }
      }
    }
    digest = digestWith(images);
    images.forEach(
        (key, image) -> {
          if (image.length == 0) {
            blocks.remove(key);
          } else {
            blocks.put(key, image);
          }
        });
  }

  /** A number that tells the blocks from others, whatever their order. */
  long digest() {
    return digest;
  }

  /** The number with some blocks as they will be. */
  long digestWith(Map<String, byte[]> images) {
    long with = digest;
    for (Map.Entry<String, byte[]> each : images.entrySet()) {
      byte[] old = blocks.get(each.getKey());
      with += digest(each.getKey(), each.getValue());
      with -= old == null ? 0 : digest(each.getKey(), old);
    }
    return with;
  }

  private static long digest(String key, byte[] image) {
    return image.length == 0
        ? 0
        : DIGEST
            .newHasher(image.length + 2 * key.length())
            .putUnencodedChars(key)
            .putBytes(image)
            .hash()
            .asLong();
  }

  private static boolean leaves(RecordChange change, int index) {
    return change.record() == null
        ? subscriberBlock(index).equals(change.block())
        : StoreCodec.subscriberIndex(change.id(), change.record()) != index;
  }

  /** The index of a subscriber, or 0. */
  int indexOf(String subscriberId) {
    return subscribers.find(subscriberId);
  }

  /** The record of a subscriber, or null. */
  byte[] subscriber(String id) {
    int index = subscribers.find(id);
    return index == 0 ? null : find(subscriberBlock(index), id);
  }

  /** The record of a policy, or null. */
  byte[] policy(String id) {
    return find(policyBlock(id), id);
  }

  /** The record of a tariff, or null. */
  byte[] tariff(String id) {
    return find(tariffBlock(id), id);
  }

  /** The record of a rate limit, or null. */
  byte[] limit(String id) {
    return find(limitBlock(id), id);
  }

  /** The switch's document, or null. */
  byte[] document() {
    return find(DOCUMENT_BLOCK, DOCUMENT);
  }

  /** The openings as {@code StoreHistory#openings} gave them; none at first. */
  byte[] openings() {
    byte[] openings = find(DOCUMENT_BLOCK, OPENINGS);
    return openings == null ? new byte[0] : openings;
  }

  private byte[] find(String block, String id) {
    byte[] image = blocks.get(block);
    return image == null ? null : RecordBlock.find(image, id);
  }

  /** As {@link net.sluice.core.store.IntentStore#scan}. */
  int scan(
      StoreContent.Kind kind,
      String afterId,
      long skip,
      int limit,
      BiConsumer<String, byte[]> out) {
    return switch (kind) {
      case SUBSCRIBER ->
          subscribers.scan(
              afterId,
              skip,
              limit,
              index -> {
                String id = subscribers.id(index);
                out.accept(id, find(subscriberBlock(index), id));
              });
      case POLICY -> scan(policies, this::policy, afterId, skip, limit, out);
      case RATE_LIMIT -> scan(limits, this::limit, afterId, skip, limit, out);
      case TARIFF -> scan(tariffs, this::tariff, afterId, skip, limit, out);
    };
  }

  private static int scan(
      NavigableSet<String> all,
      Function<String, byte[]> find,
      String afterId,
      long skip,
      int limit,
      BiConsumer<String, byte[]> out) {
    List<String> ids = all.tailSet(afterId, false).stream().skip(skip).limit(limit).toList();
    ids.forEach(id -> out.accept(id, find.apply(id)));
    return ids.size();
  }

  /** Bytes of the arrays that grow with the number of subscribers. */
  long bytes() {
    long bytes = subscribers.bytes();
    for (byte[] image : blocks.values()) {
      bytes += image.length;
    }
    return bytes;
  }
}
