package net.sluice.rest.edge;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Slows down clients that fail to prove who they are: the answer to a failure is the longer in
 * coming the more there were. Clients that can prove it are never slowed down, also where failures
 * come from the same address. An IPv6 client is its network of 64 bits.
 */
final class FailureBrake {
  private static final int FREE = 3;
  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  /** Answers that wait hold connections, of which others need some. */
  private static final int MOST_WAITING = 32;

  private static final int MOST_WAITING_OF_ONE = 4;
  private static final int MOST_CLIENTS = 10_000;
  private static final int NETWORK_BYTES = 8;

  private final Map<String, Client> clients =
      new LinkedHashMap<>(16, 0.75F, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Client> eldest) {
          return size() > MOST_CLIENTS && eldest.getValue().waiting == 0;
        }
      };

  private int waiting;

  private static final class Client {
    private int failures;
    private int waiting;
    private long lastNanos;
  }

  /**
   * Takes note of a failure.
   *
   * @param now a time in ns
   * @return how long the answer is to wait, after which {@link #answered} is to be called; empty if
   *     so many wait already that this one is to be refused at once
   */
  synchronized Optional<Duration> failed(InetAddress from, long now) {
    Client client = clients.computeIfAbsent(key(from), key -> new Client());
    if (now - client.lastNanos > FORGOTTEN.toNanos()) {
      client.failures = 0;
    }
    client.lastNanos = now;
    client.failures++;
    int beyond = client.failures - FREE;
    if (beyond <= 0) {
      return Optional.of(Duration.ZERO);
    }
    if (client.waiting >= MOST_WAITING_OF_ONE || waiting >= MOST_WAITING) {
      return Optional.empty();
    }
    client.waiting++;
    waiting++;
    Duration wait = FIRST.multipliedBy(1L << Math.min(beyond - 1, 10));
    return Optional.of(wait.compareTo(LONGEST) > 0 ? LONGEST : wait);
  }

  /** Number of failures of a client since it was last forgotten. */
  synchronized int failures(InetAddress from) {
    Client client = clients.get(key(from));
    return client == null ? 0 : client.failures;
  }

  /** An answer that waited is given. */
  synchronized void answered(InetAddress from) {
    waiting--;
    clients.get(key(from)).waiting--;
  }

  private static String key(InetAddress from) {
    byte[] bytes = from.getAddress();
    return HexFormat.of()
        .formatHex(from instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }
}
