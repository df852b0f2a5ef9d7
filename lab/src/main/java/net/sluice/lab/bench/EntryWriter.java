package net.sluice.lab.bench;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.embedded.DefaultTopology;
import net.sluice.endpoints.P4RuntimeTarget;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.pipeconf.V1ModelPipeline;

/** Writes entries to the switch as the controller's sessions do, without compiler and store. */
final class EntryWriter implements AutoCloseable {
  /** Updates of a request and requests in flight. */
  static final int BATCH = 1_000;

  static final int WINDOW = 8;

  private static final int FOREIGN_ADDRESS = 0x64400000;
  private static final int PATIENCE_SECONDS = 120;

  /** Adds the writes of item {@code i} to a batch. */
  @FunctionalInterface
  private interface Writes {
    void add(int i, WriteBatch<SwitchEntry> batch);
  }

  private final P4RuntimeTarget target;

  private EntryWriter(P4RuntimeTarget target) {
    this.target = target;
  }

  /** Becomes primary at the switch. */
  static EntryWriter connect(SwitchEndpoint endpoint) throws IOException, InterruptedException {
    P4RuntimeTarget target = new P4RuntimeTarget("bench", endpoint, V1ModelPipeline.load());
    CompletableFuture<Void> up = new CompletableFuture<>();
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
    try {
      up.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return new EntryWriter(target);
    } catch (ExecutionException e) {
      target.close();
      throw new IOException(e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      target.close();
      throw new IOException("the switch did not accept a session", e);
    }
  }

  /** Inserts one entry for each of {@code subscribers} into an empty switch; entries a second. */
  double entriesPerSecond(int subscribers) throws IOException, InterruptedException {
    long start = System.nanoTime();
    write(
        subscribers,
        1,
        (i, batch) -> batch.add(Op.INSERT, entry(BenchSubscribers.EASY.prefixes(i).get(0), i + 1)));
    return subscribers * 1e9 / (System.nanoTime() - start);
  }

  /**
   * Puts 1 % of the prefixes of {@code count} subscribers wrong: of every third of these they are
   * deleted, of every third changed, and for every third an entry is added that is nobody's.
   *
   * @return number of entries put wrong
   */
  int damage(BenchSubscribers subscribers, int count) throws IOException, InterruptedException {
    return write(
        count,
        100,
        (i, batch) -> {
          if (i / 100 % 3 == 2) {
            batch.add(Op.INSERT, entry(IpPrefix.v4(FOREIGN_ADDRESS + i, 32), 1));
            return;
          }
          Op op = i / 100 % 3 == 0 ? Op.DELETE : Op.MODIFY;
          subscribers.prefixes(i).forEach(prefix -> batch.add(op, entry(prefix, count + 1)));
        });
  }

  private static SwitchEntry entry(IpPrefix prefix, int index) {
    return new SubscriberPrefixEntry(
        prefix, new SubscriberData(index, 1, DefaultTopology.ACCESS_PORT, 0, false, false));
  }

  private int write(int count, int step, Writes writes) throws IOException, InterruptedException {
    Semaphore window = new Semaphore(WINDOW);
    AtomicReference<String> failure = new AtomicReference<>();
    int written = 0;
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    for (int i = 0; i < count; i += step) {
      writes.add(i, batch);
      if (batch.size() >= BATCH || i + step >= count) {
        written += batch.size();
        window.acquire();
        send(batch, window, failure);
        batch = new WriteBatch<>();
      }
    }
    window.acquire(WINDOW);
    if (failure.get() != null) {
      throw new IOException("the switch refused a write: " + failure.get());
    }
    return written;
  }

  private void send(
      WriteBatch<SwitchEntry> batch, Semaphore window, AtomicReference<String> failure) {
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

  private static Optional<String> refusal(WriteResults results, int size) {
    for (int i = 0; i < size; i++) {
      if (results.code(i) != WriteCode.OK) {
        return Optional.of(results.code(i) + " " + results.message(i));
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    target.close();
  }
}
