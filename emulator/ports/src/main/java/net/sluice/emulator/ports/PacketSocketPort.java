package net.sluice.emulator.ports;

import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import net.sluice.emulator.netsim.FrameReceiver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A network interface as a port, through packet sockets (packet(7)): all that arrives at the
 * interface goes to the switch, in promiscuous mode; what the switch sends leaves by it. What the
 * machine itself sends by the interface is not seen.
 *
 * <p>VLAN tags that the kernel took out are put back. Checksum and segmentation offloads of the
 * sender's kernel are completed, as a card would. Needs CAP_NET_RAW.
 *
 * <p>Where the interface has a queue of its own that sends at a rate, such as one of tc(8), the
 * kernel takes some 200 kB for it and then no more until some have left.
 */
public final class PacketSocketPort extends NetworkPort {
  private static final Logger LOG = LoggerFactory.getLogger(PacketSocketPort.class);

  private static final int ETH_P_ALL = 3;
  private static final int ARPHRD_ETHER = 1;
  private static final int ARPHRD_LOOPBACK = 772;

  private static final int PACKET_STATISTICS = 6;
  private static final int PACKET_AUXDATA = 8;
  private static final int PACKET_VNET_HDR = 15;
  private static final int PACKET_IGNORE_OUTGOING = 23;

  private static final int STATISTICS_BYTES = 8;

  // struct cmsghdr and, behind it, struct tpacket_auxdata.
  private static final int CONTROL_LEVEL = 8;
  private static final int CONTROL_TYPE = 12;
  private static final int CONTROL_DATA = 16;
  private static final int AUX_BYTES = 20;
  private static final int AUX_VLAN_TCI = 16;
  private static final int AUX_VLAN_TPID = 18;
  private static final int VLAN_VALID = 0x10;
  private static final int VLAN_TPID_VALID = 0x40;
  private static final int C_TAG = 0x8100;

  // struct virtio_net_hdr, in front of each frame.
  private static final int OFFLOAD_BYTES = 10;
  private static final int OFFLOAD_GSO_TYPE = 1;
  private static final int OFFLOAD_GSO_SIZE = 4;
  private static final int OFFLOAD_START = 6;
  private static final int OFFLOAD_FIELD = 8;
  private static final int NEEDS_CHECKSUM = 1;
  private static final int GSO_TCPV4 = 1;
  private static final int GSO_TCPV6 = 4;
  private static final int GSO_UDP = 5;
  private static final int GSO_ECN = 0x80;

  private static final int ADDRESSES_BYTES = 12;

  private final SendBatch sending = new SendBatch();
  private final Offloads offloads = new Offloads();
  private final NativeMemory dropCount = new NativeMemory(STATISTICS_BYTES + Integer.BYTES);
  private int out;
  private int sent;
  private boolean blocked;
  private int in;
  private long kernelDrops;

  private PacketSocketPort(String name, int in, int out) {
    super(name);
    this.in = in;
    this.out = out;
  }

  /**
   * Opens an interface; from now on its frames are kept for the switch.
   *
   * @param name of an Ethernet interface of this machine, up or down
   * @throws PortException if there is none of this name, or it may not be used like this
   */
  public static PacketSocketPort open(String name) throws PortException {
    PacketSocket in = receiving(name);
    try {
      return new PacketSocketPort(name, in.descriptor(), PacketSocket.sending(name).descriptor());
    } catch (PortException e) {
      in.close();
      throw e;
    }
  }

  private static PacketSocket receiving(String name) throws PortException {
    PacketSocket in = PacketSocket.open(name);
    try {
      prepareReceiving(in);
      return in;
    } catch (PortException e) {
      in.close();
      throw e;
    }
  }

  @Override
  synchronized void reopen() {
    PacketSocketPort fresh;
    try {
      fresh = open(name());
    } catch (PortException e) {
      LOG.warn("{}", e.getMessage());
      return;
    }
    close();
    in = fresh.in;
    out = fresh.out;
    sending.clear();
    sent = 0;
    blocked = false;
    LOG.info("interface '{}' is there again", name());
  }

  private static void prepareReceiving(PacketSocket socket) throws PortException {
    socket.set(PACKET_IGNORE_OUTGOING, 1);
    socket.set(PACKET_AUXDATA, 1);
    socket.set(PACKET_VNET_HDR, 1);
    socket.enlarge(Libc.SO_RCVBUFFORCE, Libc.SO_RCVBUF);
    socket.bind(ETH_P_ALL);
    int type = socket.hardwareType();
    if (type != ARPHRD_ETHER && type != ARPHRD_LOOPBACK) {
      throw socket.failure("it is not an Ethernet interface, but of type " + type);
    }
    socket.bePromiscuous();
  }

  @Override
  int descriptor() {
    return in;
  }

  @Override
  int receive(ReceiveBatch batch) {
    MessageVector messages = batch.messages();
    while (true) {
      int count =
          Libc.recvmmsg(
              in, messages.pointer(0), ReceiveBatch.FRAMES, Libc.MSG_DONTWAIT, Pointer.NULL);
      if (count >= 0) {
        return count;
      }
      int errno = Libc.errno();
      if (errno == Libc.EINVAL) {
        // The kernel cannot describe this frame's offload and has dropped it.
        countUnusable();
      } else if (errno == Libc.ENETDOWN) {
        LOG.warn("interface '{}' went down", name());
      } else if (errno != Libc.EINTR) {
        if (errno != Libc.EAGAIN) {
          LOG.warn("interface '{}' receives nothing: {}", name(), Libc.text(errno));
        }
        return 0;
      }
    }
  }

