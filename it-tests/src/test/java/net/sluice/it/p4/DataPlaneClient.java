package net.sluice.it.p4;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import net.sluice.testing.Patience;

/**
 * Frames in and out of simple_switch_grpc through its data plane service: no interfaces, no root,
 * and each frame that leaves names the one it came from. When the client has closed its side of the
 * stream, the switch finishes all packets before it closes its own, which is what tells a dropped
 * packet from a late one.
 *
 * <p>Request and answer are one message: 1 id, 2 device id, 3 port (varints), 4 frame (bytes).
 */
public final class DataPlaneClient {
  /** The switch's egress queues hold 64 packets and drop what is more. */
  private static final int WINDOW = 48;

  /** How long a window may take: a program may never let go of a frame. */
  private static final int WINDOW_SECONDS = 60;

  /** What the switch says until its data plane begins, a moment after it takes programs. */
  private static final String NOT_READY = "not ready";

  private static final int ID = 1;
  private static final int DEVICE_ID = 2;
  private static final int PORT = 3;
  private static final int FRAME = 4;

  private record Message(long id, long deviceId, PortFrame frame) {}

  private static final MethodDescriptor<Message, Message> PACKET_STREAM =
      MethodDescriptor.<Message, Message>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName("p4.bm.DataplaneInterface/PacketStream")
          .setRequestMarshaller(new MessageMarshaller())
          .setResponseMarshaller(new MessageMarshaller())
          .build();

  private final ManagedChannel channel;
  private final long deviceId;

  /** Frames in and out of the device behind a channel. */
  public DataPlaneClient(ManagedChannel channel, long deviceId) {
    this.channel = channel;
    this.deviceId = deviceId;
  }

  /** For each frame given, what left the switch because of it. */
  public List<List<PortFrame>> pass(List<PortFrame> frames) {
    List<List<PortFrame>> out = new ArrayList<>();
    for (int from = 0; from < frames.size(); from += WINDOW) {
      out.addAll(whenReady(frames.subList(from, Math.min(frames.size(), from + WINDOW))));
    }
    return out;
  }

  /**
   * The frames given, by their place from 0, in the order in which they left the switch.
   *
   * @param frames as many as a queue of the switch holds at most
   */
  public List<Integer> order(List<PortFrame> frames) {
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    Passage passage = new Passage(message -> order.add((int) message.id() - 1));
    for (int i = 0; i < frames.size(); i++) {
      passage.send(i + 1L, frames.get(i));
    }
    passage.finish();
    return order;
  }

  private List<List<PortFrame>> whenReady(List<PortFrame> frames) {
    return Patience.await(
            "the data plane is ready",
            () -> {
              try {
                return Optional.of(passWindow(frames));
              } catch (IllegalStateException e) {
                if (!NOT_READY.equals(Status.fromThrowable(e).getDescription())) {
                  throw e;
                }
                return Optional.<List<List<PortFrame>>>empty();
              }
            },
            Optional::isPresent)
        .orElseThrow();
  }

  private List<List<PortFrame>> passWindow(List<PortFrame> frames) {
    List<List<PortFrame>> out = new ArrayList<>();
    frames.forEach(frame -> out.add(new ArrayList<>()));
    Passage passage =
        new Passage(
            message -> {
              if (message.id() < 1 || message.id() > out.size()) {
                throw new IllegalStateException("a frame nobody caused: " + message);
              }
              out.get((int) message.id() - 1).add(message.frame());
            });
    for (int i = 0; i < frames.size(); i++) {
      passage.send(i + 1L, frames.get(i));
    }
    passage.finish();
    return out;
  }

  /**
   * What leaves the switch because of something else than a frame.
   *
   * @param echoed a frame that comes back; when it has, the switch tells what leaves
   * @param cause done then
   */
  public List<PortFrame> during(PortFrame echoed, Runnable cause) {
    List<PortFrame> out = new ArrayList<>();
    CompletableFuture<Void> back = new CompletableFuture<>();
    Passage passage =
        new Passage(
            message -> {
              if (message.id() == 1) {
                back.complete(null);
              } else {
                out.add(message.frame());
              }
            });
    passage.done.whenComplete((none, failure) -> back.completeExceptionally(early(failure)));
    try {
      passage.send(1, echoed);
      get(back);
      cause.run();
    } finally {
      passage.requests.onCompleted();
    }
    get(passage.done);
    return out;
  }

  private static Throwable early(Throwable failure) {
    return failure == null ? new IllegalStateException("the frame has not come back") : failure;
  }

  private static void get(CompletableFuture<Void> future) {
    try {
      future.get(2 * WINDOW_SECONDS, SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the switch did not finish the packets", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the switch works", e);
    }
  }

  /** One call, and what leaves the switch during it. */
  private final class Passage implements StreamObserver<Message> {
    private final Consumer<Message> arrived;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final StreamObserver<Message> requests;

    Passage(Consumer<Message> arrived) {
      this.arrived = arrived;
      requests =
          ClientCalls.asyncBidiStreamingCall(
              channel.newCall(
                  PACKET_STREAM,
                  CallOptions.DEFAULT
                      .withWaitForReady()
                      .withDeadlineAfter(WINDOW_SECONDS, SECONDS)),
              this);
    }

    @Override
    public void onNext(Message message) {
      try {
        arrived.accept(message);
      } catch (IllegalStateException e) {
        done.completeExceptionally(e);
      }
    }

    @Override
    public void onError(Throwable error) {
      done.completeExceptionally(error);
    }

    @Override
    public void onCompleted() {
      done.complete(null);
    }

    void send(long id, PortFrame frame) {
      requests.onNext(new Message(id, deviceId, frame));
    }

    void finish() {
      requests.onCompleted();
      get(done);
    }
  }

  private static final class MessageMarshaller implements MethodDescriptor.Marshaller<Message> {
    @Override
    public InputStream stream(Message message) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      try {
        out.writeUInt64(ID, message.id());
        out.writeUInt64(DEVICE_ID, message.deviceId());
        out.writeUInt32(PORT, message.frame().port());
        out.writeBytes(FRAME, message.frame().bytes());
        out.flush();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot encode " + message, e);
      }
      return new ByteArrayInputStream(bytes.toByteArray());
    }

    @Override
    public Message parse(InputStream stream) {
      long id = 0;
      long device = 0;
      int port = 0;
      ByteString frame = ByteString.EMPTY;
      CodedInputStream in = CodedInputStream.newInstance(stream);
      try {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
          switch (tag >>> 3) {
            case ID -> id = in.readUInt64();
            case DEVICE_ID -> device = in.readUInt64();
            case PORT -> port = in.readUInt32();
            case FRAME -> frame = in.readBytes();
            default -> in.skipField(tag);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot decode the switch's answer", e);
      }
      return new Message(id, device, new PortFrame(port, frame));
    }
  }
}
