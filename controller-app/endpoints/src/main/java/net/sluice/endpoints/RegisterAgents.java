package net.sluice.endpoints;

import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.util.concurrent.TimeUnit;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.core.target.NotReadyException;
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
      channel = Channels.to(agent.host(), agent.port(), reach, agent.tls());
    } catch (NotReadyException e) {
      throw new RegisterBusException(e.getMessage(), e);
    }
    return new GrpcRegisterBus(
        channel
            // An agent that vanished without a word is noticed within 15 seconds.
            .keepAliveTime(10, TimeUnit.SECONDS)
            .keepAliveTimeout(5, TimeUnit.SECONDS)
            .build(),
        epoch);
  }
}
