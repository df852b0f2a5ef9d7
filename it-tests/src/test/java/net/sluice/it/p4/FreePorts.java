package net.sluice.it.p4;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * TCP ports of 127.0.0.1 for servers of other processes. They are none of those that the kernel
 * gives to whoever asks for any, so that nobody is given one before the server has it, or while it
 * is started anew; and none is handed out twice.
 */
public final class FreePorts {
  private static final Path GIVEN_TO_ANYBODY = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int LOWEST = 12_000;
  private static final int USUAL_BOUND = 32_768;
  private static final int LEAST_CHOICE = 1_000;
  private static final int RANGE_BYTES = 100;

  private static final int CHOICE = bound() - LOWEST;
  // Other runs on this machine begin elsewhere.
  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 7_919 % Math.max(1, CHOICE)));

  private FreePorts() {}

  /** One that nobody listens on. */
  public static int next() throws IOException {
    for (int tried = 0; CHOICE >= LEAST_CHOICE && tried < CHOICE; tried++) {
      int port = LOWEST + NEXT.getAndIncrement() % CHOICE;
      if (isFree(port)) {
        return port;
      }
    }
    // Where the kernel gives away nearly all there are, one of those has to do.
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  /** The first of those that the kernel gives away. */
  private static int bound() {
    try (InputStream in = Files.newInputStream(GIVEN_TO_ANYBODY)) {
      // In one piece: the kernel does not go on with a file of this kind.
      String range = new String(in.readNBytes(RANGE_BYTES), StandardCharsets.US_ASCII);
      return Integer.parseInt(range.strip().split("\\s+")[0]);
    } catch (IOException notLinux) {
      return USUAL_BOUND;
    }
  }
}
