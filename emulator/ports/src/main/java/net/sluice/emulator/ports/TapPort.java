package net.sluice.emulator.ports;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import net.sluice.emulator.netsim.FrameReceiver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TAP device as a port: what the machine sends by the device goes to the switch, and what the
 * switch sends arrives at the machine from the device. A device that does not exist is created, and
 * goes when the port is closed; the device is brought up. Needs CAP_NET_ADMIN.
 *
 * <p>No offloads are requested, so the kernel completes checksums and segments large packets before
 * it delivers them.
 */
public final class TapPort extends NetworkPort {
  private static final Logger LOG = LoggerFactory.getLogger(TapPort.class);

  private static final String DEVICE = "/dev/net/tun";
  private static final int MAX_NAME_BYTES = 15;
  private static final long TUNSETIFF = 0x400454caL;
  private static final long SIOCGIFFLAGS = 0x8913;
  private static final long SIOCSIFFLAGS = 0x8914;
  private static final int IFF_TAP = 0x0002;
  private static final int IFF_NO_PI = 0x1000;
  private static final int IFF_UP = 1;
  private static final int REQUEST_BYTES = 40;
  private static final int REQUEST_FLAGS = 16;

  private final NativeMemory outgoing = new NativeMemory(ReceiveBatch.SLOT_BYTES);
  private int fd;

  private TapPort(String name, int fd) {
    super(name);
    this.fd = fd;
  }

  /**
   * Opens a TAP device, creating it if it does not exist, and brings it up.
   *
   * @param name 1 to 15 bytes
   * @throws PortException if the name is taken, or the device cannot be opened
   */
  public static TapPort open(String name) throws PortException {
    String port = "TAP device '" + name + "'";
    if (!Libc.supported()) {
      throw new PortException(port, "ports need 64-bit Linux");
    }
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    if (nameBytes.length < 1 || nameBytes.length > MAX_NAME_BYTES) {
      throw new PortException(port, "the name must have 1 to " + MAX_NAME_BYTES + " bytes");
    }
    int fd = Libc.open(DEVICE, Libc.O_RDWR | Libc.O_NONBLOCK | Libc.O_CLOEXEC);
    if (fd < 0) {
      throw failure(port, Libc.errno());
    }
    NativeMemory request = new NativeMemory(REQUEST_BYTES);
    ByteBuffer bytes = request.bytes();
    bytes.put(0, nameBytes).putShort(REQUEST_FLAGS, (short) (IFF_TAP | IFF_NO_PI));
    if (Libc.ioctl(fd, TUNSETIFF, request.pointer()) < 0) {
      PortException failure = failure(port, Libc.errno());
      Libc.close(fd);
      throw failure;
    }
    int errno = bringUp(request);
    if (errno != 0) {
      Libc.close(fd);
      throw failure(port, errno);
    }
    return new TapPort(name, fd);
  }

  private static PortException failure(String port, int errno) {
    return switch (errno) {
      case Libc.EPERM, Libc.EACCES ->
          new PortException(port, "no permission; it takes root or CAP_NET_ADMIN");
      case Libc.ENOENT, Libc.ENODEV, Libc.ENXIO ->
          new PortException(port, "this machine has no TAP devices (" + DEVICE + ")");
      case Libc.EBUSY -> new PortException(port, "another process uses it");
      case Libc.EINVAL -> new PortException(port, "the name is not one of a TAP device");
      default -> new PortException(port, Libc.text(errno));
    };
  }

  /** Brings the device of a request up; returns 0 or the error number. */
  private static int bringUp(NativeMemory request) {
    int socket = Libc.socket(Libc.AF_INET, Libc.SOCK_DGRAM | Libc.SOCK_CLOEXEC, 0);
    if (socket < 0) {
      return Libc.errno();
    }
    int errno = 0;
    if (Libc.ioctl(socket, SIOCGIFFLAGS, request.pointer()) < 0) {
      errno = Libc.errno();
    } else {
      int flags = request.bytes().getShort(REQUEST_FLAGS) | IFF_UP;
      request.bytes().putShort(REQUEST_FLAGS, (short) flags);
      if (Libc.ioctl(socket, SIOCSIFFLAGS, request.pointer()) < 0) {
        errno = Libc.errno();
      }
    }
    Libc.close(socket);
    return errno;
  }

  @Override
  int descriptor() {
    return fd;
  }

  @Override
  int receive(ReceiveBatch batch) {
    int count = 0;
    while (count < ReceiveBatch.FRAMES) {
      long read = Libc.read(fd, batch.slot(count), ReceiveBatch.SLOT_BYTES);
      if (read >= 0) {
        batch.setLength(count++, (int) read);
        continue;
      }
      int errno = Libc.errno();
      if (errno == Libc.EBADFD) {
        LOG.warn("TAP device '{}' is gone", name());
        close();
      } else if (errno != Libc.EAGAIN && errno != Libc.EINTR) {
        LOG.warn("TAP device '{}' receives nothing: {}", name(), Libc.text(errno));
      }
      break;
    }
    return count;
  }

  @Override
  int frameAt() {
    return 0;
  }

  @Override
  int held(ReceiveBatch batch, int slot) {
    return batch.length(slot);
  }

  @Override
  void deliver(ReceiveBatch batch, int first, int count, FrameReceiver to, long nowNanos) {
    for (int i = first; i < first + count; i++) {
      int length = batch.length(i);
      batch.copy(i, 0, length, 0);
      countReceived();
      to.receive(batch.frame(), 0, length, 0, nowNanos);
    }
  }

  /** Sends at once: a TAP device takes one frame a call. */
  @Override
  void send(byte[] bytes, int offset, int length) {
    outgoing.bytes().put(0, bytes, offset, length);
    while (Libc.write(fd, outgoing.pointer(), length) < 0) {
      int errno = Libc.errno();
      if (errno != Libc.EINTR) {
        countUnsent(Libc.text(errno));
        return;
      }
    }
    countSent(1);
  }

  @Override
  void flush() {
    // Nothing is buffered.
  }

  /** A TAP device's queue drops on the machine's side, in its own statistics. */
  @Override
  long kernelDrops() {
    return 0;
  }

  @Override
  public synchronized void close() {
    if (fd >= 0) {
      Libc.close(fd);
      fd = -1;
    }
  }
}
