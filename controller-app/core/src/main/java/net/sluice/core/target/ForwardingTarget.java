package net.sluice.core.target;

import java.util.Optional;

/**
 * Stands before a target and does what that does; a subclass changes a part of it.
 *
 * @param <E> what the target holds
 */
public abstract class ForwardingTarget<E> implements Target<E> {
  private final Target<E> target;

  /** Stands before {@code target}. */
  protected ForwardingTarget(Target<E> target) {
    this.target = target;
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
  public Optional<String> agent() {
    return target.agent();
  }

  @Override
  public void close() {
    target.close();
  }
}
