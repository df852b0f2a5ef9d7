package net.sluice.endpoints;

import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;

/** A target that must not be connected to, and says why. */
final class TargetOutOfReach<E> implements Target<E> {
  private static final Capabilities CAPABILITIES = new Capabilities(1, 1);

  private final String name;
  private final String reason;

  TargetOutOfReach(String name, String reason) {
    this.name = name;
    this.reason = reason;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
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
