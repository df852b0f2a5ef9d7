package net.sluice.emulator.server.p4runtime.variant;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.V1modelSwitch;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Preamble;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import stratum.barefoot.BfPipelineConfig;

/**
 * Stratum's P4Runtime server for Tofino, as strict as its source (stratum/hal/lib/common/
 * p4_service.cc and stratum/hal/lib/barefoot). Tables, counters, meters and registers stand for
 * those of the chip; there is no data plane behind them, so counters tell what was written to them.
 * Programs with action profiles, digests or value sets are refused, because they are not modelled.
 */
final class StratumOnTofino extends ServerVariant {
  /** Stratum's {@code max_num_controllers_per_node}. */
  private static final int MAX_CONTROLLERS = 5;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final double exactLoad;

  StratumOnTofino(double exactLoad) {
    if (!(exactLoad > 0 && exactLoad <= 1)) {
      throw new IllegalArgumentException("exactLoad is " + exactLoad + "; allowed: above 0 to 1");
    }
    this.exactLoad = exactLoad;
  }

  // ---- program

  @Override
  public Binding bind(ForwardingPipelineConfig config, V1modelSwitch device) throws RpcException {
    if (!config.hasP4Info()) {
      throw RpcException.invalid("config.p4info is missing");
    }
    P4Info info = config.getP4Info();
    checkProgram(info, config.getP4DeviceConfig());
    refuse(info.getActionProfilesCount(), "an action profile");
    refuse(info.getDigestsCount(), "a digest");
    refuse(info.getValueSetsCount(), "a value set");
    // Externs have no entries here; to the tables' server they would be strange.
    ForwardingPipelineConfig tables =
        config.toBuilder().setP4Info(info.toBuilder().clearExterns()).build();
    return Binding.of(tables, device.load(StubProgram.program(info, exactLoad)), device.portNames())
        .as(TofinoEntities.RULES, config);
  }

  private static void refuse(int count, String what) throws RpcException {
    if (count > 0) {
      throw RpcException.invalid(
          "P4Info has " + what + ", which this double of Stratum does not model");
    }
  }

  /** Refuses what Stratum, or the driver that it hands the program to, cannot load. */
  private static void checkProgram(P4Info info, ByteString deviceConfig) throws RpcException {
    if (deviceConfig.isEmpty()) {
      throw RpcException.invalid("config.p4_device_config is empty");
    }
    BfPipelineConfig program;
    try {
      program = BfPipelineConfig.parseFrom(deviceConfig);
    } catch (InvalidProtocolBufferException e) {
      throw RpcException.invalid(
          "unknown format of config.p4_device_config; it must be a BfPipelineConfig");
    }
    if (program.getProfilesCount() == 0) {
      throw notLoaded("p4_device_config has no profiles");
    }
    for (BfPipelineConfig.Profile profile : program.getProfilesList()) {
      String where = "profile '" + profile.getProfileName() + "'";
      json(profile.getContext(), where + ": context");
      if (profile.getBinary().isEmpty()) {
        throw notLoaded(where + ": binary is empty");
      }
      if (profile.getPipeScopeCount() == 0) {
        throw notLoaded(where + ": pipe_scope names no pipes");
      }
    }
    checkIds(info, json(program.getBfruntimeInfo(), "bfruntime_info"));
  }

  private static JsonNode json(ByteString text, String where) throws RpcException {
    try {
      JsonNode root = MAPPER.readTree(text.toByteArray());
      if (!root.isObject()) {
        throw notLoaded(where + " is no JSON object");
      }
      return root;
    } catch (JsonProcessingException e) {
      throw notLoaded(where + " is not JSON");
    } catch (IOException e) {
      throw notLoaded(where + " is unreadable");
    }
  }

  /** Stratum maps what P4Info has to the driver's tables by id, else by a part of their name. */
  private static void checkIds(P4Info info, JsonNode bfrt) throws RpcException {
    List<Preamble> wanted = new ArrayList<>();
    info.getTablesList().forEach(each -> wanted.add(each.getPreamble()));
    info.getCountersList().forEach(each -> wanted.add(each.getPreamble()));
    info.getRegistersList().forEach(each -> wanted.add(each.getPreamble()));
    info.getMetersList().forEach(each -> wanted.add(each.getPreamble()));
    for (Preamble entity : wanted) {
      boolean found = false;
      for (JsonNode table : bfrt.path("tables")) {
        found |=
            table.path("id").asLong() == Integer.toUnsignedLong(entity.getId())
                || table.path("name").asText().contains(entity.getName());
      }
      if (!found) {
        throw notLoaded(
            "unable to find bfrt ID for P4Info entity %s with ID %s"
                .formatted(entity.getName(), Integer.toUnsignedString(entity.getId())));
      }
    }
  }

  private static RpcException notLoaded(String reason) {
    return new RpcException(Code.INTERNAL, "the program cannot be loaded: " + reason);
  }

  // ---- rules

  @Override
  public void check(MasterArbitrationUpdate claim, int streams) throws RpcException {
    if (claim.getElectionId().getHigh() == 0 && claim.getElectionId().getLow() == 0) {
      throw RpcException.invalid("election_id is 0 or missing");
    }
    if (streams >= MAX_CONTROLLERS) {
      throw new RpcException(
          Code.RESOURCE_EXHAUSTED, "there are already " + MAX_CONTROLLERS + " controllers");
    }
  }

  @Override
  public void check(WriteRequest request) throws RpcException {
    if (request.getAtomicity() != WriteRequest.Atomicity.CONTINUE_ON_ERROR) {
      throw RpcException.invalid(
          "atomicity " + request.getAtomicity() + " is not supported; CONTINUE_ON_ERROR is");
    }
  }

  @Override
  public void check(SetForwardingPipelineConfigRequest.Action action) throws RpcException {
    if (action == SetForwardingPipelineConfigRequest.Action.RECONCILE_AND_COMMIT) {
      throw new RpcException(Code.UNIMPLEMENTED, "action " + action + " is not supported");
    }
  }

  @Override
  public boolean refusesToTellNoConfig() {
    return true;
  }
}
