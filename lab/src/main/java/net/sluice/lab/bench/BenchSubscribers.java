package net.sluice.lab.bench;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Subscriber;

/** The subscribers of the benchmarks: one IPv4 address each, every fifth Gold. */
final class BenchSubscribers {
  private static final int FIRST_ADDRESS = 0x0a000001;

  private BenchSubscribers() {}

  /** Id of subscriber {@code i}, from 0. */
  static String id(int i) {
    return "sub-" + i;
  }

  /** Its policy. */
  static String policy(int i) {
    return i % 5 == 0 ? "gold" : "silver";
  }

  /** The subscriber as declared. */
  static Subscriber subscriber(int i) {
    return new Subscriber(
        id(i),
        policy(i),
        List.of(IpPrefix.v4(FIRST_ADDRESS + i, 32)),
        Optional.empty(),
        new Attachment(i & 7, i >>> 3 & 63));
  }

  /** The body of its PUT, with a policy. */
  static String body(int i, String policy) {
    int address = FIRST_ADDRESS + i;
    return "{\"policy\":\""
        + policy
        + "\",\"prefixes\":[\""
        + (address >>> 24)
        + "."
        + (address >>> 16 & 255)
        + "."
        + (address >>> 8 & 255)
        + "."
        + (address & 255)
        + "/32\"],\"attachment\":{\"port\":"
        + (i & 7)
        + ",\"tree\":"
        + (i >>> 3 & 63)
        + "}}";
  }

  /** Bulk lines that put subscribers {@code 0..count-1}. */
  static Iterator<String> bulkLines(int count) {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < count;
      }

      @Override
      public String next() {
        if (next == count) {
          throw new NoSuchElementException();
        }
        int i = next++;
        return "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\""
            + id(i)
            + "\",\"value\":"
            + body(i, policy(i))
            + "}";
      }
    };
  }
}
