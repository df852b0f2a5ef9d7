package net.sluice.emulator.netsim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchDevice;
import net.sluice.emulator.switching.SwitchPacket;

/**
 * A switch whose program is two Java lambdas; by default it sends everything to port 1 unchanged.
 */
public final class TestDevice implements SwitchDevice {

  /** A packet with public length, so that egress can cut it. */
  public static final class Packet extends SwitchPacket {
    private final TestPipeline owner;

    private Packet(TestPipeline owner) {
      this.owner = owner;
    }

    /** Puts 32 bits in front of the packet, big-endian. */
    public void push(int word) {
      offset -= 4;
      length += 4;
      for (int i = 0; i < 4; i++) {
        bytes[offset + i] = (byte) (word >> 24 - 8 * i);
      }
    }

    /** Cuts or grows the packet at its end. */
    public void resize(int bytes) {
      length = bytes;
    }
  }

  /** One loaded program. */
  public static final class TestPipeline implements PacketPipeline {
    private final Consumer<Packet> ingress;
    private final Consumer<Packet> egress;
    private final Deque<Packet> pool = new ArrayDeque<>();
    private int outstanding;

    /** The metadata that egress got, in order. */
    public final List<String> egressLog = new ArrayList<>();

    public boolean logging;

    /** First bytes of the packets that it was told to expect, in order. */
    public final List<Byte> expected = Collections.synchronizedList(new ArrayList<>());

    private TestPipeline(Consumer<Packet> ingress, Consumer<Packet> egress) {
      this.ingress = ingress;
      this.egress = egress;
    }

    /** Packets acquired and not yet released. */
    public int outstanding() {
      return outstanding;
    }

    @Override
    public SwitchPacket acquire() {
      outstanding++;
      return pool.isEmpty() ? new Packet(this) : pool.pop();
    }

    @Override
    public void release(SwitchPacket packet) {
      Packet own = own(packet);
      outstanding--;
      pool.push(own);
    }

    @Override
    public void expect(byte[] bytes, int[] offsets, int[] lengths, int count) {
      for (int i = 0; i < count; i++) {
        expected.add(bytes[offsets[i]]);
      }
    }

    @Override
    public void ingress(SwitchPacket packet, int port, long nowMicros) {
      packet.ingressPort = port;
      packet.ingressMicros = nowMicros;
      packet.egressPort = 1;
      ingress.accept(own(packet));
    }

    @Override
    public void reenter(SwitchPacket packet, long nowMicros) {
      ingress(packet, packet.ingressPort, nowMicros);
    }

    @Override
    public void egress(SwitchPacket packet, long nowMicros) {
      egress.accept(own(packet));
      if (logging) {
        egressLog.add(
            String.format(
                "enq=%d depth=%d delta=%d left=%d now=%d",
                packet.enqMicros,
                packet.enqQdepth,
                packet.deqTimedelta,
                packet.deqQdepth,
                nowMicros));
      }
    }

    private Packet own(SwitchPacket packet) {
      Packet own = (Packet) packet;
      if (own.owner != this) {
        throw new IllegalStateException("packet of another pipeline");
      }
      return own;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private TestPipeline pipeline;

  public TestDevice() {
    load(p -> {}, p -> {});
  }

  /** Replaces the program. */
  public TestPipeline load(Consumer<Packet> ingress, Consumer<Packet> egress) {
    lock.lock();
    try {
      pipeline = new TestPipeline(ingress, egress);
      return pipeline;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long deviceId() {
    return 1;
  }

  @Override
  public ReentrantLock lock() {
    return lock;
  }

  @Override
  public TestPipeline pipeline() {
    return pipeline;
  }

  @Override
  public long droppedWithoutProgram() {
    return 0;
  }
}
