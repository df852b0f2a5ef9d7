package net.sluice.core.ports;

import java.util.Map;
import java.util.Optional;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.TypedValue;
import net.sluice.gnmi.wire.Update;

/**
 * The setting that makes a port keep to a rate: its Ethernet speed where the rate has one, else a
 * scheduler policy (openconfig-qos) that shapes all its queues together and serves them strictly,
 * the highest number first.
 */
final class GnmiPortSetting {

  private static final Map<Long, String> SPEEDS =
      Map.ofEntries(
          Map.entry(10_000_000L, "SPEED_10MB"),
          Map.entry(100_000_000L, "SPEED_100MB"),
          Map.entry(1_000_000_000L, "SPEED_1GB"),
          Map.entry(2_500_000_000L, "SPEED_2500MB"),
          Map.entry(5_000_000_000L, "SPEED_5GB"),
          Map.entry(10_000_000_000L, "SPEED_10GB"),
          Map.entry(25_000_000_000L, "SPEED_25GB"),
          Map.entry(40_000_000_000L, "SPEED_40GB"),
          Map.entry(50_000_000_000L, "SPEED_50GB"),
          Map.entry(100_000_000_000L, "SPEED_100GB"),
          Map.entry(200_000_000_000L, "SPEED_200GB"),
          Map.entry(400_000_000_000L, "SPEED_400GB"),
          Map.entry(600_000_000_000L, "SPEED_600GB"),
          Map.entry(800_000_000_000L, "SPEED_800GB"));
  private static final int QUEUES = 8;
  private static final int BITS_PER_BYTE = 8;
  private static final double QUEUE_SECONDS = 0.25;
  private static final long MIN_QUEUE_BYTES = 1L << 20;
  private static final long MAX_QUEUE_BYTES = 0xffff_ffffL;

  private GnmiPortSetting() {}

  /** Bit/s of a speed's name. */
  static Optional<Long> rateBps(String speed) {
    return SPEEDS.entrySet().stream()
        .filter(entry -> entry.getValue().equals(speed))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /**
   * The transaction that gives an interface a rate; empty if the target has nothing for it.
   *
   * @param shapes whether the target has openconfig-qos
   */
  static Optional<SetRequest> of(String name, long rateBps, boolean shapes) {
    String speed = SPEEDS.get(rateBps);
    if (speed != null) {
      return Optional.of(
          SetRequest.newBuilder()
              .addUpdate(
                  edit(
                      "/interfaces/interface[name="
                          + escaped(name)
                          + "]/ethernet/config/port-speed",
                      GnmiValues.of(speed)))
              .build());
    }
    if (!shapes) {
      return Optional.empty();
    }
    String policy = "sluice-" + name;
    String scheduler =
        "/qos/scheduler-policies/scheduler-policy[name="
            + escaped(policy)
            + "]/schedulers/scheduler[sequence=1]";
    String rate = scheduler + "/one-rate-two-color/config/";
    long queueBytes =
        Math.min(
            MAX_QUEUE_BYTES,
            Math.max(MIN_QUEUE_BYTES, (long) (rateBps / (double) BITS_PER_BYTE * QUEUE_SECONDS)));
    SetRequest.Builder set =
        SetRequest.newBuilder()
            .addUpdate(edit(scheduler + "/config/priority", GnmiValues.of("STRICT")))
            .addUpdate(edit(rate + "cir", GnmiValues.ofUnsigned(rateBps)))
            .addUpdate(edit(rate + "queuing-behavior", GnmiValues.of("SHAPE")))
            .addUpdate(edit(rate + "max-queue-depth-bytes", GnmiValues.ofUnsigned(queueBytes)));
    for (int queue = 0; queue < QUEUES; queue++) {
      String input = scheduler + "/inputs/input[id=" + queue + "]/config/";
      set.addUpdate(edit(input + "queue", GnmiValues.of(Integer.toString(queue))))
          .addUpdate(edit(input + "weight", GnmiValues.ofUnsigned(queue + 1L)));
    }
    return Optional.of(
        set.addUpdate(
                edit(
                    "/qos/interfaces/interface[interface-id="
                        + escaped(name)
                        + "]/output/scheduler-policy/config/name",
                    GnmiValues.of(policy)))
            .build());
  }

  private static Update edit(String path, TypedValue value) {
    return Update.newBuilder().setPath(GnmiPaths.parse(path)).setVal(value).build();
  }

  private static String escaped(String key) {
    return key.replace("\\", "\\\\").replace("]", "\\]");
  }
}
