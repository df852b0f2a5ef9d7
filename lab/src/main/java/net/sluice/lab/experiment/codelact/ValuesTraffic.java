package net.sluice.lab.experiment.codelact;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.share.WaterFilling;

/** Traffic to Gold and Silver subscribers, as many of each, over a line that it overloads. */
enum ValuesTraffic {
  /** Datagrams at random times, twice the line's rate in total, whatever becomes of them. */
  UDP("udp", 1),
  /** A TCP flow each, as fast as TCP lets it. */
  TCP("tcp", 1_448 / 1_514.0);

  /** Rate of the line, bit/s. */
  static final long LINE_BPS = 50_000_000;

  /** Subscribers of each policy. */
  static final int EACH = 5;

  /** Rate of datagrams sent to a subscriber, bit/s. */
  static final long OFFERED_BPS = 2 * LINE_BPS / (2 * EACH);

  private static final long FIRST_ADDRESS = 0x0a_00_00_01L;

  private final String key;
  private final double payloadShare;

  ValuesTraffic(String key, double payloadShare) {
    this.key = key;
    this.payloadShare = payloadShare;
  }

  /** Last part of its rows' names. */
  String key() {
    return key;
  }

  /** The subscribers' policies, Gold first. */
  static Map<IpAddress, BuiltInFunction> policies() {
    Map<IpAddress, BuiltInFunction> policies = new LinkedHashMap<>();
    IntStream.range(0, 2 * EACH)
        .forEach(
            i ->
                policies.put(
                    new IpAddress(false, 0, FIRST_ADDRESS + i),
                    i < EACH ? BuiltInFunction.GOLD : BuiltInFunction.SILVER));
    return Collections.unmodifiableMap(policies);
  }

  /** Share of a subscriber of a policy on a full line divided by policy, bit/s. */
  double shareBps(BuiltInFunction policy) {
    List<BuiltInFunction> functions = List.of(BuiltInFunction.GOLD, BuiltInFunction.SILVER);
    double demandBps = this == UDP ? OFFERED_BPS : LINE_BPS;
    List<WaterFilling.Group> groups =
        functions.stream().map(f -> new WaterFilling.Group(EACH, demandBps, f)).toList();
    return payloadShare
        * WaterFilling.divide(groups, LINE_BPS).ratesBps().get(functions.indexOf(policy));
  }
}
