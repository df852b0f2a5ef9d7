package net.sluice.emulator.ports;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A packet socket (packet(7)) for one interface, while it is being set up. */
final class PacketSocket {
  private static final Logger LOG = LoggerFactory.getLogger(PacketSocket.class);

  static final int SOL_PACKET = 263;

  private static final int PACKET_ADD_MEMBERSHIP = 1;
  private static final int PACKET_MR_PROMISC = 1;
  private static final int MAX_NAME_BYTES = 15;
  private static final int ADDRESS_BYTES = 20;
  private static final int ADDRESS_TYPE = 8;
  private static final int MEMBERSHIP_BYTES = 16;
  private static final int BUFFER_BYTES = 16 << 20;

  private final String port;
  private final int index;
  private final int fd;

  private PacketSocket(String port, int index, int fd) {
    this.port = port;
    this.index = index;
    this.fd = fd;
  }

  /**
   * Opens a socket that is not bound to the interface yet: it neither receives nor sends.
   *
   * @throws PortException if there is no such interface, or sockets of this kind may not be used
   */
  static PacketSocket open(String name) throws PortException {
    String port = "interface '" + name + "'";
    if (!Libc.supported()) {
      throw new PortException(port, "ports need 64-bit Linux");
    }
    int nameBytes = name.getBytes(StandardCharsets.UTF_8).length;
    int index = nameBytes < 1 || nameBytes > MAX_NAME_BYTES ? 0 : Libc.if_nametoindex(name);
    if (index == 0) {
      throw new PortException(port, "there is no such interface");
    }
    int fd = Libc.socket(Libc.AF_PACKET, Libc.SOCK_RAW | Libc.SOCK_CLOEXEC, 0);
    if (fd < 0) {
      throw failure(port, Libc.errno());
    }
    return new PacketSocket(port, index, fd);
  }

  /** Opens a socket that sends by an interface and receives nothing. */
  static PacketSocket sending(String name) throws PortException {
    PacketSocket socket = open(name);
    try {
      // The send buffer keeps its size: frames beyond it wait in the switch's own queues. Without a
      // protocol the socket receives nothing.
      socket.bind(0);
      return socket;
    } catch (PortException e) {
      socket.close();
      throw e;
    }
  }

  int descriptor() {
    return fd;
  }

  /** Sets an option of packet sockets. */
  void set(int option, int value) throws PortException {
    NativeMemory memory = new NativeMemory(Integer.BYTES);
    memory.bytes().putInt(0, value);
    set(option, memory, Integer.BYTES);
  }

  private void set(int option, NativeMemory value, int length) throws PortException {
    if (Libc.setsockopt(fd, SOL_PACKET, option, value.pointer(), length) < 0) {
      throw failure(port, Libc.errno());
    }
  }

  /** Makes a buffer as large as allowed: only CAP_NET_ADMIN may exceed the machine's limit. */
  void enlarge(int forced, int limited) {
    NativeMemory size = new NativeMemory(Integer.BYTES);
    size.bytes().putInt(0, BUFFER_BYTES);
    if (Libc.setsockopt(fd, Libc.SOL_SOCKET, forced, size.pointer(), Integer.BYTES) < 0
        && Libc.setsockopt(fd, Libc.SOL_SOCKET, limited, size.pointer(), Integer.BYTES) < 0) {
      LOG.warn("the socket buffers stay as they are: {}", Libc.text(Libc.errno()));
    }
  }

  /** Binds it to its interface. */
  void bind(int protocol) throws PortException {
    NativeMemory address = new NativeMemory(ADDRESS_BYTES);
    ByteBuffer bytes = address.bytes();
    bytes.putShort(0, (short) Libc.AF_PACKET).putInt(4, index);
    bytes.order(ByteOrder.BIG_ENDIAN).putShort(2, (short) protocol);
    if (Libc.bind(fd, address.pointer(), ADDRESS_BYTES) < 0) {
      throw failure(port, Libc.errno());
    }
  }

  /** The interface's hardware type (ARPHRD_*); once bound. */
  int hardwareType() throws PortException {
    NativeMemory address = new NativeMemory(ADDRESS_BYTES);
    NativeMemory length = new NativeMemory(Integer.BYTES);
    length.bytes().putInt(0, ADDRESS_BYTES);
    if (Libc.getsockname(fd, address.pointer(), length.pointer()) < 0) {
      throw failure(port, Libc.errno());
    }
    return Short.toUnsignedInt(address.bytes().getShort(ADDRESS_TYPE));
  }

  /** Sets the interface to promiscuous mode. */
  void bePromiscuous() throws PortException {
    NativeMemory membership = new NativeMemory(MEMBERSHIP_BYTES);
    membership.bytes().putInt(0, index).putShort(4, (short) PACKET_MR_PROMISC);
    set(PACKET_ADD_MEMBERSHIP, membership, MEMBERSHIP_BYTES);
  }

  /** The error of an interface that cannot be a port. */
  PortException failure(String problem) {
    return new PortException(port, problem);
  }

  private static PortException failure(String port, int errno) {
    if (errno == Libc.EPERM || errno == Libc.EACCES) {
      return new PortException(port, "no permission; it takes root or CAP_NET_RAW");
    }
    return new PortException(port, Libc.text(errno));
  }

  void close() {
    Libc.close(fd);
  }
}
