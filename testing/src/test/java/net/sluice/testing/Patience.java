package net.sluice.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits for what other threads do. Only a test that fails waits as long as {@link #SECONDS}; the
 * busiest machine gets there sooner.
 */
public final class Patience {
  public static final int SECONDS = 120;

  public static final Duration TIME = Duration.ofSeconds(SECONDS);

  /** The same, of a process that starts, and may build or fetch something before. */
  public static final int PROCESS_SECONDS = 600;

  /** Between two looks at a condition: long enough to leave the processors to the tested code. */
  private static final Duration PAUSE = Duration.ofMillis(10);

  /** The same for what costs another process more to answer. */
  private static final Duration PROCESS_PAUSE = Duration.ofMillis(200);

  private Patience() {}

  private static ConditionFactory awaiting(String what, Duration longest, Duration pause) {
    return Awaitility.await(what)
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(pause)
        .atMost(longest);
  }

  /** Looks again and again until a condition holds; for what tells its changes by no event. */
  public static void await(String what, Callable<Boolean> condition) {
    awaiting(what, TIME, PAUSE).until(condition);
  }

  /** Asks again and again until the answer is the wanted one, and returns it. */
  public static <T> T await(String what, Callable<T> question, Predicate<? super T> wanted) {
    return awaiting(what, TIME, PAUSE).until(question, wanted);
  }

  /**
   * Asks another process until the answer is the wanted one, and returns it. A question that fails
   * with an I/O error, as one to a server that has not started, is asked again as well.
   *
   * @param longest how long that may take
   */
  public static <T> T awaitAnswer(
      String what, Duration longest, Callable<T> question, Predicate<? super T> wanted) {
    return awaiting(what, longest, PROCESS_PAUSE)
        .ignoreExceptionsMatching(IOException.class::isInstance)
        .until(question, wanted);
  }

  /**
   * Looks again and again for that long, as often as another process is asked; a look at what is
   * wrong throws, which ends it.
   */
  public static void during(String what, Duration time, Callable<?> look) {
    awaiting(what, time.plus(TIME), PROCESS_PAUSE)
        .during(time)
        .until(
            () -> {
              Object unused = look.call();
              return true;
            });
  }

  /** Waits until a latch is open. */
  public static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(SECONDS, TimeUnit.SECONDS)).as("%s is open", latch).isTrue();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Takes the next element of a queue. */
  public static <T> T next(BlockingQueue<T> queue) {
    try {
      T next = queue.poll(SECONDS, TimeUnit.SECONDS);
      assertThat(next).as("the next element within %d s", SECONDS).isNotNull();
      return next;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static AssertionError interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new AssertionError("interrupted", e);
  }
}
