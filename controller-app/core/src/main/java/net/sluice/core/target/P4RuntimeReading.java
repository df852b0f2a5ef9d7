package net.sluice.core.target;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import net.sluice.core.target.Target.ReadHandler;
import net.sluice.core.target.Target.Removal;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.pipeconf.DecodedEntry;
import net.sluice.pipeconf.EntryCodec;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** Decodes a streamed read message by message; asks for the next only when one is dealt with. */
final class P4RuntimeReading implements ClientResponseObserver<ReadRequest, ReadResponse> {
  private final EntryCodec codec;
  private final ReadHandler<SwitchEntry> handler;
  private final Function<TableEntry, Removal> removal;
  private ClientCallStreamObserver<ReadRequest> call;

  P4RuntimeReading(
      EntryCodec codec, ReadHandler<SwitchEntry> handler, Function<TableEntry, Removal> removal) {
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
    List<SwitchEntry> known = new ArrayList<>(message.getEntitiesCount());
    for (Entity entity : message.getEntitiesList()) {
      if (!entity.hasTableEntry() || entity.getTableEntry().getIsDefaultAction()) {
        continue;
      }
      DecodedEntry decoded = codec.decode(entity.getTableEntry());
      if (decoded instanceof DecodedEntry.Known of) {
        known.add(of.entry());
      } else if (decoded instanceof DecodedEntry.Malformed of) {
        handler.malformed(of.reason(), removal.apply(of.entry()));
      }
    }
    handler.entries(known);
    call.request(1);
  }

  @Override
  public void onError(Throwable failure) {
    handler.failed(P4RuntimeErrors.text(failure));
  }

  @Override
  public void onCompleted() {
    handler.complete();
  }
}
