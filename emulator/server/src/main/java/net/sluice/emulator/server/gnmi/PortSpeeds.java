package net.sluice.emulator.server.gnmi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The speeds of Ethernet ports that OpenConfig has names for. */
final class PortSpeeds {

  static final String UNKNOWN = "SPEED_UNKNOWN";

  private static final Map<String, Long> SPEEDS = new LinkedHashMap<>();

  static {
    SPEEDS.put("SPEED_10MB", 10_000_000L);
    SPEEDS.put("SPEED_100MB", 100_000_000L);
    SPEEDS.put("SPEED_1GB", 1_000_000_000L);
    SPEEDS.put("SPEED_2500MB", 2_500_000_000L);
    SPEEDS.put("SPEED_5GB", 5_000_000_000L);
    SPEEDS.put("SPEED_10GB", 10_000_000_000L);
    SPEEDS.put("SPEED_25GB", 25_000_000_000L);
    SPEEDS.put("SPEED_40GB", 40_000_000_000L);
    SPEEDS.put("SPEED_50GB", 50_000_000_000L);
    SPEEDS.put("SPEED_100GB", 100_000_000_000L);
    SPEEDS.put("SPEED_200GB", 200_000_000_000L);
    SPEEDS.put("SPEED_400GB", 400_000_000_000L);
    SPEEDS.put("SPEED_600GB", 600_000_000_000L);
    SPEEDS.put("SPEED_800GB", 800_000_000_000L);
    SPEEDS.put("SPEED_1600GB", 1_600_000_000_000L);
  }

  private PortSpeeds() {}

  static List<String> names() {
    return List.copyOf(SPEEDS.keySet());
  }

  /** Bit/s of a name. */
  static long bps(String name) {
    return SPEEDS.get(name);
  }

  /** The name of a rate, or {@link #UNKNOWN}. */
  static String name(long rateBps) {
    for (Map.Entry<String, Long> speed : SPEEDS.entrySet()) {
      if (speed.getValue() == rateBps) {
        return speed.getKey();
      }
    }
    return UNKNOWN;
  }
}
