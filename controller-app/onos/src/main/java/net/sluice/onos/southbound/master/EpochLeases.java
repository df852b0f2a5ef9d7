package net.sluice.onos.southbound.master;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.sluice.core.ControllerException;
import net.sluice.core.target.NotReadyException;
import net.sluice.onos.southbound.driver.ProgramLoads;
import org.onosproject.net.DeviceId;

/**
 * Keeps sessions with the switches that this instance is master of apart, whichever instance they
 * are of: calls of a session reach the switch only until the next one begins, and those of the next
 * one only after all that were sent before have been answered. So what a session reads when it
 * begins is not changed afterwards by one before it, however late that one's calls arrive.
 *
 * <p>A session belongs to a takeover of the switch, by the number that the store gave it. One of an
 * earlier takeover than the last one seen cannot begin.
 *
 * <p>ONOS loads a program between two sessions: the one before it has ended, and the one after it
 * reads a switch that has been loaded.
 */
public final class EpochLeases implements ProgramLoads {
  private final Map<DeviceId, Turn> last = new ConcurrentHashMap<>();

  /**
   * Begins a session; the one before it is over.
   *
   * @param epoch number of the takeover
   * @throws NotReadyException if a later takeover has had a session
   */
  public Turn begin(DeviceId device, long epoch) throws NotReadyException {
    Turn begun =
        last.compute(
            device,
            (unused, before) ->
                before != null && before.epoch > epoch
                    ? before
                    : new Turn(epoch, before, "a later session with " + device + " has begun"));
    if (begun.epoch != epoch) {
      throw new NotReadyException(
          "another controller, of epoch "
              + begun.epoch
              + ", has taken "
              + device
              + " over; this one's epoch is "
              + epoch);
    }
    return begun;
  }

  @Override
  public CompletableFuture<Boolean> load(
      DeviceId device, String reason, Supplier<CompletableFuture<Boolean>> call) {
    CompletableFuture<Boolean> loaded = new CompletableFuture<>();
    AtomicReference<Turn> ended = new AtomicReference<>();
    Turn turn =
        last.compute(
            device,
            (unused, before) -> {
              ended.set(before);
              Turn load = new Turn(before == null ? Long.MIN_VALUE : before.epoch, before, reason);
              load.underWay.add(loaded);
              return load;
            });
    if (ended.get() != null) {
      ended.get().lose(reason);
    }
    turn.begins
        .thenCompose(unused -> call.get())
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                loaded.complete(done);
              } else {
                loaded.completeExceptionally(failure);
              }
            });
    return loaded;
  }

  /** One session's calls. */
  public static final class Turn {
    private final long epoch;
    private final CompletableFuture<?> begins;
    private final Set<CompletableFuture<?>> underWay = new HashSet<>();
    private Consumer<String> lost;

    /** Why nothing more is sent; null while the turn lasts. */
    private String over;

    private Turn(long epoch, Turn before, String reason) {
      this.epoch = epoch;
      this.begins = before == null ? CompletableFuture.completedFuture(null) : before.end(reason);
    }

    /** Tells from now on when the switch is lost, which ends the turn; null for no listener. */
    synchronized void listen(Consumer<String> listener) {
      lost = listener;
    }

    /** The switch is away or emptied, and may not hold any more what the session has seen. */
    void lose(String reason) {
      Consumer<String> listener;
      synchronized (this) {
        over = reason;
        listener = lost;
      }
      if (listener != null) {
        listener.accept(reason);
      }
    }

    /** Nothing more is sent; what has been is answered when the future completes. */
    private synchronized CompletableFuture<?> end(String reason) {
      over = reason;
      CompletableFuture<?>[] left =
          underWay.stream()
              .map(each -> each.handle((unused, failure) -> null))
              .toArray(CompletableFuture<?>[]::new);
      // What it was waiting for itself counts, too, if it has not sent anything yet.
      return CompletableFuture.allOf(left).thenCombine(begins, (unused, alsoUnused) -> null);
    }

    /** Makes a call when it may be made; it fails if the turn is over by then. */
    <T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> call) {
      return begins.thenCompose(unused -> send(call));
    }

    private <T> CompletableFuture<T> send(Supplier<CompletableFuture<T>> call) {
      CompletableFuture<T> sent;
      synchronized (this) {
        if (over != null) {
          return CompletableFuture.failedFuture(new ControllerException(over));
        }
        sent = call.get();
        underWay.add(sent);
      }
      return sent.whenComplete((value, failure) -> answered(sent));
    }

    private synchronized void answered(CompletableFuture<?> sent) {
      underWay.remove(sent);
    }
  }
}