  @Override
  int frameAt() {
    return OFFLOAD_BYTES;
  }

  @Override
  int held(ReceiveBatch batch, int slot) {
    return batch.messages().length(slot);
  }

  @Override
  void deliver(ReceiveBatch batch, int first, int count, FrameReceiver to, long nowNanos) {
    for (int i = first; i < first + count; i++) {
      deliverOne(batch, i, to, nowNanos);
      batch.messages().rearm(i);
    }
  }

  private void deliverOne(ReceiveBatch batch, int slot, FrameReceiver to, long nowNanos) {
    int length = batch.messages().length(slot) - OFFLOAD_BYTES;
    if (length < ADDRESSES_BYTES || (batch.messages().flags(slot) & Libc.MSG_TRUNC) != 0) {
      countUnusable();
      return;
    }
    byte[] frame = batch.frame();
    int tag = tag(batch.messages(), slot);
    int tagBytes = tag == 0 ? 0 : ReceiveBatch.TAG_BYTES;
    if (tagBytes == 0) {
      batch.copy(slot, OFFLOAD_BYTES, length, 0);
    } else {
      batch.copy(slot, OFFLOAD_BYTES, ADDRESSES_BYTES, 0);
      for (int i = 0; i < Integer.BYTES; i++) {
        frame[ADDRESSES_BYTES + i] = (byte) (tag >> 24 - 8 * i);
      }
      batch.copy(
          slot,
          OFFLOAD_BYTES + ADDRESSES_BYTES,
          length - ADDRESSES_BYTES,
          ADDRESSES_BYTES + tagBytes);
      length += tagBytes;
    }
    if ((batch.octet(slot, 0) & NEEDS_CHECKSUM) == 0) {
      countReceived();
      to.receive(frame, 0, length, 0, nowNanos);
      return;
    }
    int start = batch.word(slot, OFFLOAD_START) + tagBytes;
    int gso = batch.octet(slot, OFFLOAD_GSO_TYPE) & ~GSO_ECN;
    if (gso == 0) {
      if (Offloads.completeChecksum(frame, length, start, batch.word(slot, OFFLOAD_FIELD))) {
        countReceived();
        to.receive(frame, 0, length, 0, nowNanos);
      } else {
        countUnusable();
      }
      return;
    }
    boolean tcp = gso == GSO_TCPV4 || gso == GSO_TCPV6;
    int segmentBytes = batch.word(slot, OFFLOAD_GSO_SIZE);
    int segments =
        tcp || gso == GSO_UDP
            ? offloads.segment(frame, length, tcp, segmentBytes, start, to, nowNanos)
            : 0;
    for (int i = 0; i < segments; i++) {
      countReceived();
    }
    if (segments == 0) {
      countUnusable();
    }
  }

  /** The tag that the kernel took out of a frame, TPID and TCI; 0 if it took none. */
  private static int tag(MessageVector messages, int slot) {
    ByteBuffer bytes = messages.bytes();
    int control = messages.control(slot);
    if (messages.controlLength(slot) < CONTROL_DATA + AUX_BYTES
        || bytes.getInt(control + CONTROL_LEVEL) != PacketSocket.SOL_PACKET
        || bytes.getInt(control + CONTROL_TYPE) != PACKET_AUXDATA) {
      return 0;
    }
    int aux = control + CONTROL_DATA;
    int status = bytes.getInt(aux);
    if ((status & VLAN_VALID) == 0) {
      return 0;
    }
    int tpid =
        (status & VLAN_TPID_VALID) == 0
            ? C_TAG
            : Short.toUnsignedInt(bytes.getShort(aux + AUX_VLAN_TPID));
    return tpid << 16 | Short.toUnsignedInt(bytes.getShort(aux + AUX_VLAN_TCI));
  }

  @Override
  void send(byte[] bytes, int offset, int length) {
    if (!sending.add(bytes, offset, length)) {
      flush();
      if (!sending.add(bytes, offset, length)) {
        countUnsent(Libc.text(Libc.EAGAIN));
      }
    } else if (sending.nearlyFull()) {
      // One more frame may follow before the sender learns that the kernel takes no more.
      flush();
    }
  }

  @Override
  void flush() {
    int count = sending.count();
    while (sent < count) {
      int taken =
          Libc.sendmmsg(out, sending.messages().pointer(sent), count - sent, Libc.MSG_DONTWAIT);
      if (taken > 0) {
        sent += taken;
        countSent(taken);
        continue;
      }
      int errno = Libc.errno();
      if (errno == Libc.EAGAIN) {
        blocked = true;
        return;
      }
      if (errno != Libc.EINTR) {
        // This frame is refused, the next may not be.
        sent++;
        countUnsent(Libc.text(errno));
      }
    }
    sending.clear();
    sent = 0;
    blocked = false;
  }

  @Override
  int blockedDescriptor() {
    return blocked ? out : -1;
  }

  @Override
  synchronized long kernelDrops() {
    if (in >= 0) {
      // Reading the count resets it.
      dropCount.bytes().putInt(STATISTICS_BYTES, STATISTICS_BYTES);
      if (Libc.getsockopt(
              in,
              PacketSocket.SOL_PACKET,
              PACKET_STATISTICS,
              dropCount.pointer(),
              dropCount.pointer(STATISTICS_BYTES))
          == 0) {
        kernelDrops += Integer.toUnsignedLong(dropCount.bytes().getInt(Integer.BYTES));
      }
    }
    return kernelDrops;
  }

  @Override
  public synchronized void close() {
    if (in >= 0) {
      kernelDrops();
      Libc.close(in);
      Libc.close(out);
      in = -1;
    }
  }
}
