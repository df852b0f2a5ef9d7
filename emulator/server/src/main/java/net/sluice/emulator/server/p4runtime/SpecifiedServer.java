package net.sluice.emulator.server.p4runtime;

import com.google.protobuf.ByteString;
import java.util.Map;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.emulator.v1model.program.ProgramException;
import p4.v1.P4RuntimeOuterClass.Entity.EntityCase;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** A server that runs p4c's BMv2 JSON and refuses what the specification lets it refuse. */
final class SpecifiedServer extends ServerVariant {
  static final SpecifiedServer INSTANCE = new SpecifiedServer();

  private static final int CHUNK = 512;

  private SpecifiedServer() {}

  @Override
  Binding bind(ForwardingPipelineConfig config, V1modelSwitch device) throws RpcException {
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
  Map<EntityCase, EntityKind> strict(Map<EntityCase, EntityKind> kinds, Binding binding) {
    return kinds;
  }

  @Override
  int chunk() {
    return CHUNK;
  }

  @Override
  void check(MasterArbitrationUpdate claim, int streams) {}

  @Override
  void check(WriteRequest request) {}

  @Override
  void check(SetForwardingPipelineConfigRequest.Action action) {}

  @Override
  boolean refusesToTellNoConfig() {
    return false;
  }
}
