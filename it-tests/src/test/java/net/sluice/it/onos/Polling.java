package net.sluice.it.onos;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** Questions to other processes that tell nobody when their answer changes. */
final class Polling {
  /** From an answer to the next question, so that asking keeps nobody from working. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private Polling() {}

  /**
   * Asks until the answer is the wanted one. A question that fails with an I/O error, as one to a
   * server that has not started, is asked again as well.
   *
   * @param what for people: what has to become so
   * @param bound how long that may take
   * @return the answer
   */
  static <T> T until(String what, Duration bound, Callable<T> question, Predicate<T> wanted)
      throws Exception {
    long begin = System.nanoTime();
    Object seen;
    do {
      try {
        T answer = question.call();
        if (wanted.test(answer)) {
          return answer;
        }
        seen = answer;
      } catch (IOException e) {
        seen = e;
      }
      Thread.sleep(PAUSE.toMillis());
    } while (System.nanoTime() - begin < bound.toNanos());
    throw new AssertionError("not within " + bound.toSeconds() + " s: " + what + "; seen: " + seen);
  }
}
