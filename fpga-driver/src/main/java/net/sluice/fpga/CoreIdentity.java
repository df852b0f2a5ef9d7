package net.sluice.fpga;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import net.sluice.intents.profile.FpgaProfile;

/**
 * The build of a Sluice core, as its identification registers tell it.
 *
 * @param mapVersion version of its register map
 * @param queueBits bits of a queue id
 * @param levels levels of its scheduler: 0, 1 or 3
 * @param codel whether it has CoDel
 * @param classShares whether classes of a customer have priorities and shares
 * @param customerDelays whether each customer has CoDel and a depth of its own
 * @param tickClocks clock cycles in which a bucket gains its rate word
 * @param mtuBytes tokens that a bucket must hold before a packet may leave
 * @param clockKhz clock frequency, as whoever built the core says
 */
public record CoreIdentity(
    int mapVersion,
    int queueBits,
    int levels,
    boolean codel,
    boolean classShares,
    boolean customerDelays,
    int tickClocks,
    int mtuBytes,
    int clockKhz) {
  /** The version of the register map that this driver is for. */
  static final int MAP_VERSION = 1;

  private static final int LETTERS = 0x53_4c_55;
  private static final int LEVELS = 3;
  private static final int CODEL = 1 << 16;
  private static final int CLASS_SHARES = 1 << 17;
  private static final int CUSTOMER_DELAYS = 1 << 18;
  private static final double KHZ = 1_000;

  /**
   * The identity in the words of {@code CORE_ID}, {@code CORE_GEOMETRY}, {@code CORE_TICK} and
   * {@code CORE_CLOCK}; empty for a core without these registers, such as that of paper 001.
   *
   * @throws RegisterBusException if whatever answers is no queueing core
   */
  static Optional<CoreIdentity> of(int id, int geometry, int tick, int clockKhz) {
    if (id == RegisterLayout.STRAY_READ) {
      return Optional.empty();
    }
    if (id >>> 8 != LETTERS) {
      throw new RegisterBusException(
          "no queueing core answers: its identification register reads "
              + RegisterBatch.hex(id)
              + "; allowed: 0x534c55.., or "
              + RegisterBatch.hex(RegisterLayout.STRAY_READ)
              + " of a core without one");
    }
    return Optional.of(
        new CoreIdentity(
            id & 0xff,
            geometry & 0x1f,
            geometry >>> 8 & 3,
            (geometry & CODEL) != 0,
            (geometry & CLASS_SHARES) != 0,
            (geometry & CUSTOMER_DELAYS) != 0,
            tick & 0xffff,
            tick >>> 16,
            clockKhz));
  }

  /** Why a core without identification cannot be driven by {@code profile}; empty if it can. */
  public static Optional<String> misfitOfUnidentified(FpgaProfile profile) {
    List<String> faults = new ArrayList<>();
    if (profile.classShares()) {
      faults.add("priorities and shares of classes");
    }
    if (profile.customerBursts()) {
      faults.add("bursts of customers");
    }
    return faults.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the card has no identification registers, and a core without them has no "
                + String.join(", no ", faults)
                + ", which is asked for");
  }

  /** Why this core cannot be driven by {@code profile}; empty if it can. */
  public Optional<String> misfit(FpgaProfile profile) {
    List<String> faults = new ArrayList<>();
    add(faults, "version of the register map", mapVersion, MAP_VERSION);
    add(faults, "scheduler levels", levels, LEVELS);
    int queues = profile.queueIds();
    if (1 << queueBits < queues) {
      faults.add("it has " + (1 << queueBits) + " queues; needed: " + queues);
    }
    if (profile.classShares() && !classShares) {
      faults.add("its classes have no priorities and shares, which the profile has");
    }
    add(faults, "clocks of a tick", tickClocks, profile.ticksPerUpdate());
    add(faults, "tokens of an MTU", mtuBytes, profile.minBurstBytes());
    add(faults, "clock in kHz", clockKhz, (int) Math.round(profile.clockHz() / KHZ));
    return faults.isEmpty()
        ? Optional.empty()
        : Optional.of("the card is built otherwise than configured: " + String.join("; ", faults));
  }

  private static void add(List<String> faults, String subject, int actual, int needed) {
    if (actual != needed) {
      faults.add("its " + subject + ": " + actual + "; needed: " + needed);
    }
  }

  /** For people: {@code 262144 queues, 3 scheduler levels, 220 MHz}. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%d queues, %d scheduler levels,%s %s MHz",
        1 << queueBits,
        levels,
        customerDelays ? " CoDel for each customer," : codel ? " CoDel for each class," : "",
        Double.toString(clockKhz / KHZ).replaceFirst("\\.0$", ""));
  }
}
