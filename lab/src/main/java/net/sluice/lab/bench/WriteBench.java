package net.sluice.lab.bench;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import net.sluice.core.ControllerConfig.SwitchEndpoint;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.endpoints.P4RuntimeTarget;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberData;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.standalone.DefaultTopology;

/** Write throughput of the switch over gRPC, without compiler and store. */
final class WriteBench {
  private static final int BATCH = 1_000;
  private static final int WINDOW = 8;
  private static final int PATIENCE_SECONDS = 120;

  private WriteBench() {}

  /** Inserts one entry for each subscriber into an empty switch. */
  static double entriesPerSecond(SwitchEndpoint endpoint, int subscribers)
      throws IOException, InterruptedException {
    CompletableFuture<Void> up = new CompletableFuture<>();
    try (P4RuntimeTarget target = new P4RuntimeTarget("bench", endpoint, V1ModelPipeline.load())) {
      target.connect(
          new Target.SessionListener() {
            @Override
            public void up() {
              up.complete(null);
            }

            @Override
            public void down(String reason) {
              up.completeExceptionally(new IOException("session ended: " + reason));
            }
          });
      await(up);
      long start = System.nanoTime();
      write(target, subscribers);
      return subscribers * 1e9 / (System.nanoTime() - start);
    }
  }

  private static void write(P4RuntimeTarget target, int subscribers)
      throws IOException, InterruptedException {
    Semaphore window = new Semaphore(WINDOW);
    AtomicReference<String> failure = new AtomicReference<>();
    for (int i = 0; i < subscribers; i += BATCH) {
      WriteBatch<SwitchEntry> batch = new WriteBatch<>();
      for (int k = i; k < Math.min(subscribers, i + BATCH); k++) {
        batch.add(Op.INSERT, entry(k));
      }
      window.acquire();
      target.write(
          batch,
          new Target.WriteHandler() {
            @Override
            public void done(WriteResults results) {
              refusal(results, batch.size()).ifPresent(failure::set);
              window.release();
            }

            @Override
            public void lost(String reason) {
              failure.set(reason);
              window.release();
            }
          });
    }
    window.acquire(WINDOW);
    if (failure.get() != null) {
      throw new IOException("the switch refused a write: " + failure.get());
    }
  }

  private static Optional<String> refusal(WriteResults results, int size) {
    for (int i = 0; i < size; i++) {
      if (results.code(i) != WriteCode.OK) {
        return Optional.of(results.code(i) + " " + results.message(i));
      }
    }
    return Optional.empty();
  }

  private static SwitchEntry entry(int i) {
    return new SubscriberPrefixEntry(
        BenchSubscribers.subscriber(i).prefixes().get(0),
        new SubscriberData(i + 1, 1, DefaultTopology.ACCESS_PORT, 0, false, false));
  }

  private static void await(CompletableFuture<Void> up) throws IOException, InterruptedException {
    try {
      up.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw new IOException("the switch did not accept a session", e);
    }
  }
}
