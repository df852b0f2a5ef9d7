package net.sluice.endpoints;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.core.Servers.Tls;
import net.sluice.fpga.GrpcRegisterBus;
import net.sluice.fpga.RegisterBus;
import net.sluice.fpga.RegisterBusException;

/** Opens buses to register agents. */
public final class RegisterAgents {
  private RegisterAgents() {}

  /**
   * A bus to an agent; connects when first used.
   *
   * @param epoch as in {@link GrpcRegisterBus#GrpcRegisterBus(io.grpc.ManagedChannel, long)}
   * @throws RegisterBusException if the files for TLS cannot be used
   */
  public static RegisterBus bus(FpgaEndpoint.Agent agent, Reach reach, long epoch) {
    NettyChannelBuilder channel;
    try {
      channel = Channels.to(agent.host(), agent.port(), reach, credentials(agent));
    } catch (IOException | IllegalArgumentException e) {
      throw new RegisterBusException(
          "the files for TLS with the register agent cannot be used: " + reason(e), e);
    }
    return new GrpcRegisterBus(
        channel
            // An agent that vanished without a word is noticed within 15 seconds.
            .keepAliveTime(10, TimeUnit.SECONDS)
            .keepAliveTimeout(5, TimeUnit.SECONDS)
            .build(),
        epoch);
  }

  private static ChannelCredentials credentials(FpgaEndpoint.Agent agent) throws IOException {
    if (agent.tls().isEmpty()) {
      return InsecureChannelCredentials.create();
    }
    Tls files = agent.tls().get();
    TlsChannelCredentials.Builder tls =
        TlsChannelCredentials.newBuilder().trustManager(files.authorities().toFile());
    if (files.identity().isPresent()) {
      tls.keyManager(
          files.identity().get().certificates().toFile(), files.identity().get().key().toFile());
    }
    return tls.build();
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage();
  }
}
