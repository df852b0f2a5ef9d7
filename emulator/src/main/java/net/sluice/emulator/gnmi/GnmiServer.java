package net.sluice.emulator.gnmi;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.sluice.emulator.rpc.MalformedMessages;
import net.sluice.emulator.sim.Simulation;
import net.sluice.emulator.sim.SwitchNode;

/**
 * Serves gNMI 0.10 for one switch: its ports as openconfig-interfaces, its queues as
 * openconfig-qos. What was set is forgotten when the server ends; the ports stay as they are.
 */
public final class GnmiServer implements AutoCloseable {

  private static final int CLOSE_SECONDS = 10;
  private static final int IDLE_THREAD_SECONDS = 5;

  private final Server server;
  private final GnmiService service;
  private final GnmiClock clock;

  private GnmiServer(Server server, GnmiService service, GnmiClock clock) {
    this.server = server;
    this.service = service;
    this.clock = clock;
  }

  /**
   * Starts serving the ports that the switch has now.
   *
   * @param names of the ports that have one; the others have their number for a name
   * @param clock closed with the server
   * @param afterSet told when a client has set something, for a simulation that may be asleep
   * @param address where to listen; port 0 picks a free one
   * @throws IOException if it cannot listen there
   * @throws IllegalArgumentException if two ports have the same name
   */
  public static GnmiServer start(
      Simulation simulation,
      SwitchNode node,
      Map<Integer, String> names,
      GnmiClock clock,
      Runnable afterSet,
      InetSocketAddress address)
      throws IOException {
    AtomicInteger number = new AtomicInteger();
    // Never shut down: the ends of calls are handed to it even after the server has ended. Its
    // threads end by themselves when there is nothing to do.
    Executor executor =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_THREAD_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, "gnmi-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    GnmiService service = new GnmiService(simulation, node, names, clock, afterSet);
    Server server =
        NettyServerBuilder.forAddress(address)
            .executor(executor)
            .permitKeepAliveTime(5, TimeUnit.SECONDS)
            .addService(MalformedMessages.named(service))
            .build();
    server.start();
    return new GnmiServer(server, service, clock);
  }

  /** The port it listens on. */
  public int port() {
    return server.getPort();
  }

  /** Subscriptions under way. */
  public int subscriptions() {
    return service.subscriptions();
  }

  /** Stops at once; clients find their calls cancelled. */
  @Override
  public void close() {
    server.shutdownNow();
    service.close();
    clock.close();
    try {
      server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
