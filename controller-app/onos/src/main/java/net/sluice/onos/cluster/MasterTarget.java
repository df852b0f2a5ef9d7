package net.sluice.onos.cluster;

import java.util.Optional;
import java.util.function.Supplier;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;

/**
 * A target that this instance may use only while it is its master. Sessions are refused when it is
 * not, and one that stands is ended by the next write.
 *
 * @param <E> what the target holds
 */
public final class MasterTarget<E> implements Target<E> {
  private final Target<E> target;
  private final Supplier<Optional<String>> obstacle;

  /**
   * A guard before {@code target}.
   *
   * @param obstacle why this instance may not use the target now; empty if it may
   */
  public MasterTarget(Target<E> target, Supplier<Optional<String>> obstacle) {
    this.target = target;
    this.obstacle = obstacle;
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
    Optional<String> reason = obstacle.get();
    if (reason.isPresent()) {
      listener.down(reason.get());
      return;
    }
    target.connect(listener);
  }

  @Override
  public void disconnect() {
    target.disconnect();
  }

  @Override
  public void write(WriteBatch<E> batch, WriteHandler handler) {
    Optional<String> reason = obstacle.get();
    if (reason.isPresent()) {
      handler.lost(reason.get());
      return;
    }
    target.write(batch, handler);
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
    disconnect();
    target.close();
  }
}
