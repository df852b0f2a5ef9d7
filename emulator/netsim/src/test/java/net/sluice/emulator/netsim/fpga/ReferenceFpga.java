package net.sluice.emulator.netsim.fpga;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The FPGA as a loop over clock cycles, at 100 MHz: slow, and as plain as its description. Shares
 * no code with the model it checks.
 */
final class ReferenceFpga {

  static final int CYCLE_NANOS = 10;
  private static final int TICK = 1_248;
  private static final int MTU = 1_600;

  /** A packet that has left, at the time its last bit did. */
  record Sent(long nanos, long tag) {}

  private record Packet(long tag, int bytes) {}

  /** A token bucket of any level. */
  private static final class Bucket {
    int word = 1;
    int tokens;
    long updatedTick;
    boolean live;
  }

  private final List<Map<Integer, Bucket>> levels =
      List.of(new HashMap<>(), new HashMap<>(), new HashMap<>());
  private final int[] sizes = {2_000, 2_000, 2_000};
  private final int[] depths = {128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384};
  private final Map<Integer, Deque<Packet>> queues = new HashMap<>();
  private final boolean[] waiting = new boolean[262_144];
  // Start of the round of a port (a tree), of a tree (a customer), of a customer (a class).
  private final int[] firstTree = new int[8];
  private final int[] firstCustomer = new int[512];
  private final int[] firstClass = new int[32_768];

  private final int nanosPerByte;
  private final Deque<Packet> line = new ArrayDeque<>();
  private long lineFreeNanos;
  private int position;
  private int passedTree = -1;
  private int passedPort = -1;
  private long cycle;

  final List<Sent> sent = new ArrayList<>();
  int dropped;

  ReferenceFpga(int nanosPerByte) {
    this.nanosPerByte = nanosPerByte;
  }

  /** Does everything up to and including a cycle. */
  void runTo(long lastCycle) {
    for (; cycle <= lastCycle; cycle++) {
      if (cycle % TICK == 0 && cycle > 0) {
        finishLine(cycle * CYCLE_NANOS - 1);
        gain();
      }
      finishLine(cycle * CYCLE_NANOS);
      if (line.size() < 2) {
        look();
      }
    }
  }

  /** A packet arrives before the next cycle. */
  void arrive(int queueId, int bytes, long tag) {
    Deque<Packet> queue = queues.computeIfAbsent(queueId, q -> new ArrayDeque<>());
    if (bytesIn(queue) > depths[queueId & 7]) {
      dropped++;
      return;
    }
    queue.add(new Packet(tag, bytes));
    waiting[queueId] = true;
    for (int level = 0; level < 3; level++) {
      Bucket bucket = bucket(level, queueId);
      if (!bucket.live) {
        credit(level, bucket);
        bucket.live = true;
      }
    }
  }

  void setWord(int level, int index, int word) {
    Bucket bucket = levels.get(level).computeIfAbsent(index, i -> new Bucket());
    if (!bucket.live) {
      credit(level, bucket);
    }
    bucket.word = word;
  }

  /** Credits what a bucket has gained while it was idle. */
  private void credit(int level, Bucket bucket) {
    long ticks = (tick() - bucket.updatedTick) % (1 << 21);
    bucket.tokens = (int) Math.min(sizes[level], bucket.tokens + ticks * bucket.word);
    bucket.updatedTick = tick();
  }

  void setSize(int level, int bytes) {
    sizes[level] = bytes;
    for (Bucket bucket : levels.get(level).values()) {
      if (bucket.live) {
        bucket.tokens = Math.min(bucket.tokens, bytes);
      }
    }
  }

  void setDepth(int trafficClass, int bytes) {
    depths[trafficClass] = bytes / 8 * 8;
  }

  private long tick() {
    return cycle / TICK;
  }

