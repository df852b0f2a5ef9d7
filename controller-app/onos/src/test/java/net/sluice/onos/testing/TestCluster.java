package net.sluice.onos.testing;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.onosproject.cluster.Leader;
import org.onosproject.cluster.Leadership;
import org.onosproject.cluster.LeadershipEvent;
import org.onosproject.cluster.LeadershipEventListener;
import org.onosproject.cluster.LeadershipServiceAdapter;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.AsyncConsistentMapAdapter;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.ConsistentMapBuilder;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageException;
import org.onosproject.store.service.StorageServiceAdapter;
import org.onosproject.store.service.Versioned;

/**
 * A cluster in memory: maps that all instances share, and one leader of each topic. Each instance
 * can be killed, or have its operations fail, at a chosen operation.
 */
public final class TestCluster {
  private final Map<String, TreeMap<String, Versioned<byte[]>>> maps = new HashMap<>();
  private final List<Node> candidates = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Supplier<?>> late = new ArrayList<>();
  private final Clock clock;
  private long version;

  /** Who leads by now, and since when. */
  private Leader leading;

  private volatile boolean silent;

  /** A cluster that does not say since when an instance leads. */
  public TestCluster() {
    this(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
  }

  /** A cluster whose storage has that clock. */
  public TestCluster(Clock clock) {
    this.clock = clock;
  }

  /** What becomes of an operation. */
  public enum Fault {
    /** It is done and answered. */
    NONE,
    /** It is not done, and not answered. */
    LOST,
    /** It is done, but not answered. */
    UNANSWERED,
    /** It is not answered, and done when {@link TestCluster#arrive} says so, or never. */
    LATE,
    /** The instance is dead: it is not done, nor is any after it. */
    DEAD
  }

  /** Decides about an operation by its number, from 1. */
  @FunctionalInterface
  public interface Faults {
    Fault of(long operation);
  }

  /** A new instance. */
  public synchronized Node node(String id) {
    Node node = new Node(NodeId.nodeId(id));
    nodes.add(node);
    return node;
  }

  /** What a map holds, as instances wrote it. */
  public synchronized Map<String, byte[]> content(String map) {
    Map<String, byte[]> content = new TreeMap<>();
    maps.getOrDefault(map, new TreeMap<>()).forEach((k, v) -> content.put(k, v.value()));
    return content;
  }

  /** Replaces a value behind everyone's back. */
  public synchronized void overwrite(String map, String key, byte[] value) {
    maps.get(map).put(key, new Versioned<>(value, ++version));
  }

  /**
   * The storage stands still or is gone: nothing is done, and who asks for anything is told after a
   * while that there was no answer.
   */
  public void fallSilent() {
    silent = true;
  }

  /** The storage answers again. */
  public void answer() {
    silent = false;
  }

  private void requireAnswer() {
    if (silent) {
      throw new StorageException.Timeout();
    }
  }

  /** What all maps hold, to go back to. */
  public synchronized Copy copy() {
    Map<String, TreeMap<String, Versioned<byte[]>>> copied = new HashMap<>();
    maps.forEach((name, values) -> copied.put(name, new TreeMap<>(values)));
    return new Copy(copied);
  }

  /** What maps held at some moment. */
  public record Copy(Map<String, TreeMap<String, Versioned<byte[]>>> maps) {}

  /** The storage comes back with what it held then. */
  public synchronized void goBackTo(Copy copy) {
    maps.forEach(
        (name, values) -> {
          values.clear();
          values.putAll(copy.maps.getOrDefault(name, new TreeMap<>()));
        });
  }

  /** One value comes back as it was then, or is gone if it was not there. */
  public synchronized void goBackTo(Copy copy, String map, String key) {
    Versioned<byte[]> then = copy.maps.get(map).get(key);
    if (then == null) {
      maps.get(map).remove(key);
    } else {
      maps.get(map).put(key, then);
    }
  }

  /** Whatever is late is done now, what was sent last first. */
  public synchronized void arrive() {
    for (int i = late.size() - 1; i >= 0; i--) {
      Object unused = late.get(i).get();
    }
    late.clear();
  }

  private synchronized NodeId leader() {
    return candidates.isEmpty() ? null : candidates.get(0).id;
  }

  private synchronized Leader leading() {
    NodeId now = leader();
    if (now == null) {
      leading = null;
    } else if (leading == null || !now.equals(leading.nodeId())) {
      leading = new Leader(now, leading == null ? 1 : leading.term() + 1, clock.millis());
    }
    return leading;
  }

  private void tellAll(String topic) {
    List<Node> told;
    synchronized (this) {
      told = List.copyOf(nodes);
    }
    told.forEach(node -> node.leadership.tell(topic));
  }

  /** An instance, as far as services are concerned. */
  public final class Node {
    /** Its name. */
    public final NodeId id;

    /** Its view of the maps. */
    public final Storage storage = new Storage(this);

    /** Its view of leaderships. */
    public final TestLeadership leadership = new TestLeadership(this);

    private volatile Faults faults = operation -> Fault.NONE;
    private final AtomicLong operations = new AtomicLong();
    private volatile boolean dead;

    private Node(NodeId id) {
      this.id = id;
    }

    /** Has operations fail from now on; counts them anew. */
    public void faults(Faults plan) {
      faults = plan;
      operations.set(0);
    }

    /** Number of operations since faults were set. */
    public long operations() {
      return operations.get();
    }

    /** True if it is dead. */
    public boolean isDead() {
      return dead;
    }

    /** It is gone: the cluster notices and has another one lead. */
    public void kill() {
      dead = true;
      synchronized (TestCluster.this) {
        nodes.remove(this);
        candidates.remove(this);
      }
      tellAll(null);
    }

    /** The cluster takes it for gone, but it is not: another one leads. */
    public void depose() {
      synchronized (TestCluster.this) {
        if (candidates.remove(this)) {
          candidates.add(this);
        }
      }
      tellAll(null);
    }

    /**
     * Its session with the storage ends, and with it its candidacy. It is not told: it has another
     * session at once.
     */
    public void loseSession() {
      synchronized (TestCluster.this) {
        candidates.remove(this);
      }
    }

    private <T> CompletableFuture<T> operate(Supplier<T> operation) {
      if (dead) {
        return new CompletableFuture<>();
      }
      Fault fault = silent ? Fault.LOST : faults.of(operations.incrementAndGet());
      if (fault == Fault.DEAD) {
        dead = true;
      }
      T result = null;
      if (fault == Fault.NONE || fault == Fault.UNANSWERED) {
        synchronized (TestCluster.this) {
          result = operation.get();
        }
      } else if (fault == Fault.LATE) {
        synchronized (TestCluster.this) {
          late.add(operation);
        }
      }
      return fault == Fault.NONE
          ? CompletableFuture.completedFuture(result)
          : CompletableFuture.failedFuture(new StorageException.Timeout());
    }
  }

  /** Consistent maps of one instance. */
  public final class Storage extends StorageServiceAdapter {
    private final Node node;

    private Storage(Node node) {
      this.node = node;
    }

    @Override
    public <K, V> ConsistentMapBuilder<K, V> consistentMapBuilder() {
      return new ConsistentMapBuilder<>() {
        @Override
        @SuppressWarnings("unchecked")
        public AsyncConsistentMap<K, V> buildAsyncMap() {
          return (AsyncConsistentMap<K, V>) new SharedMap(name(), serializer(), node);
        }

        @Override
        public ConsistentMap<K, V> build() {
          return buildAsyncMap().asConsistentMap();
        }
      };
    }
  }

  /** One instance's view of one map. */
  private final class SharedMap extends AsyncConsistentMapAdapter<String, byte[]> {
    private final TreeMap<String, Versioned<byte[]>> values;
    private final Serializer serializer;
    private final Node node;

    SharedMap(String name, Serializer serializer, Node node) {
      synchronized (TestCluster.this) {
        this.values = maps.computeIfAbsent(name, key -> new TreeMap<>());
      }
      this.serializer = serializer;
      this.node = node;
    }

    private Versioned<byte[]> versioned(byte[] value) {
      // As the real map would: what arrives is what was serialised.
      byte[] copy = serializer.decode(serializer.encode(value));
      return new Versioned<>(copy, ++version);
    }

    private boolean isAt(String key, long expected) {
      Versioned<byte[]> now = values.get(key);
      return now != null && now.version() == expected;
    }

    @Override
    public CompletableFuture<Versioned<byte[]>> get(String key) {
      return node.operate(() -> values.get(key));
    }

    @Override
    public CompletableFuture<Versioned<byte[]>> put(String key, byte[] value) {
      return node.operate(() -> values.put(key, versioned(value)));
    }

    @Override
    public CompletableFuture<Versioned<byte[]>> putIfAbsent(String key, byte[] value) {
      return node.operate(() -> values.putIfAbsent(key, versioned(value)));
    }

    @Override
    public CompletableFuture<Versioned<byte[]>> remove(String key) {
      return node.operate(() -> values.remove(key));
    }

    @Override
    public CompletableFuture<Boolean> remove(String key, long expected) {
      return node.operate(() -> isAt(key, expected) && values.remove(key) != null);
    }

    @Override
    public CompletableFuture<Boolean> replace(String key, long expected, byte[] value) {
      return node.operate(
          () -> {
            if (!isAt(key, expected)) {
              return false;
            }
            values.put(key, versioned(value));
            return true;
          });
    }

    @Override
    public CompletableFuture<Void> clear() {
      return node.operate(
          () -> {
            values.clear();
            return null;
          });
    }

    @Override
    public CompletableFuture<Set<String>> keySet() {
      return node.operate(() -> new HashSet<>(values.keySet()));
    }
  }

  /** Leaderships of one instance: the first candidate that lives leads everything. */
  public final class TestLeadership extends LeadershipServiceAdapter {
    private final Node node;
    private final List<LeadershipEventListener> listeners = new CopyOnWriteArrayList<>();
    private volatile String topic;

    private TestLeadership(Node node) {
      this.node = node;
    }

    private void tell(String ofTopic) {
      String about = ofTopic == null ? topic : ofTopic;
      if (about == null) {
        return;
      }
      LeadershipEvent event =
          new LeadershipEvent(LeadershipEvent.Type.LEADER_CHANGED, getLeadership(about));
      listeners.forEach(listener -> listener.event(event));
    }

    @Override
    public NodeId getLeader(String ofTopic) {
      requireAnswer();
      return leader();
    }

    @Override
    public Leadership getLeadership(String ofTopic) {
      requireAnswer();
      synchronized (TestCluster.this) {
        return new Leadership(
            ofTopic, leading(), candidates.stream().map(each -> each.id).toList());
      }
    }

    @Override
    public Leadership runForLeadership(String ofTopic) {
      requireAnswer();
      topic = ofTopic;
      boolean isNew;
      synchronized (TestCluster.this) {
        isNew = !candidates.contains(node) && candidates.add(node);
      }
      if (isNew) {
        tellAll(ofTopic);
      }
      return getLeadership(ofTopic);
    }

    @Override
    public void withdraw(String ofTopic) {
      requireAnswer();
      synchronized (TestCluster.this) {
        candidates.remove(node);
      }
      tellAll(ofTopic);
    }

    @Override
    public void addListener(LeadershipEventListener listener) {
      listeners.add(listener);
    }

    @Override
    public void removeListener(LeadershipEventListener listener) {
      listeners.remove(listener);
    }
  }
}
