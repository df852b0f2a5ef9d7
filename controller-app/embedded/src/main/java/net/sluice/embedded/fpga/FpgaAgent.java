package net.sluice.embedded.fpga;

import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.fpga.RegisterBusAgent;

/** Serves the registers of an emulated FPGA over the register bus. */
public final class FpgaAgent {
  private FpgaAgent() {}

  /**
   * Starts serving.
   *
   * @param address where to listen; port 0 takes a free one
   * @throws IOException if it cannot listen there
   */
  public static RegisterBusAgent start(FpgaModel fpga, InetSocketAddress address)
      throws IOException {
    return RegisterBusAgent.start(
        new ModelRegisters(fpga),
        NettyServerBuilder.forAddress(address).permitKeepAliveTime(5, TimeUnit.SECONDS));
  }
}
