package net.sluice.emulator.p4runtime;

import net.sluice.emulator.bmv2.table.MeterCells;
import p4.v1.P4RuntimeOuterClass.MeterConfig;

/** Meter cells as P4Runtime configures them; a cell without config marks everything green. */
final class MeterConfigs {

  private MeterConfigs() {}

  /** Checks a config. */
  static void check(MeterConfig config, String what) throws RpcException {
    range(config.getCir(), "cir", what);
    range(config.getCburst(), "cburst", what);
    range(config.getPir(), "pir", what);
    range(config.getPburst(), "pburst", what);
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
