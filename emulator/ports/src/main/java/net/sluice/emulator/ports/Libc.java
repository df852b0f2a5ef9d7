package net.sluice.emulator.ports;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;

/**
 * Calls of Linux's C library. Sizes and pointers are 64 bits wide here, so {@link #supported} must
 * be checked before any other use. A negative result is a failure; {@link #errno} then says which.
 */
final class Libc {
  static final int EPERM = 1;
  static final int ENOENT = 2;
  static final int EINTR = 4;
  static final int ENXIO = 6;
  static final int EAGAIN = 11;
  static final int EACCES = 13;
  static final int EBUSY = 16;
  static final int ENODEV = 19;
  static final int EINVAL = 22;
  static final int EBADFD = 77;
  static final int ENETDOWN = 100;

  static final int AF_INET = 2;
  static final int AF_PACKET = 17;
  static final int SOCK_DGRAM = 2;
  static final int SOCK_RAW = 3;
  static final int SOCK_CLOEXEC = 0x80000;
  static final int SOL_SOCKET = 1;
  static final int SO_RCVBUF = 8;
  static final int SO_RCVBUFFORCE = 33;
  static final int MSG_TRUNC = 0x20;
  static final int MSG_DONTWAIT = 0x40;
  static final int O_RDWR = 2;
  static final int O_NONBLOCK = 0x800;
  static final int O_CLOEXEC = 0x80000;
  static final int POLLIN = 1;
  static final int POLLOUT = 4;

  static {
    Native.register(Libc.class, Platform.C_LIBRARY_NAME);
  }

  private Libc() {}

  /** Whether this is a machine whose structures have the layout that this package writes. */
  static boolean supported() {
    return Platform.isLinux() && Native.POINTER_SIZE == Long.BYTES;
  }

  /** Error of this thread's last failed call. */
  static int errno() {
    return Native.getLastError();
  }

  /** The message of an error number. */
  static String text(int errno) {
    return strerror(errno) + " (errno " + errno + ")";
  }

  static native int socket(int domain, int type, int protocol);

  static native int bind(int fd, Pointer address, int length);

  static native int getsockname(int fd, Pointer address, Pointer length);

  static native int setsockopt(int fd, int level, int name, Pointer value, int length);

  static native int getsockopt(int fd, int level, int name, Pointer value, Pointer length);

  static native int recvmmsg(int fd, Pointer messages, int count, int flags, Pointer timeout);

  static native int sendmmsg(int fd, Pointer messages, int count, int flags);

  static native int open(String path, int flags);

  static native int close(int fd);

  static native long read(int fd, Pointer buffer, long count);

  static native long write(int fd, Pointer buffer, long count);

  static native int ioctl(int fd, long request, Pointer argument);

  static native int ppoll(Pointer descriptors, long count, Pointer timeout, Pointer signals);

  static native int eventfd(int initial, int flags);

  static native int prctl(int option, long first, long second, long third, long fourth);

  static native int if_nametoindex(String name);

  private static native String strerror(int errno);
}
