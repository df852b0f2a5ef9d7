package net.sluice.emulator.server.p4runtime;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.variant.ServerVariant;
import net.sluice.emulator.server.rpc.CallThreads;
import net.sluice.emulator.server.rpc.MalformedMessages;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.emulator.v1model.trace.TracerService;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Serves P4Runtime for one switch.
 *
 * <p>A client that writes batches of more than 280 updates should take {@code 8192 + 200 n} bytes
 * of metadata for n of them ({@code maxInboundMetadataSize}): a batch of which something failed is
 * answered with a detail for each update. Those of smaller batches are cut off so that the 8 KiB
 * are enough that clients take by default.
 */
public final class P4RuntimeServer implements AutoCloseable {

  /** Longest message taken, bytes: a program of any size. */
  private static final int MAX_MESSAGE_BYTES = 128 << 20;

  private final Server server;
  private final P4RuntimeService service;

  private P4RuntimeServer(Server server, P4RuntimeService service) {
    this.server = server;
    this.service = service;
  }

  /**
   * Starts serving as the specification says, without encryption.
   *
   * @param address where to listen; port 0 picks a free one
   * @throws IOException if it cannot listen there
   */
  public static P4RuntimeServer start(V1modelSwitch device, InetSocketAddress address)
      throws IOException {
    return start(device, address, ServerVariant.specified());
  }

  /**
   * Starts serving as a kind of server, without encryption.
   *
   * @param address where to listen; port 0 picks a free one
   * @throws IOException if it cannot listen there
   */
  public static P4RuntimeServer start(
      V1modelSwitch device, InetSocketAddress address, ServerVariant kind) throws IOException {
    return start(device, address, InsecureServerCredentials.create(), List.of(), kind);
  }

  /**
   * Starts serving. The first server of a process has answered a stream of its own when this
   * returns.
   *
   * @param address where to listen; port 0 picks a free one
   * @param credentials how clients and server prove who they are
   * @param others services that are served there, too, such as gNMI
   * @throws IOException if it cannot listen there
   */
  public static P4RuntimeServer start(
      V1modelSwitch device,
      InetSocketAddress address,
      ServerCredentials credentials,
      List<ServerServiceDefinition> others,
      ServerVariant kind)
      throws IOException {
    Executor executor =
        CallThreads.executor("p4runtime-" + Long.toUnsignedString(device.deviceId()));
    P4RuntimeService service = new P4RuntimeService(device, kind, executor);
    Server server =
        NettyServerBuilder.forAddress(address, credentials)
            .executor(executor)
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            // Controllers watch over idle sessions; by default gRPC cuts off who asks so often.
            .permitKeepAliveTime(5, TimeUnit.SECONDS)
            .addService(MalformedMessages.named(service.definition()))
            .addService(new TracerService(device.tracing(), device.deviceId(), executor))
            .addServices(others)
            .build();
    server.start();
    WarmUp.once(device.deviceId(), server.getListenSockets().get(0), credentials);
    return new P4RuntimeServer(server, service);
  }

  /**
   * Puts a forwarding pipeline config in force as a controller would, for a switch that starts with
   * one.
   *
   * @throws IllegalArgumentException if the switch cannot realise it
   */
  public void install(ForwardingPipelineConfig config) {
    try {
      service.install(config);
    } catch (RpcException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Applies updates to the config in force, every one of them whatever becomes of the others, for a
   * switch that starts with entries.
   *
   * @throws IllegalArgumentException if some are refused; tells the first of them, counted from 1
   */
  public void write(List<Update> updates) {
    try {
      OfflineControl.check(service.write(updates));
    } catch (RpcException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** The port it listens on. */
  public int port() {
    return server.getPort();
  }

  /** Stops at once; clients find their calls cancelled. Returns when the calls have ended. */
  @Override
  public void close() {
    service.stop();
    server.shutdownNow();
    CallThreads.awaitEnd(server);
  }
}
