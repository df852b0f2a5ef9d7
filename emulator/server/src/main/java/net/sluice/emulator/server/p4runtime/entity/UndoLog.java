package net.sluice.emulator.server.p4runtime.entity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How to take back what a batch has done so far. A batch that goes on behind errors has none, so
 * that ordinary writes pay nothing for it.
 */
public final class UndoLog {

  private final List<Runnable> steps = new ArrayList<>();
  private final Set<Object> saved = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Notes how to take back what was just done. */
  public void add(Runnable step) {
    steps.add(step);
  }

  /** Notes how to bring a whole back to what it was before the batch first touched it. */
  public void addOnce(Object whole, Supplier<Runnable> snapshot) {
    if (saved.add(whole)) {
      steps.add(snapshot.get());
    }
  }

  /** Takes everything back, the last change first. */
  public void undo() {
    for (int i = steps.size() - 1; i >= 0; i--) {
      steps.get(i).run();
    }
    steps.clear();
  }
}
