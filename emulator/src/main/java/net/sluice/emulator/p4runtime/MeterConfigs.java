package net.sluice.emulator.p4runtime;

import com.google.protobuf.UnknownFieldSet;
import com.google.rpc.Code;
import net.sluice.emulator.bmv2.table.MeterCells;
import p4.v1.P4RuntimeOuterClass.MeterConfig;

/** Meter cells as P4Runtime configures them; a cell without config marks everything green. */
final class MeterConfigs {

  /** Fields of later versions, which the messages in use keep as unknown. */
  static final int METER_COUNTERS_FIELD = 4;

  static final int DIRECT_METER_COUNTERS_FIELD = 3;
  private static final int EBURST_FIELD = 5;

  private MeterConfigs() {}

  /** Refuses the counters by colour that later versions know. */
  static void refuseColourCounters(UnknownFieldSet unknown, int field, String what)
      throws RpcException {
    if (unknown.hasField(field)) {
      throw new RpcException(
          Code.UNIMPLEMENTED, "counter_data of " + what + " is set; meters do not count by colour");
    }
  }

  /** Checks a config. */
  static void check(MeterConfig config, String what) throws RpcException {
    range(config.getCir(), "cir", what);
    range(config.getCburst(), "cburst", what);
    range(config.getPir(), "pir", what);
    range(config.getPburst(), "pburst", what);
    for (long excess : config.getUnknownFields().getField(EBURST_FIELD).getVarintList()) {
      if (excess != 0) {
        throw RpcException.invalid(
            what + ": eburst " + excess + " must be unset; the meter has two rates");
      }
    }
    if (config.getCir() > config.getPir()) {
      throw RpcException.invalid(
          what + ": cir " + config.getCir() + " must not be above pir " + config.getPir());
    }
  }

  private static void range(long value, String field, String what) throws RpcException {
    if (value < 0 || value > MeterCells.MAX) {
      throw RpcException.invalid(
          what + ": " + field + " " + value + " must be from 0 to " + MeterCells.MAX);
    }
  }

  /** Configures a cell with a config that has been checked; null for none. */
  static void write(MeterCells cells, int index, MeterConfig config) {
    if (config == null) {
      cells.reset(index);
    } else {
      cells.configure(
          index, config.getCir(), config.getCburst(), config.getPir(), config.getPburst());
    }
  }

  /** A cell's config; null if it has none. */
  static MeterConfig read(MeterCells cells, int index) {
    if (!cells.isConfigured(index)) {
      return null;
    }
    return MeterConfig.newBuilder()
        .setCir(cells.committedRate(index))
        .setCburst(cells.committedBurst(index))
        .setPir(cells.peakRate(index))
        .setPburst(cells.peakBurst(index))
        .build();
  }
}
