package net.sluice.core.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import net.sluice.core.target.Target.ReadHandler;
import net.sluice.core.target.Target.Removal;

/** Everything that a reading brought; complete when {@link #end} says something. */
public final class ReadBack<E> implements ReadHandler<E> {
  public final List<E> entries = new ArrayList<>();

  /** Why things in our tables are none of ours, and what removes them. */
  public final List<String> malformed = new ArrayList<>();

  public final List<Removal> removals = new ArrayList<>();

  /** {@code complete}, or {@code failed: } and why. */
  public final BlockingQueue<String> end = new LinkedBlockingQueue<>();

  @Override
  public void entries(List<E> some) {
    entries.addAll(some);
  }

  @Override
  public void malformed(String reason, Removal remove) {
    malformed.add(reason);
    removals.add(remove);
  }

  @Override
  public void complete() {
    end.add("complete");
  }

  @Override
  public void failed(String reason) {
    end.add("failed: " + reason);
  }
}
