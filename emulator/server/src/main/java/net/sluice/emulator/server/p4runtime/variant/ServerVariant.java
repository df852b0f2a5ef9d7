package net.sluice.emulator.server.p4runtime.variant;

import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.V1modelSwitch;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** A P4Runtime server's form of programs, and its refusals of parts of the protocol. */
public abstract class ServerVariant {
  public ServerVariant() {}

  /** A server that does what the specification says, for p4c's BMv2 JSON. */
  public static ServerVariant specified() {
    return SpecifiedServer.INSTANCE;
  }

  /**
   * Stratum on Tofino, for programs of which it has P4Info, binary, context and bf-rt JSON. It
   * keeps entries and counter cells as Stratum does and forwards no packets.
   *
   * @param exactLoad what part of its size an exact table of more than 1,024 entries takes before
   *     its hashes collide, above 0 to 1
   */
  public static ServerVariant stratumOnTofino(double exactLoad) {
    return new StratumOnTofino(exactLoad);
  }

  /**
   * Compiles a config without changing anything.
   *
   * @throws RpcException if the switch cannot realise it
   */
  public abstract Binding bind(ForwardingPipelineConfig config, V1modelSwitch device)
      throws RpcException;

  /** Refuses a claim that the specification allows. */
  public abstract void check(MasterArbitrationUpdate claim, int streams) throws RpcException;

  /** Refuses a batch that the specification allows. */
  public abstract void check(WriteRequest request) throws RpcException;

  /** Refuses an action that the specification allows. */
  public abstract void check(SetForwardingPipelineConfigRequest.Action action) throws RpcException;

  /** True if asking for a config is refused as long as there is none. */
  public abstract boolean refusesToTellNoConfig();
}
