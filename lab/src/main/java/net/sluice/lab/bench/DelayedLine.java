package net.sluice.lab.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import net.sluice.emulator.netsim.WallClock;

/**
 * A line with a propagation delay between the clients of a TCP server and that server: each octet
 * arrives so much later, however many are under way.
 */
final class DelayedLine implements AutoCloseable {
  private static final int CHUNK_BYTES = 64 << 10;

  /** Octets and when they are to arrive; none at the end of the stream. */
  private record Chunk(byte[] octets, long dueNanos) {}

  private final ServerSocket clients = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  private final List<Socket> sockets = new ArrayList<>();
  private final int serverPort;
  private final long oneWayNanos;
  private final WallClock clock;

  /**
   * A line to a server on the loopback address.
   *
   * @param roundTrip both ways together
   */
  DelayedLine(int serverPort, Duration roundTrip, WallClock clock) throws IOException {
    this.serverPort = serverPort;
    this.oneWayNanos = roundTrip.toNanos() / 2;
    this.clock = clock;
    start(this::accept);
  }

  /** The port that clients connect to, on the loopback address. */
  int port() {
    return clients.getLocalPort();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "sluice-delayed-line");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = kept(clients.accept());
        Socket server = kept(new Socket(InetAddress.getLoopbackAddress(), serverPort));
        carry(client, server);
        carry(server, client);
      }
    } catch (IOException closed) {
      close();
    }
  }

  private synchronized Socket kept(Socket socket) throws IOException {
    sockets.add(socket);
    socket.setTcpNoDelay(true);
    return socket;
  }

  private void carry(Socket from, Socket to) {
    BlockingQueue<Chunk> line = new LinkedBlockingQueue<>();
    start(() -> receive(from, line));
    start(() -> send(line, to));
  }

  private void receive(Socket from, BlockingQueue<Chunk> line) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      InputStream in = from.getInputStream();
      for (int read = in.read(chunk); read > 0; read = in.read(chunk)) {
        line.add(new Chunk(Arrays.copyOf(chunk, read), clock.nanoTime() + oneWayNanos));
      }
    } catch (IOException e) {
      // As at the end of the stream: the other side learns of it.
    }
    line.add(new Chunk(new byte[0], clock.nanoTime() + oneWayNanos));
  }

  private void send(BlockingQueue<Chunk> line, Socket to) {
    try (to) {
      OutputStream out = to.getOutputStream();
      for (Chunk next = line.take(); next.octets().length > 0; next = line.take()) {
        while (clock.nanoTime() - next.dueNanos() < 0) {
          clock.waitUntil(next.dueNanos());
        }
        out.write(next.octets());
      }
    } catch (IOException e) {
      // The receiver is gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void close() {
    try {
      clients.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException("a line cannot be closed", e);
    }
  }
}
