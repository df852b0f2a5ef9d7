package net.sluice.onos.cluster;

import java.util.Optional;
import java.util.function.Supplier;
import net.sluice.core.target.ForwardingTarget;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;

/**
 * A target that this instance may use only while it is its master. Sessions are refused when it is
 * not, and one that stands is ended by the next write.
 *
 * @param <E> what the target holds
 */
public final class MasterTarget<E> extends ForwardingTarget<E> {
  private final Supplier<Optional<String>> obstacle;

  /**
   * A guard before {@code target}.
   *
   * @param obstacle why this instance may not use the target now; empty if it may
   */
  public MasterTarget(Target<E> target, Supplier<Optional<String>> obstacle) {
    super(target);
    this.obstacle = obstacle;
  }

  @Override
  public void connect(SessionListener listener) {
    Optional<String> reason = obstacle.get();
    if (reason.isPresent()) {
      listener.down(reason.get());
      return;
    }
    super.connect(listener);
  }

  @Override
  public void write(WriteBatch<E> batch, WriteHandler handler) {
    Optional<String> reason = obstacle.get();
    if (reason.isPresent()) {
      handler.lost(reason.get());
      return;
    }
    super.write(batch, handler);
  }

  @Override
  public void close() {
    disconnect();
    super.close();
  }
}
