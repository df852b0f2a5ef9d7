package net.sluice.emulator.server.p4runtime.cell;

import com.google.rpc.Code;
import java.util.List;
import java.util.Locale;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.table.MeterCells;
import p4.config.v1.P4InfoOuterClass.MeterSpec;
import p4.config.v1.P4InfoOuterClass.Preamble;
import p4.v1.P4RuntimeOuterClass.MeterConfig;

/** Meter cells as P4Runtime configures them; a cell without config marks everything green. */
public final class MeterConfigs {

  private MeterConfigs() {}

  /** Refuses counters by colour (section 9.4.3). */
  public static void refuseColourCounters(boolean given, String what) throws RpcException {
    if (given) {
      throw new RpcException(
          Code.UNIMPLEMENTED, "counter_data of " + what + " is set; meters do not count by colour");
    }
  }

  /** How a meter marks, by its specification in P4Info, or by its annotation in the P4 source. */
  public static MeterCells.Kind kind(MeterSpec spec, Preamble preamble) throws RpcException {
    for (MeterCells.Kind kind : MeterCells.Kind.values()) {
      if (preamble.getAnnotationsList().contains("@" + kind.name().toLowerCase(Locale.ROOT))) {
        return kind;
      }
    }
    int type = spec.getTypeValue();
    if (type < 0 || type >= MeterCells.Kind.values().length) {
      throw RpcException.invalid(
          "meter '%s' is of type %s in P4Info; it must be one of %s",
          preamble.getName(), type, List.of(MeterCells.Kind.values()));
    }
    return MeterCells.Kind.values()[type];
  }

  /** Checks a config for a meter. */
  public static void check(MeterConfig config, MeterCells cells, String what) throws RpcException {
    if (cells.rates() != 2) {
      throw RpcException.invalid(
          "%s: meter '%s' has %s%s in the device config; a config has two, so it cannot be"
              + " configured",
          what, cells.name(), cells.rates(), cells.rates() == 1 ? " rate" : " rates");
    }
    check(config, cells.kind(), what);
  }

  private static void check(MeterConfig config, MeterCells.Kind kind, String what)
      throws RpcException {
    if (kind != MeterCells.Kind.TWO_RATE_THREE_COLOR) {
      checkSingleRate(config, kind, what);
    }
    range(config.getCir(), "cir", what);
    range(config.getCburst(), "cburst", what);
    range(config.getPir(), "pir", what);
    range(config.getPburst(), "pburst", what);
    long excess = config.getEburst();
    if (kind == MeterCells.Kind.SINGLE_RATE_THREE_COLOR) {
      range(excess, "eburst", what);
    } else if (excess != 0) {
      throw RpcException.invalid(
          "%s: eburst %s must be unset; the meter has %s",
          what, excess, kind == MeterCells.Kind.TWO_RATE_THREE_COLOR ? "two rates" : "two colours");
    }
    if (config.getCir() > config.getPir()) {
      throw RpcException.invalid(
          what + ": cir " + config.getCir() + " must not be above pir " + config.getPir());
    }
  }

  private static void checkSingleRate(MeterConfig config, MeterCells.Kind kind, String what)
      throws RpcException {
    if (config.getPir() != config.getCir() || config.getPburst() != config.getCburst()) {
      throw RpcException.invalid(
          "%s: pir %s and pburst %s must be cir %s and cburst %s; the meter is %s",
          what, config.getPir(), config.getPburst(), config.getCir(), config.getCburst(), kind);
    }
  }

  private static void range(long value, String field, String what) throws RpcException {
    if (value < 0 || value > MeterCells.MAX) {
      throw RpcException.invalid(
          what + ": " + field + " " + value + " must be from 0 to " + MeterCells.MAX);
    }
  }

  /** Notes how a cell is before it is configured. */
  public static void save(MeterCells cells, int index, UndoLog undo) {
    if (undo != null) {
      long[] before = cells.save(index);
      undo.add(() -> cells.restore(index, before));
    }
  }

  /** Configures a cell with a config that has been checked; null for none. */
  public static void write(MeterCells cells, int index, MeterConfig config) {
    if (config == null) {
      cells.reset(index);
    } else if (cells.kind() == MeterCells.Kind.SINGLE_RATE_THREE_COLOR) {
      cells.configureSingleRate(index, config.getCir(), config.getCburst(), config.getEburst());
    } else {
      cells.configure(
          index, config.getCir(), config.getCburst(), config.getPir(), config.getPburst());
    }
  }

  /** A cell's config; null if it has none. */
  public static MeterConfig read(MeterCells cells, int index) {
    if (!cells.isConfigured(index) || cells.rates() != 2) {
      return null;
    }
    if (cells.kind() == MeterCells.Kind.SINGLE_RATE_THREE_COLOR) {
      return MeterConfig.newBuilder()
          .setCir(cells.committedRate(index))
          .setCburst(cells.committedBurst(index))
          .setPir(cells.committedRate(index))
          .setPburst(cells.committedBurst(index))
          .setEburst(cells.peakBurst(index))
          .build();
    }
    return MeterConfig.newBuilder()
        .setCir(cells.committedRate(index))
        .setCburst(cells.committedBurst(index))
        .setPir(cells.peakRate(index))
        .setPburst(cells.peakBurst(index))
        .build();
  }
}
