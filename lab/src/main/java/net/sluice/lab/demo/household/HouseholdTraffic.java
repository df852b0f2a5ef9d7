package net.sluice.lab.demo.household;

import java.io.IOException;
import java.util.List;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Link;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.HostConfig;
import net.sluice.emulator.netsim.host.HostDemultiplexer;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.tcp.TcpBulkSender;
import net.sluice.emulator.netsim.host.tcp.TcpConfig;
import net.sluice.emulator.netsim.host.tcp.TcpSink;
import net.sluice.emulator.netsim.host.tcp.TcpStack;
import net.sluice.emulator.netsim.traffic.ArrivalProcess;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.lab.demo.household.Household.Flow;
import net.sluice.lab.support.ControllerApi;

/** A download, a call and a game for a household, and a flood for its neighbour. */
public final class HouseholdTraffic implements FrameReceiver {
  private static final long RTT_NANOS = 40_000_000;

  /** Flows of the download begin within this time. */
  private static final long STARTS_NANOS = 100_000_000;

  private static final int DOWNLOADS = 4;
  private static final double JITTER = 0.2;
  private static final int PORT = 5_001;
  private static final long CORE_MAC = 0x02_00_00_02_00_00L;

  /** Address of the household. */
  public static final IpAddress HOME = IpAddress.of("10.0.0.1");

  static final IpAddress NEIGHBOUR = IpAddress.of("10.0.0.2");
  private static final IpAddress CORE = IpAddress.of("192.0.2.1");

  /** 198.18.0.0, for measurements (RFC 2544). */
  private static final long FIRST_SENDER = 0xc6_12_00_00L;

  private static final long UDP_STREAM = 1;
  private static final long STARTS_STREAM = 2;
  private static final long RECEIVER_STREAM = 3;
  private static final long SENDER_STREAMS = 1_000;

  private final Simulation simulation;
  private final SwitchPort core;
  private final Host home;

  /**
   * Traffic that begins with the simulation.
   *
   * @param core port of the switch by which it comes in
   * @param homeMac address of the household, which is what the switch sends to
   */
  public HouseholdTraffic(Simulation simulation, SwitchPort core, long homeMac) {
    this.simulation = simulation;
    this.core = core;
    home = new Host(simulation, new HostConfig("home", homeMac, CORE_MAC, List.of(HOME), 0));
    download(homeMac);
    TrafficSource source = new TrafficSource(simulation, core, UDP_STREAM);
    for (Flow flow : Flow.values()) {
      if (flow != Flow.DOWNLOAD) {
        source.addFlow(
            new FlowSpec(
                new FrameBuilder()
                    .addresses(CORE.toString(), flow.to().toString())
                    .ports(flow.ordinal() + PORT + 1, flow.ordinal() + PORT + 1)
                    .frameBytes(flow.frameBytes())
                    .build(),
                Math.round(flow.offeredBps()),
                0,
                Long.MAX_VALUE,
                new ArrivalProcess.Cbr(true, JITTER)));
      }
    }
  }

  private void download(long homeMac) {
    HostDemultiplexer back = new HostDemultiplexer();
    home.attach(back);
    TcpConfig tcp = TcpConfig.defaults();
    TcpSink.listen(TcpStack.on(home, tcp, RECEIVER_STREAM), PORT);
    Prng random = simulation.random(STARTS_STREAM);
    for (int i = 0; i < DOWNLOADS; i++) {
      IpAddress address = new IpAddress(false, 0, FIRST_SENDER + i + 1);
      Host sender =
          new Host(
              simulation,
              new HostConfig(
                  "sender " + i, CORE_MAC, homeMac, List.of(address), Flow.DOWNLOAD.ordinal()));
      sender.attach(core);
      back.add(address, Link.in(simulation).propagationNanos(RTT_NANOS).to(sender));
      TcpBulkSender.to(TcpStack.on(sender, tcp, SENDER_STREAMS + i), HOME, PORT)
          .startNanos((long) (random.nextDouble() * STARTS_NANOS))
          .start();
    }
  }

  /** Takes a frame that has left the switch towards the household or its neighbour. */
  @Override
  public void receive(byte[] frame, int offset, int length, long tag, long nowNanos) {
    if (FlowTag.flowId(tag) == Flow.DOWNLOAD.ordinal()) {
      home.receive(frame, offset, length, tag, nowNanos);
    }
  }

  /**
   * Declares the household and its neighbour under policy {@code home}.
   *
   * @param policy its body
   */
  public static void declare(ControllerApi api, String policy)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    api.put("/policies/home", policy);
    declare(api, "household", "Call, game and download", HOME, Household.LIMIT_BPS);
    declare(api, "neighbour", "A flood", NEIGHBOUR, Household.NEIGHBOUR_LIMIT_BPS);
  }

  private static void declare(
      ControllerApi api, String id, String name, IpAddress address, long limitBps)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    api.put(
        "/subscribers/" + id,
        "{\"policy\":\"home\",\"displayName\":\""
            + name
            + "\",\"prefixes\":[\""
            + address
            + "/32\"],\"attachment\":{\"port\":0,\"tree\":0}}");
    api.put(
        "/rate-limits/" + id,
        "{\"scope\":{\"subscriber\":\""
            + id
            + "\"},\"downBps\":"
            + limitBps
            + ",\"enforcement\":\"shape\"}");
  }
}
