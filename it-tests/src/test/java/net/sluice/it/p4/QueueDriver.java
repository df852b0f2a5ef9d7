package net.sluice.it.p4;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;

/**
 * Passes packets through the emulated switch's pipeline as a queue would whose delays the test
 * chooses, and returns mirrored packets to egress after a delay that it chooses, too.
 */
final class QueueDriver {
  private static final int LONG_QUEUE = 10;

  private final EmulatedSwitch dut;
  private final long mirrorMicros;
  private final Deque<SwitchPacket> mirrored = new ArrayDeque<>();
  private final Deque<Long> mirroredAt = new ArrayDeque<>();
  private int synchronised;

  QueueDriver(EmulatedSwitch dut, long mirrorMicros) {
    this.dut = dut;
    this.mirrorMicros = mirrorMicros;
  }

  /**
   * What becomes of a packet that leaves the queue at a time; empty if it is dropped, before the
   * queue or behind it.
   */
  ByteString leave(PortFrame frame, long nowMicros, long sojournMicros, boolean shortQueue) {
    dut.device().lock().lock();
    try {
      PacketPipeline pipeline = dut.device().pipeline();
      returnMirrored(pipeline, nowMicros);
      SwitchPacket packet = pipeline.acquire();
      byte[] bytes = frame.bytes().toByteArray();
      packet.setBytes(bytes, 0, bytes.length);
      pipeline.ingress(packet, frame.port(), nowMicros - sojournMicros);
      if (packet.dropped) {
        pipeline.release(packet);
        return ByteString.EMPTY;
      }
      packet.enqMicros = nowMicros - sojournMicros;
      packet.deqTimedelta = (int) sojournMicros;
      packet.deqQdepth = shortQueue ? 1 : LONG_QUEUE;
      pipeline.egress(packet, nowMicros);
      if ((packet.requests & SwitchPacket.CLONE) != 0) {
        pipeline.becomeReplica(packet.clone, 1);
        mirrored.add(packet.clone);
        mirroredAt.add(nowMicros + mirrorMicros);
        packet.clone = null;
        packet.requests = 0;
      }
      ByteString out =
          packet.dropped ? ByteString.EMPTY : ByteString.copyFrom(packet.toByteArray());
      pipeline.release(packet);
      return out;
    } finally {
      dut.device().lock().unlock();
    }
  }

  /**
   * Has packets leave for ten intervals, every 500 us after 20 ms in the queue: some are dropped,
   * but none before an interval is over.
   *
   * @return when the last one left, microseconds
   */
  long dropsAfterAnInterval(PortFrame frame, long beganMicros, long intervalMicros) {
    long now = beganMicros;
    int dropped = 0;
    while (now < beganMicros + 10 * intervalMicros) {
      now += 500;
      if (leave(frame, now, 20_000, false).isEmpty()) {
        assertThat(now - beganMicros).isGreaterThanOrEqualTo(intervalMicros);
        dropped++;
      }
    }
    assertThat(dropped).isGreaterThan(10);
    return now;
  }

  /**
   * Has the queue managed and left alone in turn: each time an interval passes before it drops
   * packets, and it drops none while it is left alone.
   */
  void managedInTurn(PortFrame frame, long intervalMicros, QueueAqmEntry settings) {
    long now = 1_000_000;
    for (int turn = 0; turn < 5; turn++) {
      dut.control().insert(List.of(settings));
      now = dropsAfterAnInterval(frame, now, intervalMicros);
      dut.control().write(dut.control().program().updates(Op.DELETE, settings));
      long began = now;
      while (now < began + 3 * intervalMicros) {
        now += 500;
        assertThat(leave(frame, now, 20_000, false)).isNotEmpty();
      }
    }
  }

  /**
   * Asserts whether a cycle that begins some time after another one knows what that has found.
   *
   * @param gapSeconds from the end of the one to the other
   */
  void assertRemembered(PortFrame frame, long intervalMicros, long gapSeconds, boolean remembered) {
    long now = 1_000_000;
    for (; now < 1_000_000 + 10 * intervalMicros; now += 500) {
      leave(frame, now, 20_000, false);
    }
    leave(frame, now, 0, false);
    now += gapSeconds * 1_000_000;
    leave(frame, now, 0, false);
    assertThat(synchronised).isEqualTo(1);
    leave(frame, now + 500, 20_000, false);
    leave(frame, now + 1_000, 20_000, false);
    assertThat(synchronised).isEqualTo(remembered ? 2 : 1);
  }

  /** Mirrored packets that have come back. */
  int synchronised() {
    return synchronised;
  }

  private void returnMirrored(PacketPipeline pipeline, long nowMicros) {
    while (!mirrored.isEmpty() && mirroredAt.peek() <= nowMicros) {
      long at = mirroredAt.remove();
      SwitchPacket packet = mirrored.remove();
      packet.enqMicros = at;
      packet.deqTimedelta = 0;
      packet.deqQdepth = 0;
      pipeline.egress(packet, at);
      // A report of the queue's delay goes on to ingress, which is no matter of the queue's.
      synchronised += packet.dropped ? 1 : 0;
      pipeline.release(packet);
    }
  }
}
