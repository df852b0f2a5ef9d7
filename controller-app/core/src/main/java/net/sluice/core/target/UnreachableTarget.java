package net.sluice.core.target;

/**
 * A target that cannot be connected to, or must not be: declarations are accepted and wait for it.
 *
 * @param <E> {@code SwitchEntry} or {@code FpgaSetting}
 */
public final class UnreachableTarget<E> implements Target<E> {
  private final String name;
  private final String reason;

  /** {@code reason} is shown as the session's detail. */
  public UnreachableTarget(String name, String reason) {
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
