package net.sluice.onos.cluster;

import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;

/**
 * A target that is not configured yet: declarations are accepted and wait for it.
 *
 * @param <E> what the target would hold
 */
public final class UnconfiguredTarget<E> implements Target<E> {
  private final String name;
  private final String reason;

  /** {@code reason} says what to configure. */
  public UnconfiguredTarget(String name, String reason) {
    this.name = name;
    this.reason = reason;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(1, 1);
  }

  @Override
  public void connect(SessionListener listener) {
    listener.down(reason);
  }

  @Override
  public void disconnect() {}

  @Override
  public void write(WriteBatch<E> batch, WriteHandler handler) {
    handler.lost(reason);
  }

  @Override
  public void read(ReadHandler<E> handler) {
    handler.failed(reason);
  }

  @Override
  public void close() {}
}
