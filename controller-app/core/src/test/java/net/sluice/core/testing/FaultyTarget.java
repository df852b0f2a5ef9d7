package net.sluice.core.testing;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.core.time.Scheduler;

/**
 * Stands before a target and makes it misbehave by a seeded plan: sessions cannot be begun or drop
 * in the middle of a batch, writes are refused, answers come late, reading breaks off.
 *
 * @param <E> what the target holds
 */
public final class FaultyTarget<E> implements Target<E> {
  /** What a refused write is answered. */
  public static final String REFUSAL = "RESOURCE_EXHAUSTED: refused by plan";

  private final Target<E> inner;
  private final Scheduler scheduler;
  private FaultPlan plan;
  private Random random;
  private Session session;

  /** {@code inner} behind faults; delays pass by {@code scheduler}. */
  public FaultyTarget(Target<E> inner, FaultPlan plan, Scheduler scheduler) {
    this.inner = inner;
    this.scheduler = scheduler;
    plan(plan);
  }

  /** Misbehaves by another plan from now on. */
  public synchronized void plan(FaultPlan next) {
    plan = next;
    random = new Random(next.seed());
  }

  /** Ends the session, as the network would. */
  public void drop(String reason) {
    Session dropped;
    synchronized (this) {
      dropped = session;
      session = null;
    }
    if (dropped != null) {
      inner.disconnect();
      dropped.listener.down(reason);
    }
  }

  private synchronized boolean happens(double probability) {
    return random.nextDouble() < probability;
  }

  private synchronized int draw(int bound) {
    return random.nextInt(bound);
  }

  private synchronized Session current() {
    return session;
  }

  private static final class Session {
    final SessionListener listener;

    Session(SessionListener listener) {
      this.listener = listener;
    }
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public Capabilities capabilities() {
    return inner.capabilities();
  }

  @Override
  public void connect(SessionListener listener) {
    if (happens(plan.connectFails())) {
      listener.down("cannot connect, by plan");
      return;
    }
    Session begun = new Session(listener);
    synchronized (this) {
      session = begun;
    }
    inner.connect(
        new SessionListener() {
          @Override
          public void up() {
            listener.up();
          }

          @Override
          public void down(String reason) {
            synchronized (FaultyTarget.this) {
              if (session != begun) {
                return;
              }
              session = null;
            }
            listener.down(reason);
          }
        });
  }

  @Override
  public void disconnect() {
    synchronized (this) {
      session = null;
    }
    inner.disconnect();
  }

  @Override
  public void write(WriteBatch<E> batch, WriteHandler handler) {
    Session writing = current();
    if (writing == null) {
      handler.lost("not connected");
      return;
    }
    int end = batch.size();
    boolean drops = happens(plan.sessionDrops());
    if (drops) {
      end = draw(batch.size() + 1);
    }
    WriteResults results = new WriteResults(batch.size());
    WriteBatch<E> passed = new WriteBatch<>();
    int[] places = new int[end];
    for (int i = 0; i < end; i++) {
      if (happens(plan.writeRefused())) {
        results.set(i, WriteCode.REFUSED, REFUSAL);
      } else if (happens(plan.writeUnavailable())) {
        results.set(i, WriteCode.UNAVAILABLE, "UNAVAILABLE: by plan");
      } else {
        places[passed.size()] = i;
        passed.add(batch.op(i), batch.entity(i), batch.retires(i));
      }
    }
    WriteHandler answered =
        new WriteHandler() {
          @Override
          public void done(WriteResults answer) {
            for (int i = 0; i < passed.size(); i++) {
              results.set(places[i], answer.code(i), answer.message(i));
            }
            later(() -> finish(writing, drops, results, handler));
          }

          @Override
          public void lost(String reason) {
            handler.lost(reason);
          }
        };
    if (passed.size() == 0) {
      answered.done(WriteResults.allOk());
    } else {
      inner.write(passed, answered);
    }
  }

  private void finish(Session writing, boolean drops, WriteResults results, WriteHandler handler) {
    if (drops) {
      if (writing == current()) {
        drop("session dropped by plan");
      }
      handler.lost("session dropped by plan");
    } else {
      handler.done(results);
    }
  }

  private void later(Runnable answer) {
    long millis = plan.maxDelay().toMillis();
    if (millis == 0) {
      answer.run();
    } else {
      scheduler.schedule(Duration.ofMillis(draw((int) millis + 1)), answer);
    }
  }

  @Override
  public void read(ReadHandler<E> handler) {
    read(ExpectedEntries.none(), handler);
  }

  @Override
  public void read(ExpectedEntries<E> known, ReadHandler<E> handler) {
    boolean fails = happens(plan.readFails());
    int passing = draw(3);
    inner.read(
        known,
        new ReadHandler<>() {
          private int parts;
          private boolean ended;

          @Override
          public void entries(List<E> entries) {
            if (fails && !ended && parts++ >= passing) {
              ended = true;
              handler.failed("reading broke off by plan");
            } else if (!ended) {
              handler.entries(entries);
            }
          }

          @Override
          public void malformed(String reason, Removal remove) {
            if (!ended) {
              handler.malformed(reason, remove);
            }
          }

          @Override
          public void complete() {
            if (!ended) {
              handler.complete();
            }
          }

          @Override
          public void failed(String reason) {
            if (!ended) {
              handler.failed(reason);
            }
          }
        });
  }

  /** Leaves a session alone that another way to the same target has begun, also later. */
  @Override
  public void close() {
    if (current() != null) {
      disconnect();
      inner.close();
    }
  }
}
