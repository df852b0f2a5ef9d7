package net.sluice.lab.experiment;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import net.sluice.lab.support.Figures;
import net.sluice.lab.support.Progress;

/**
 * The cases of an experiment. They run on all cores, those with the most work first, and the
 * progress lines say beforehand and meanwhile how long that takes. No case's result depends on the
 * others, or on their order.
 */
public final class Cases {
  /** A case's work, done by one thread, which says by its progress how far it has come. */
  @FunctionalInterface
  public interface Body<T> {
    /** Does the work. */
    T run(Progress progress) throws Exception;
  }

  private static final double MILLION = 1e6;
  private static final double NANOS = 1e9;

  private final Progress progress;
  private final int cores;
  private final LongSupplier nanoTime;
  private final List<Case<?>> cases = new ArrayList<>();
  private Estimate estimate;
  private int ended;

  /** No cases yet; they will run on the cores of this machine. */
  public Cases(Progress progress) {
    this(progress, Runtime.getRuntime().availableProcessors(), System::nanoTime);
  }

  Cases(Progress progress, int cores, LongSupplier nanoTime) {
    this.progress = progress;
    this.cores = cores;
    this.nanoTime = nanoTime;
  }

  /**
   * Adds a case.
   *
   * @param name stands before its progress lines
   * @param packets its work: the packets that it sends, or what takes as long
   * @return the case's result, from when {@link #run} has returned
   */
  public <T> Supplier<T> add(String name, double packets, Body<T> body) {
    Case<T> added = new Case<>(name, packets, body);
    cases.add(added);
    return added;
  }

  /**
   * Runs all cases.
   *
   * @param samplePackets work of {@code sample}
   * @param sample a short run, whose pace tells beforehand how long the cases take
   * @throws Exception that a case has failed with; the others are given up
   */
  public void run(double samplePackets, Body<?> sample) throws Exception {
    cases.sort(Comparator.<Case<?>>comparingDouble(each -> each.packets).reversed());
    for (int i = 0; i < cases.size(); i++) {
      cases.get(i).number = i;
    }
    estimate = new Estimate(cores, cases.stream().mapToDouble(each -> each.packets).toArray());
    progress.say("measuring this machine's pace by a short run");
    Sample pace = new Sample();
    sample.run(pace);
    double packets = samplePackets * pace.part();
    double seconds = secondsSince(pace.sinceNanos);
    estimate.sample(packets, seconds);
    double expected = estimate.secondsLeft();
    progress.say(
        String.format(
            Locale.ROOT,
            "%d cases, the work of %.2f million packets, on %d core%s: about %s (%.2f million took"
                + " %.1f s on one)",
            cases.size(),
            estimate.totalWork() / MILLION,
            cores,
            cores == 1 ? "" : "s",
            Figures.duration(expected),
            packets / MILLION,
            seconds));
    long started = nanoTime.getAsLong();
    runAll();
    progress.say(
        "took %s; about %s was expected"
            .formatted(Figures.duration(secondsSince(started)), Figures.duration(expected)));
  }

  private void runAll() throws Exception {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            cores,
            task -> {
              Thread thread = new Thread(task, "sluice-case");
              thread.setDaemon(true);
              return thread;
            });
    try {
      CompletionService<Void> running = new ExecutorCompletionService<>(threads);
      cases.forEach(running::submit);
      for (int i = 0; i < cases.size(); i++) {
        running.take().get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception failure) {
        throw failure;
      }
      throw e;
    } finally {
      threads.shutdownNow();
    }
  }

  private double secondsSince(long nanos) {
    return (nanoTime.getAsLong() - nanos) / NANOS;
  }

  private synchronized void advanced(Case<?> which, double part) {
    long now = nanoTime.getAsLong();
    estimate.done(
        which.number, (part - which.part) * which.packets, (now - which.seenNanos) / NANOS);
    which.part = part;
    which.seenNanos = now;
  }

  private synchronized void say(String what) {
    progress.say(what + left());
  }

  private synchronized void end(Case<?> which) {
    advanced(which, 1);
    ended++;
    progress.say(
        String.format(Locale.ROOT, "%d of %d: ", ended, cases.size()) + which.name + left());
  }

  private String left() {
    double seconds = estimate.secondsLeft();
    return seconds == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "; %.0f %% done, about %s left",
            Math.floor(100 * estimate.part()),
            Figures.duration(seconds));
  }

  /** Counts from the last progress in the first half on: Java is slow at first. */
  private final class Sample implements Progress {
    private long sinceNanos = nanoTime.getAsLong();
    private double since;

    @Override
    public void say(String what) {}

    @Override
    public void at(double done, String what) {
      if (done <= 0.5) {
        since = done;
        sinceNanos = nanoTime.getAsLong();
      }
    }

    double part() {
      return 1 - since;
    }
  }

  private final class Case<T> implements Callable<Void>, Supplier<T>, Progress {
    private final String name;
    private final double packets;
    private final Body<T> body;
    private int number;
    private double part;
    private long seenNanos;
    private T result;

    Case(String name, double packets, Body<T> body) {
      this.name = name;
      this.packets = packets;
      this.body = body;
    }

    @Override
    public Void call() throws Exception {
      seenNanos = nanoTime.getAsLong();
      result = body.run(this);
      end(this);
      return null;
    }

    @Override
    public T get() {
      if (result == null) {
        throw new IllegalStateException(name + " has not run");
      }
      return result;
    }

    @Override
    public void say(String what) {
      progress.say(name + ": " + what);
    }

    @Override
    public void at(double done, String what) {
      advanced(this, done);
      Cases.this.say(name + ": " + what);
    }
  }
}
