package net.sluice.pipeconf.table;

import java.util.Optional;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.MeterSetting;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.pipeconf.p4info.TableDescriptor;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * Entries with a direct meter (P4Runtime 1.3, section 9.1.1), written and read with the entry.
 * Rates are bytes per second there; a meter that marks no packet yellow has both rates and both
 * bursts equal.
 *
 * <p>An entry without a limit is written with rates that nothing reaches: bmv2 leaves a meter as it
 * is when its entry is written without rates, and a new entry takes over the meter of one that was
 * deleted.
 */
abstract class MeteredTableCodec<E extends SwitchEntry> extends TableCodec<E> {
  private static final int BITS_PER_BYTE = 8;

  /** Twice what a limit can be, so that no limit is read as none. */
  private static final MeterSetting UNLIMITED =
      new MeterSetting(2 * MeterProfile.MAX_RATE_BPS, MeterProfile.MAX_BURST_BYTES);

  MeteredTableCodec(TableDescriptor table, Class<E> type) {
    super(table, type);
  }

  /** The entry's meter; empty for one that lets everything through. */
  abstract Optional<MeterSetting> meter(E entry);

  @Override
  final void attach(E entry, TableEntry.Builder into) {
    into.setMeterConfig(config(meter(entry).orElse(UNLIMITED)));
  }

  @Override
  final TableEntry request(TableEntry.Builder entry) {
    return entry.setMeterConfig(MeterConfig.getDefaultInstance()).build();
  }

  private static MeterConfig config(MeterSetting meter) {
    if (meter.rateBps() < 0 || meter.rateBps() % BITS_PER_BYTE != 0) {
      throw new InvalidValueException("rateBps", meter.rateBps(), "a multiple of 8, 0 or more");
    }
    if (meter.burstBytes() < 0) {
      throw new InvalidValueException("burstBytes", meter.burstBytes(), "0 or more");
    }
    long bytesPerSecond = meter.rateBps() / BITS_PER_BYTE;
    return MeterConfig.newBuilder()
        .setCir(bytesPerSecond)
        .setCburst(meter.burstBytes())
        .setPir(bytesPerSecond)
        .setPburst(meter.burstBytes())
        .build();
  }

  static Optional<MeterSetting> readMeter(TableEntry entry) {
    if (!entry.hasMeterConfig()) {
      return Optional.empty();
    }
    MeterConfig config = entry.getMeterConfig();
    if (config.getCir() != config.getPir()
        || config.getCburst() != config.getPburst()
        || config.getCir() < 0
        || config.getCir() > Long.MAX_VALUE / BITS_PER_BYTE) {
      throw new MalformedEntryException(
          "its meter has cir "
              + config.getCir()
              + ", cburst "
              + config.getCburst()
              + ", pir "
              + config.getPir()
              + " and pburst "
              + config.getPburst()
              + " instead of one rate and one burst");
    }
    MeterSetting meter = new MeterSetting(config.getCir() * BITS_PER_BYTE, config.getCburst());
    return Optional.of(meter).filter(read -> !read.equals(UNLIMITED));
  }
}
