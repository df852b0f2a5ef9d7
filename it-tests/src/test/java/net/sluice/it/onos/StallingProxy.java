package net.sluice.it.onos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server's connections, which can be made to stall: connections are still taken, and bytes wait,
 * as they do for a process that has been stopped.
 */
final class StallingProxy implements AutoCloseable {
  private final ServerSocket server;
  private final int to;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private boolean stalled;

  /** Leads to a port of 127.0.0.1. */
  StallingProxy(int to) throws IOException {
    this.to = to;
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Passes nothing on any more. */
  synchronized void stall() {
    stalled = true;
  }

  /** Passes on what has waited, and what comes. */
  synchronized void resume() {
    stalled = false;
    notifyAll();
  }

  private synchronized void awaitResumed() throws InterruptedException {
    while (stalled) {
      wait();
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "stalling-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        Socket target = new Socket(InetAddress.getLoopbackAddress(), to);
        sockets.add(client);
        sockets.add(target);
        start(() -> pass(client, target));
        start(() -> pass(target, client));
      }
    } catch (IOException closed) {
      // Or the server behind it is gone, and with it the story.
      close();
    }
  }

  private void pass(Socket from, Socket into) {
    byte[] piece = new byte[64 << 10];
    try (from;
        into) {
      InputStream in = from.getInputStream();
      OutputStream out = into.getOutputStream();
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        awaitResumed();
        out.write(piece, 0, count);
      }
    } catch (IOException | InterruptedException ended) {
      sockets.remove(from);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
