package net.sluice.lab.support;

import java.io.PrintWriter;
import java.util.Locale;

/** Progress lines: wall seconds since the command began, and the current step. */
public final class Progress {
  private final PrintWriter out;
  private final long startNanos = System.nanoTime();

  /** Progress shown on {@code out}. */
  public Progress(PrintWriter out) {
    this.out = out;
  }

  /** Prints a step on a line of its own. */
  public void say(String what) {
    out.println(String.format(Locale.ROOT, "[%6.1f s] %s", seconds(), what));
    out.flush();
  }

  /** Wall seconds since the command began. */
  public double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
