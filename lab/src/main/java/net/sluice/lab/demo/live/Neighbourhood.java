package net.sluice.lab.demo.live;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.traffic.ArrivalProcess;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.lab.demo.household.HouseholdTraffic;
import net.sluice.lab.support.ControllerApi;

/**
 * Subscribers who share the household's port and want more than it carries: what each is sent
 * changes every few seconds, so that the port is congested most of the time.
 */
final class Neighbourhood {
  private static final long STREAM = 4;
  private static final long RATES_STREAM = 5;
  private static final long CHANGE_NANOS = 5_000_000_000L;
  private static final double JITTER = 0.2;
  private static final int FRAME_BYTES = 1_500;
  private static final String INTERNET = "192.0.2.9";

  /** Subscribers send a tenth of what they are sent. */
  private static final int UP_PART = 10;

  private static final long HOUSEHOLD_UP_BPS = 2_000_000;
  private static final long UP_STREAM = 6;

  /** A subscriber is sent between nothing and twice its usual rate. */
  private static final double MOST = 2;

  private final Simulation simulation;
  private final TrafficSource source;
  private final TrafficSource upstream;
  private final Prng random;
  private final List<Group> groups;

  /**
   * Subscribers that are alike.
   *
   * @param policy of each, which is its tier, too
   * @param subscribers how many
   * @param usualBps what each is sent on average, bit/s
   * @param subnet third number of their addresses
   * @param street a label
   */
  private record Group(String policy, int subscribers, long usualBps, int subnet, String street) {
    String id(int number) {
      return policy + "-" + (number + 1);
    }

    String address(int number) {
      return "10.0." + subnet + "." + (number + 1);
    }
  }

  /**
   * Traffic that begins with the simulation.
   *
   * @param core port of the switch by which it comes down
   * @param access port by which it comes up
   */
  Neighbourhood(Simulation simulation, FrameReceiver core, FrameReceiver access) {
    this.simulation = simulation;
    source = new TrafficSource(simulation, core, STREAM);
    upstream = new TrafficSource(simulation, access, UP_STREAM);
    random = simulation.random(RATES_STREAM);
    groups =
        List.of(
            new Group("gold", 6, 9_000_000, 1, "elm"),
            new Group("silver", 12, 4_000_000, 2, "oak"));
    for (Group group : groups) {
      for (int number = 0; number < group.subscribers(); number++) {
        source.addFlow(flow(INTERNET, group.address(number), group.usualBps()));
        upstream.addFlow(flow(group.address(number), INTERNET, group.usualBps() / UP_PART));
      }
    }
    upstream.addFlow(flow(HouseholdTraffic.HOME.toString(), INTERNET, HOUSEHOLD_UP_BPS));
    change(0, 0);
  }

  private static FlowSpec flow(String from, String to, long bps) {
    return new FlowSpec(
        new FrameBuilder().addresses(from, to).frameBytes(FRAME_BYTES).build(),
        bps,
        0,
        Long.MAX_VALUE,
        new ArrivalProcess.Cbr(true, JITTER));
  }

  private void change(long nowNanos, long unused) {
    int flow = 0;
    for (Group group : groups) {
      for (int number = 0; number < group.subscribers(); number++) {
        long bps = Math.round(MOST * random.nextDouble() * group.usualBps());
        source.setRateBps(flow, bps);
        upstream.setRateBps(flow, bps / UP_PART);
        flow++;
      }
    }
    simulation.schedule(nowNanos + CHANGE_NANOS, this::change, 0);
  }

  /** Declares them, and their policies. */
  void declare(ControllerApi api)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    for (Group group : groups) {
      api.put(
          "/policies/" + group.policy(),
          "{\"throughputValue\":{\"builtIn\":\"" + group.policy() + "\"}}");
      for (int number = 0; number < group.subscribers(); number++) {
        lines.add(
            "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"%s\",\"value\":{\"policy\":\"%s\",\"prefixes\":[\"%s/32\"],\"attachment\":{\"port\":0,\"tree\":0},\"labels\":{\"street\":\"%s\"}}}"
                .formatted(
                    group.id(number), group.policy(), group.address(number), group.street()));
      }
    }
    long unused = api.bulk(lines.iterator(), 1);
  }
}
