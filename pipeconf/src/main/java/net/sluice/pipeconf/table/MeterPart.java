package net.sluice.pipeconf.table;

import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.value.InvalidValueException;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * The direct meter of an entry (P4Runtime 1.3, section 9.1.1), written and read with the entry.
 * Rates are bytes per second there; a meter that marks no packet yellow has both rates and both
 * bursts equal.
 *
 * <p>An entry without a limit is written with rates that nothing reaches: bmv2 leaves a meter as it
 * is when its entry is written without rates, and a new entry takes over the meter of one that was
 * deleted.
 */
record MeterPart<E>(NumberField<E> rateBps, NumberField<E> burstBytes) {
  private static final int BITS_PER_BYTE = 8;

  /** Twice what a limit can be, so that no limit is read as none. */
  private static final MeterConfig UNLIMITED =
      config(2 * MeterProfile.MAX_RATE_BPS, MeterProfile.MAX_BURST_BYTES);

  MeterPart(MeterSetting.Fields<E> fields) {
    this(fields.rateBps(), fields.burstBytes());
  }

  /** The meter of an entry. */
  MeterConfig config(E entry) {
    long rate = rateBps.number(entry);
    return rate == rateBps.none() ? UNLIMITED : config(rate, burstBytes.number(entry));
  }

  private static MeterConfig config(long rateBps, long burstBytes) {
    if (rateBps < 0 || rateBps % BITS_PER_BYTE != 0) {
      throw new InvalidValueException("rateBps", rateBps, "a multiple of 8, 0 or more");
    }
    if (burstBytes < 0) {
      throw new InvalidValueException("burstBytes", burstBytes, "0 or more");
    }
    long bytesPerSecond = rateBps / BITS_PER_BYTE;
    return MeterConfig.newBuilder()
        .setCir(bytesPerSecond)
        .setCburst(burstBytes)
        .setPir(bytesPerSecond)
        .setPburst(burstBytes)
        .build();
  }

  /** The rate of the meter that was read; none of an entry without a limit. */
  long readRate(TableEntry entry) {
    if (!entry.hasMeterConfig()) {
      return rateBps.none();
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
    boolean isUnlimited =
        config.getCir() == UNLIMITED.getCir() && config.getCburst() == UNLIMITED.getCburst();
    return isUnlimited ? rateBps.none() : config.getCir() * BITS_PER_BYTE;
  }

  /** The burst of a meter with a rate. */
  long readBurst(TableEntry entry) {
    return entry.getMeterConfig().getCburst();
  }
}
