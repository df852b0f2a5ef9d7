package net.sluice.endpoints;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelOutboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelPromise;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Opens gRPC channels to hosts by name or address. */
final class Channels {
  private Channels() {}

  /** Threads of the channels whose addresses are checked; they start with the first one. */
  private static final class Checked {
    static final EventLoopGroup THREADS =
        new MultiThreadIoEventLoopGroup(
            0, new DefaultThreadFactory("sluice-checked", true), NioIoHandler.newFactory());
  }

  /** A channel in plain text that connects when it is first used, to nothing out of reach. */
  static NettyChannelBuilder to(String host, int port, Reach reach) {
    return to(host, port, reach, InsecureChannelCredentials.create());
  }

  /**
   * The same with TLS, if the credentials are for it.
   *
   * @throws IllegalArgumentException if the credentials cannot be used
   */
  static NettyChannelBuilder to(
      String host, int port, Reach reach, ChannelCredentials credentials) {
    String authority = (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    // With the scheme a host called "unix" or "dns" is a host, and no way to name something else.
    // A path of a URI has brackets only if they are encoded.
    String path = authority.replace("[", "%5B").replace("]", "%5D");
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget("dns:///" + path, credentials).disableServiceConfigLookUp();
    if (reach instanceof Reach.Within within) {
      // A proxy would connect to something that is not checked.
      builder
          .proxyDetector(address -> null)
          .eventLoopGroup(Checked.THREADS)
          .channelFactory(() -> checked(host, authority, within.rule()));
    } else if (reach instanceof Reach.Nothing nothing) {
      throw new IllegalArgumentException("out of reach: " + nothing.reason());
    }
    return builder;
  }

  /** Asks the rule of what is connected to, whatever a name was resolved to before. */
  private static Channel checked(String host, String authority, Reach.Rule rule) {
    Channel channel = new NioSocketChannel();
    channel
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void connect(
                  ChannelHandlerContext context,
                  SocketAddress remote,
                  SocketAddress local,
                  ChannelPromise promise)
                  throws Exception {
                if (remote instanceof InetSocketAddress address && rule.allows(host, address)) {
                  super.connect(context, remote, local, promise);
                } else {
                  // Not what the name was resolved to: clients of the API need not know.
                  promise.setFailure(
                      new ConnectException(
                          authority + " is out of reach; allowed: " + rule.allowed()));
                }
              }
            });
    return channel;
  }
}