  private void gain() {
    for (int level = 0; level < 3; level++) {
      for (Map.Entry<Integer, Bucket> entry : levels.get(level).entrySet()) {
        Bucket bucket = entry.getValue();
        if (bucket.live) {
          boolean had = passes(level, bucket);
          bucket.tokens = Math.min(sizes[level], bucket.tokens + bucket.word);
          if (!had && passes(level, bucket) && line.size() < 2) {
            if (level == 1 && treeAt(position) == entry.getKey() && position % 512 != 0) {
              passedTree = entry.getKey();
            }
            if (level == 2 && position / 32_768 == entry.getKey() && position % 32_768 != 0) {
              passedPort = entry.getKey();
            }
          }
        }
      }
    }
  }

  private boolean passes(int level, Bucket bucket) {
    return bucket.word > 0 && sizes[level] >= MTU && bucket.tokens >= MTU;
  }

  private void finishLine(long nowNanos) {
    while (!line.isEmpty() && lineFreeNanos <= nowNanos) {
      sent.add(new Sent(lineFreeNanos, line.remove().tag()));
      if (!line.isEmpty()) {
        lineFreeNanos += (long) line.peek().bytes() * nanosPerByte;
      }
    }
  }

  private void look() {
    if (treeAt(position) != passedTree || position % 512 == 0) {
      passedTree = -1;
    }
    if (position / 32_768 != passedPort || position % 32_768 == 0) {
      passedPort = -1;
    }
    int end = position / 32 * 32 + 32;
    for (int at = position; at < end; at++) {
      int queueId = queueAt(at);
      if (waiting[queueId]
          && treeAt(at) != passedTree
          && at / 32_768 != passedPort
          && passes(0, bucket(0, queueId))
          && passes(1, bucket(1, queueId))
          && passes(2, bucket(2, queueId))) {
        serve(at, queueId);
        return;
      }
    }
    position = end % 262_144;
  }

  private void serve(int at, int queueId) {
    Deque<Packet> queue = queues.get(queueId);
    Packet packet = queue.remove();
    waiting[queueId] = !queue.isEmpty();
    if (line.isEmpty()) {
      lineFreeNanos = cycle * CYCLE_NANOS + (long) packet.bytes() * nanosPerByte;
    }
    line.add(packet);
    boolean[] passes = new boolean[3];
    for (int level = 0; level < 3; level++) {
      Bucket bucket = bucket(level, queueId);
      bucket.tokens -= packet.bytes();
      passes[level] = passes(level, bucket);
    }
    position = at / 8 * 8;
    firstClass[queueId / 8] = (queueId + 1) % 8;
    int port = queueId / 32_768;
    if (!passes[2]) {
      firstTree[port] = (queueId / 512 + 1) % 64;
      position = (at / 32_768 + 1) * 32_768 % 262_144;
    } else if (!passes[1]) {
      position = (at / 512 + 1) * 512 % 262_144;
    } else if (!passes[0]) {
      position = (at / 8 + 1) * 8 % 262_144;
    }
    if (!passes[2] || !passes[1]) {
      firstCustomer[queueId / 512] = (queueId / 8 + 1) % 64;
    }
    int[] sharing = {8, 512, 32_768};
    for (int level = 0; level < 3; level++) {
      int from = queueId / sharing[level] * sharing[level];
      int to = from + sharing[level];
      boolean empty = true;
      for (int i = from; i < to; i++) {
        empty &= !waiting[i];
      }
      if (empty) {
        bucket(level, queueId).live = false;
        bucket(level, queueId).updatedTick = tick();
      }
    }
  }

  private Bucket bucket(int level, int queueId) {
    int index = level == 0 ? queueId / 8 : level == 1 ? queueId / 512 : queueId / 32_768;
    return levels.get(level).computeIfAbsent(index, i -> new Bucket());
  }

  private int treeAt(int at) {
    int port = at / 32_768;
    return port * 64 + (at / 512 % 64 + firstTree[port]) % 64;
  }

  private int queueAt(int at) {
    int tree = treeAt(at);
    int customer = tree * 64 + (at / 8 % 64 + firstCustomer[tree]) % 64;
    return customer * 8 + (at % 8 + firstClass[customer]) % 8;
  }

  private static int bytesIn(Deque<Packet> queue) {
    return queue.stream().mapToInt(Packet::bytes).sum();
  }
}
