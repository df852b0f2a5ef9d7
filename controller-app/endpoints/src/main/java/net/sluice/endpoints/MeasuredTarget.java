package net.sluice.endpoints;

import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteResults;

/** A target whose writes are timed. */
final class MeasuredTarget<E> implements Target<E> {
  private final Target<E> target;
  private final Measures measures;

  MeasuredTarget(Target<E> target, Measures measures) {
    this.target = target;
    this.measures = measures;
  }

  @Override
  public String name() {
    return target.name();
  }

  @Override
  public Capabilities capabilities() {
    return target.capabilities();
  }

  @Override
  public void connect(SessionListener listener) {
    target.connect(listener);
  }

  @Override
  public void disconnect() {
    target.disconnect();
  }

  @Override
  public void write(WriteBatch<E> batch, WriteHandler handler) {
    long begun = System.nanoTime();
    int updates = batch.size();
    target.write(
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

  @Override
  public void read(ReadHandler<E> handler) {
    target.read(handler);
  }

  @Override
  public void read(ExpectedEntries<E> known, ReadHandler<E> handler) {
    target.read(known, handler);
  }

  @Override
  public void close() {
    target.close();
  }
}
