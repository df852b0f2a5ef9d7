package net.sluice.emulator.server.p4runtime.stream;

import com.google.rpc.Code;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.program.DigestBinding;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.switching.DeviceTimer;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.emulator.v1model.runtime.DigestBuffer;
import p4.v1.P4RuntimeOuterClass.DigestListAck;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;

/**
 * Brings digest lists to the primary controllers, and takes their acknowledgements. When other
 * controllers become primary, what has been sent counts as not sent. Everything happens under the
 * switch's lock.
 */
public final class DigestNotifier
    implements DeviceTimer, DigestBuffer.Sink, StreamRequests.Handler {

  private static final long NANOS_PER_MICRO = 1_000L;

  private final V1modelSwitch device;
  private final Notifier notifier;
  private final List<DigestBuffer> buffers = new ArrayList<>();
  private final Map<DigestBuffer, DigestBinding> bindings = new HashMap<>();

  public DigestNotifier(V1modelSwitch device, Notifier notifier) {
    this.device = device;
    this.notifier = notifier;
  }

  /** Serves the digests of the config that is in force from now on. */
  public void follow(Binding binding) {
    device.lock().lock();
    try {
      buffers.forEach(buffer -> buffer.connect(null));
      buffers.clear();
      bindings.clear();
      for (DigestBinding digest : binding.digests().all()) {
        buffers.add(digest.buffer());
        bindings.put(digest.buffer(), digest);
        digest.buffer().connect(this);
      }
    } finally {
      device.lock().unlock();
    }
  }

  @Override
  public Object audience() {
    return notifier.audience();
  }

  @Override
  public void dueChanged() {
    device.clock().timersChanged();
  }

  @Override
  public boolean send(DigestBuffer from, DigestBuffer.DigestList list) {
    return notifier.hasPrimary()
        && notifier.toPrimaries(
                StreamMessageResponse.newBuilder()
                    .setDigest(bindings.get(from).message(list, device.clock().epochNanos()))
                    .build())
            > 0;
  }

  @Override
  public long nextMicros() {
    long next = Long.MAX_VALUE;
    for (int i = 0; i < buffers.size(); i++) {
      long due = buffers.get(i).dueNanos();
      if (due != Long.MAX_VALUE) {
        next = Math.min(next, due / NANOS_PER_MICRO + (due % NANOS_PER_MICRO == 0 ? 0 : 1));
      }
    }
    return next;
  }

  @Override
  public void run(long nowMicros) {
    for (DigestBuffer buffer : buffers) {
      buffer.run(nowMicros * NANOS_PER_MICRO);
    }
  }

  /** A controller has acted on a list. */
  @Override
  public void handle(Binding binding, StreamMessageRequest message) throws RpcException {
    DigestListAck ack = message.getDigestAck();
    DigestBuffer buffer = binding.digests().get(ack.getDigestId()).buffer();
    device.lock().lock();
    try {
      if (!buffer.hasSent(ack.getListId())) {
        throw new RpcException(
            Code.NOT_FOUND,
            "list_id %s of digest '%s' has not been sent"
                .formatted(
                    Long.toUnsignedString(ack.getListId()),
                    binding.digests().get(ack.getDigestId()).name()));
      }
      // One that comes late, when the list has been forgotten, is no error.
      buffer.acknowledge(ack.getListId());
    } finally {
      device.lock().unlock();
    }
  }
}
