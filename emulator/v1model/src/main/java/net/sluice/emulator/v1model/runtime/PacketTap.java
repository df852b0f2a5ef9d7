package net.sluice.emulator.v1model.runtime;

/** Decides which packets of a pipeline are traced, and owns the traced pipeline. */
public abstract class PacketTap {

  private final CompiledPipeline traced;

  /**
   * @param traced the same program's traced pipeline, on the same state
   */
  protected PacketTap(CompiledPipeline traced) {
    this.traced = traced;
  }

  /** The pipeline that traced packets go through. */
  final CompiledPipeline traced() {
    return traced;
  }

  /** The trace of a packet about to enter ingress, or null if it is not traced. */
  protected abstract PacketTrace begin(ParsedPacket packet, int port, long nowMicros);
}
