package net.sluice.emulator.server.p4runtime;

import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import net.sluice.testing.Patience;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Error;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** A controller of device {@value #DEVICE} on a connection of its own. */
public final class Controller extends P4RuntimeClient {

  public static final long DEVICE = 5;

  /** Does not wait for a server. */
  public final P4RuntimeGrpc.P4RuntimeBlockingStub stub;

  public Controller(int port) {
    super(
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .maxInboundMetadataSize(1 << 20)
            .build(),
        DEVICE);
    stub = P4RuntimeGrpc.newBlockingStub(channel);
  }

  /** A controller that has become primary with this election id. */
  public static Controller primary(int port, long electionId) {
    return new Controller(port).becomePrimary(electionId);
  }

  /** Claims and takes the answer. */
  public Controller becomePrimary(long id) {
    claim(id);
    next();
    return this;
  }

  /** Takes part in a role, from before its first claim on. */
  public Controller in(String roleName) {
    role(roleName);
    return this;
  }

  /** Takes an election id without claiming it. */
  public Controller as(long id) {
    electionId(id(id));
    return this;
  }

  /** A second stream on this controller's connection that has sent its claim. */
  public StreamObserver<StreamMessageRequest> anotherStream(long id) {
    return anotherStream(id, new CompletableFuture<>());
  }

  /** The same, telling how it ends. */
  public StreamObserver<StreamMessageRequest> anotherStream(
      long id, CompletableFuture<Throwable> end) {
    BlockingQueue<StreamMessageResponse> answers = new LinkedBlockingQueue<>();
    StreamObserver<StreamMessageRequest> other = stream(answers, end);
    other.onNext(StreamMessageRequest.newBuilder().setArbitration(claimOf(id(id))).build());
    // Its answer is its end if it is refused.
    end.thenRun(() -> answers.add(StreamMessageResponse.getDefaultInstance()));
    try {
      if (answers.poll(Patience.SECONDS, TimeUnit.SECONDS) == null) {
        throw new IllegalStateException("nothing arrived on the stream");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    return other;
  }

  public void send(MasterArbitrationUpdate claim) {
    send(StreamMessageRequest.newBuilder().setArbitration(claim).build());
  }

  public void claim(long id) {
    claim(id(id));
  }

  /** The next arbitration news as {@code "code highest-election-id"}. */
  public String news() {
    MasterArbitrationUpdate update = next().getArbitration();
    return com.google.rpc.Code.forNumber(update.getStatus().getCode())
        + " "
        + (update.hasElectionId() ? String.valueOf(update.getElectionId().getLow()) : "none");
  }

  public WriteRequest.Builder writeRequest(Update... updates) {
    return writeRequest(List.of(updates));
  }

  public void write(Update... updates) {
    stub.write(writeRequest(updates).build());
  }

  /**
   * The error of a write that consists of one update, as {@code "CODE message"}; {@code "OK"} if
   * there is none.
   */
  public String writeError(Update update) {
    try {
      write(update);
      return "OK";
    } catch (StatusRuntimeException e) {
      return text(details(e).get(0));
    }
  }

  public static String text(Error error) {
    String code = com.google.rpc.Code.forNumber(error.getCanonicalCode()).name();
    return error.getMessage().isEmpty() ? code : code + " " + error.getMessage();
  }

  public List<Entity> read(Entity... entities) {
    return read(List.of(entities));
  }

  public List<TableEntry> readEntries(TableEntry filter) {
    return read(Entity.newBuilder().setTableEntry(filter).build()).stream()
        .map(Entity::getTableEntry)
        .toList();
  }
}
