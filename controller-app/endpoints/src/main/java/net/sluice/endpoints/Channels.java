package net.sluice.endpoints;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
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
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import net.sluice.core.Servers.Tls;
import net.sluice.core.target.NotReadyException;

/** Opens gRPC channels to hosts by name or address. */
final class Channels {
  private Channels() {}

  /** Threads of the channels whose addresses are checked; they start with the first one. */
  private static final class Checked {
    static final EventLoopGroup THREADS =
        new MultiThreadIoEventLoopGroup(
            0, new DefaultThreadFactory("sluice-checked", true), NioIoHandler.newFactory());
  }

  /**
   * A channel that connects when it is first used, to nothing out of reach.
   *
   * @param tls how the two prove who they are, from files that are read now; empty for plain text
   * @throws NotReadyException if these files cannot be used
   */
  static NettyChannelBuilder to(String host, int port, Reach reach, Optional<Tls> tls)
      throws NotReadyException {
    try {
      return to(host, port, reach, credentials(tls));
    } catch (IOException | IllegalArgumentException e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      throw new NotReadyException("the files for TLS cannot be used: " + cause.getMessage());
    }
  }

  private static ChannelCredentials credentials(Optional<Tls> tls) throws IOException {
    if (tls.isEmpty()) {
      return InsecureChannelCredentials.create();
    }
    TlsChannelCredentials.Builder files =
        TlsChannelCredentials.newBuilder().trustManager(tls.get().authorities().toFile());
    if (tls.get().identity().isPresent()) {
      Tls.Identity own = tls.get().identity().get();
      files.keyManager(own.certificates().toFile(), own.key().toFile());
    }
    return files.build();
  }

  private static NettyChannelBuilder to(
      String host, int port, Reach reach, ChannelCredentials credentials) {
    if (reach instanceof Reach.Nothing nothing) {
      throw new IllegalStateException("out of reach: " + nothing.reason());
    }
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
