package net.sluice.endpoints;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.target.Target.ReadHandler;
import net.sluice.core.target.Target.Removal;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.pipeconf.table.DecodedEntry;
import net.sluice.pipeconf.table.EntryCodec;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;

/**
 * Decodes a streamed read message by message; asks for the next only when one is dealt with. How
 * long that takes as a whole depends on what there is to read, so it has no deadline: whoever wants
 * to know whether it still gets on asks {@link #isStalled} from time to time.
 */
final class P4RuntimeReading implements ClientResponseObserver<ReadRequest, ReadResponse> {
  private final EntryCodec codec;
  private final ReadHandler<SwitchEntry> handler;
  private final Function<Entity, Removal> removal;
  private final AtomicLong steps = new AtomicLong();
  private volatile boolean ended;
  private long stepsBefore = -1;
  private ClientCallStreamObserver<ReadRequest> call;

  P4RuntimeReading(
      EntryCodec codec, ReadHandler<SwitchEntry> handler, Function<Entity, Removal> removal) {
    this.codec = codec;
    this.handler = handler;
    this.removal = removal;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<ReadRequest> stream) {
    call = stream;
    // One more than is being dealt with, so that the switch does not stand still meanwhile.
    stream.disableAutoRequestWithInitial(2);
  }

  @Override
  public void onNext(ReadResponse message) {
    steps.incrementAndGet();
    List<SwitchEntry> known = new ArrayList<>(message.getEntitiesCount());
    for (Entity entity : message.getEntitiesList()) {
      boolean entry =
          entity.hasTableEntry() && !entity.getTableEntry().getIsDefaultAction()
              || entity.hasPacketReplicationEngineEntry();
      if (!entry) {
        continue;
      }
      DecodedEntry decoded = codec.decode(entity);
      if (decoded instanceof DecodedEntry.Known of) {
        known.add(of.entry());
      } else if (decoded instanceof DecodedEntry.Malformed of) {
        handler.malformed(of.reason(), removal.apply(of.entity()));
      }
    }
    handler.entries(known);
    steps.incrementAndGet();
    call.request(1);
  }

  /**
   * True if the switch has sent nothing since this was last asked; not while a message is dealt
   * with.
   */
  boolean isStalled() {
    long now = steps.get();
    boolean stalled = now == stepsBefore && now % 2 == 0;
    stepsBefore = now;
    return stalled;
  }

  /** True once the handler has been told of the end. */
  boolean isEnded() {
    return ended;
  }

  /** Ends the reading; the handler is told so. */
  void giveUp(String reason) {
    call.cancel(reason, null);
  }

  @Override
  public void onError(Throwable failure) {
    ended = true;
    handler.failed(RpcErrors.text(failure));
  }

  @Override
  public void onCompleted() {
    ended = true;
    handler.complete();
  }
}
