package net.sluice.emulator.p4runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * How to take back what a batch has done so far. A batch that goes on behind errors has none, so
 * that ordinary writes pay nothing for it.
 */
final class UndoLog {

  private final List<Runnable> steps = new ArrayList<>();

  /** Notes how to take back what was just done. */
  void add(Runnable step) {
    steps.add(step);
  }

  /** Takes everything back, the last change first. */
  void undo() {
    for (int i = steps.size() - 1; i >= 0; i--) {
      steps.get(i).run();
    }
    steps.clear();
  }
}
