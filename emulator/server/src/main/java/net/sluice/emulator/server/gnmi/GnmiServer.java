package net.sluice.emulator.server.gnmi;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.server.rpc.CallThreads;

/**
 * Serves gNMI 0.10 for one switch: its ports as openconfig-interfaces, its queues as
 * openconfig-qos. What was set is forgotten when the server ends; the ports stay as they are.
 */
public final class GnmiServer implements AutoCloseable {

  private final Server server;
  private final GnmiEndpoint endpoint;

  private GnmiServer(Server server, GnmiEndpoint endpoint) {
    this.server = server;
    this.endpoint = endpoint;
  }

  /**
   * Starts serving the ports that the switch has now, without encryption.
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
    return start(
        simulation, node, names, clock, afterSet, address, InsecureServerCredentials.create());
  }

  /**
   * Starts serving the ports that the switch has now.
   *
   * @param names of the ports that have one; the others have their number for a name
   * @param clock closed with the server
   * @param afterSet told when a client has set something, for a simulation that may be asleep
   * @param address where to listen; port 0 picks a free one
   * @param credentials how clients and server prove who they are
   * @throws IOException if it cannot listen there
   * @throws IllegalArgumentException if two ports have the same name
   */
  public static GnmiServer start(
      Simulation simulation,
      SwitchNode node,
      Map<Integer, String> names,
      GnmiClock clock,
      Runnable afterSet,
      InetSocketAddress address,
      ServerCredentials credentials)
      throws IOException {
    GnmiEndpoint endpoint = new GnmiEndpoint(simulation, node, names, clock, afterSet);
    Server server =
        NettyServerBuilder.forAddress(address, credentials)
            .executor(CallThreads.executor("gnmi"))
            .permitKeepAliveTime(5, TimeUnit.SECONDS)
            .addService(endpoint.definition())
            .build();
    server.start();
    return new GnmiServer(server, endpoint);
  }

  /** The port it listens on. */
  public int port() {
    return server.getPort();
  }

  /** Subscriptions under way. */
  public int subscriptions() {
    return endpoint.subscriptions();
  }

  /** Stops at once; clients find their calls cancelled. */
  @Override
  public void close() {
    server.shutdownNow();
    endpoint.close();
    CallThreads.awaitEnd(server);
  }
}
