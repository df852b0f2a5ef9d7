package net.sluice.lab.support;

import java.io.PrintWriter;
import java.util.Locale;

/** Progress lines of a run. */
public interface Progress {
  /** Says a step. */
  void say(String what);

  /**
   * Says how far the run has come.
   *
   * @param done part of it, 0..1
   */
  default void at(double done, String what) {
    say(what);
  }

  /** Progress shown line by line, each with the wall seconds since now. */
  static Progress on(PrintWriter out) {
    long startNanos = System.nanoTime();
    return what -> {
      synchronized (out) {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        out.println(String.format(Locale.ROOT, "[%6.1f s] %s", seconds, what));
        out.flush();
      }
    };
  }
}
