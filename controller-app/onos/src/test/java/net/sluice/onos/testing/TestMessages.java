package net.sluice.onos.testing;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import net.sluice.core.time.Scheduler;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationServiceAdapter;
import org.onosproject.store.cluster.messaging.MessageSubject;

/**
 * Messages between the instances of a cluster, each of which takes as long as is said or is lost,
 * requests and answers alike: what takes longer is overtaken.
 */
public final class TestMessages {
  private static final Duration USUAL = Duration.ofMillis(1);

  /** After which a message without an answer is taken to be lost. */
  private static final Duration UNICAST = Duration.ofSeconds(5);

  private final Scheduler scheduler;
  private final Map<NodeId, Map<MessageSubject, Function<byte[], CompletableFuture<byte[]>>>>
      handlers = new ConcurrentHashMap<>();
  private final Set<NodeId> dead = ConcurrentHashMap.newKeySet();
  private volatile Supplier<Duration> delays = () -> USUAL;

  /** Messages that arrive when that scheduler says so. */
  public TestMessages(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** How long each message takes from now on; null for one that is lost. */
  public void delays(Supplier<Duration> each) {
    delays = each;
  }

  /** Nothing comes from or to an instance any more. */
  public void kill(NodeId node) {
    dead.add(node);
    handlers.remove(node);
  }

  /** What an instance sees of it. */
  public ClusterCommunicationService of(NodeId self) {
    return new Service(self);
  }

  private void deliver(Runnable arrival) {
    Duration delay = delays.get();
    if (delay != null) {
      var unused = scheduler.schedule(delay, arrival);
    }
  }

  private final class Service extends ClusterCommunicationServiceAdapter {
    private final NodeId self;

    Service(NodeId self) {
      this.self = self;
    }

    @Override
    public <M, R> void addSubscriber(
        MessageSubject subject,
        Function<byte[], M> decoder,
        Function<M, CompletableFuture<R>> handler,
        Function<R, byte[]> encoder) {
      handlers
          .computeIfAbsent(self, unused -> new ConcurrentHashMap<>())
          .put(subject, bytes -> handler.apply(decoder.apply(bytes)).thenApply(encoder));
    }

    @Override
    public <M> void addSubscriber(
        MessageSubject subject,
        Function<byte[], M> decoder,
        Consumer<M> handler,
        Executor executor) {
      addSubscriber(
          subject,
          decoder,
          message -> {
            executor.execute(() -> handler.accept(message));
            return CompletableFuture.completedFuture(null);
          },
          unused -> new byte[0]);
    }

    @Override
    public <M> CompletableFuture<Void> unicast(
        M message, MessageSubject subject, Function<M, byte[]> encoder, NodeId to) {
      return sendAndReceive(message, subject, encoder, unused -> null, to, UNICAST);
    }

    @Override
    public void removeSubscriber(MessageSubject subject) {
      Map<MessageSubject, ?> own = handlers.get(self);
      if (own != null) {
        own.remove(subject);
      }
    }

    @Override
    public <M, R> CompletableFuture<R> sendAndReceive(
        M message,
        MessageSubject subject,
        Function<M, byte[]> encoder,
        Function<byte[], R> decoder,
        NodeId to,
        Duration timeout) {
      CompletableFuture<R> result = new CompletableFuture<>();
      byte[] bytes = encoder.apply(message);
      deliver(
          () -> {
            var handler = handlers.getOrDefault(to, Map.of()).get(subject);
            if (dead.contains(to) || dead.contains(self)) {
              return;
            }
            if (handler == null) {
              result.completeExceptionally(
                  new IllegalStateException("no handler of " + subject + " at " + to));
              return;
            }
            var unused =
                handler
                    .apply(bytes)
                    .thenAccept(
                        answer ->
                            deliver(
                                () -> {
                                  if (!dead.contains(self) && !dead.contains(to)) {
                                    result.complete(decoder.apply(answer));
                                  }
                                }));
          });
      var unused =
          scheduler.schedule(
              timeout,
              () -> result.completeExceptionally(new TimeoutException("no answer to " + subject)));
      return result;
    }
  }
}
