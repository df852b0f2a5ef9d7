package net.sluice.onos.testing;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/**
 * What is at the other end of a {@link WireClient}: a switch in memory, or a real one over gRPC.
 */
public interface SwitchWire {
  /**
   * What a read brought.
   *
   * @param entities what came, before the failure if there is one
   * @param failure null if that was all
   */
  record Read(List<Entity> entities, Throwable failure) {}

  /** Completed with null if everything was written, else with what the call failed with. */
  CompletableFuture<Throwable> write(WriteRequest request);

  /** Completed in any case. */
  CompletableFuture<Read> read(ReadRequest request);
}
