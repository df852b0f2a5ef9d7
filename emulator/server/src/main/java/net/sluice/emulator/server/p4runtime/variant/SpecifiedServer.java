package net.sluice.emulator.server.p4runtime.variant;

import com.google.protobuf.ByteString;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.emulator.v1model.program.ProgramException;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** A server that runs p4c's BMv2 JSON and refuses what the specification lets it refuse. */
final class SpecifiedServer extends ServerVariant {
  static final SpecifiedServer INSTANCE = new SpecifiedServer();

  private SpecifiedServer() {}

  @Override
  public Binding bind(ForwardingPipelineConfig config, V1modelSwitch device) throws RpcException {
    ByteString json = DeviceData.of(config.getP4DeviceConfig());
    if (json.isEmpty()) {
      throw RpcException.invalid("config.p4_device_config is empty; it must be p4c's BMv2 JSON");
    }
    if (!config.hasP4Info()) {
      throw RpcException.invalid("config.p4info is missing");
    }
    LoadedProgram program;
    try {
      program = device.load(UnusedParameters.restored(json.toByteArray(), config.getP4Info()));
    } catch (ProgramException e) {
      throw RpcException.invalid(e.getMessage());
    }
    return Binding.of(config, program, device.portNames());
  }

  @Override
  public void check(MasterArbitrationUpdate claim, int streams) {}

  @Override
  public void check(WriteRequest request) {}

  @Override
  public void check(SetForwardingPipelineConfigRequest.Action action) {}

  @Override
  public boolean refusesToTellNoConfig() {
    return false;
  }
}
