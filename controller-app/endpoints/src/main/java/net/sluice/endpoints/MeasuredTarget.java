package net.sluice.endpoints;

import net.sluice.core.target.ForwardingTarget;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteResults;

/** A target whose writes are timed. */
final class MeasuredTarget<E> extends ForwardingTarget<E> {
  private final Measures measures;

  MeasuredTarget(Target<E> target, Measures measures) {
    super(target);
    this.measures = measures;
  }

  @Override
  public void write(WriteBatch<E> batch, WriteHandler handler) {
    long begun = System.nanoTime();
    int updates = batch.size();
    super.write(
        batch,
        new WriteHandler() {
          @Override
          public void done(WriteResults results) {
            measures.written(name(), updates, true, System.nanoTime() - begun);
            handler.done(results);
          }

          @Override
          public void lost(String reason) {
            measures.written(name(), updates, false, System.nanoTime() - begun);
            handler.lost(reason);
          }
        });
  }
}
