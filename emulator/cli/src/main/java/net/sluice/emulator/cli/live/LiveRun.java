package net.sluice.emulator.cli.live;

import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.ReportFile;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.cli.tls.TlsOptions;
import net.sluice.emulator.ports.LinkMonitor;
import net.sluice.emulator.ports.NetworkPort;
import net.sluice.emulator.ports.PortException;
import net.sluice.emulator.ports.RealTimePorts;
import net.sluice.emulator.ports.RealTimeSwitch;
import net.sluice.emulator.server.gnmi.GnmiEndpoint;
import net.sluice.emulator.server.gnmi.GnmiServer;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.emulator.v1model.program.ProgramException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;

/** The switch on real interfaces, until a signal ends the process. */
record LiveRun(SwitchOptions options, TlsOptions.Credentials credentials, PrintWriter out) {

  private static final Logger LOG = LoggerFactory.getLogger(LiveRun.class);

  /**
   * Opens everything, then switches on this thread.
   *
   * @throws StartFailure if something cannot be had; nothing is left open then
   */
  void run() throws StartFailure {
    ForwardingPipelineConfig config =
        options.program().isPresent() ? options.program().get().read() : null;
    List<Update> entries =
        options.entries().isPresent()
            ? ProgramFiles.readEntries(options.entries().get())
            : List.of();
    InetSocketAddress address = options.servers().grpc().orElseThrow();
    V1modelSwitch device =
        new V1modelSwitch(
            options.servers().deviceId(), options.seed(), options.servers().cpuPort());
    CountDownLatch closed = new CountDownLatch(1);
    try (Recordings recordings = new Recordings(options.recordings());
        RealTimeSwitch real = new RealTimeSwitch(device, options.seed())) {
      for (PortOption port : options.ports()) {
        NetworkPort outside = open(port);
        real.addPort(
            port.number(),
            outside,
            options.lines().rateBps(port.number()),
            options.lines().queueLimitBytes(port.number(), false),
            options.lines().delayNanos(port.number()),
            recordings.of(outside));
        device.namePort(port.number(), port.name());
      }
      for (int loop : options.lines().loops()) {
        real.addLoop(
            loop, options.lines().rateBps(loop), options.lines().queueLimitBytes(loop, false));
      }
      real.configure(node -> node.ports().forEach(options.lines()::prepare));
      try (ReportFile report = reportOn(real, device);
          GnmiEndpoint beside = options.servers().gnmiBesideP4Runtime() ? real.gnmi() : null;
          P4RuntimeServer server = serve(device, address, beside);
          GnmiServer gnmi = serveGnmi(real);
          LinkMonitor links = real.watchLinks()) {
        install(device, server, config, entries);
        // A signal ends the switch; the process lives on until all is closed.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(real, closed), "sluice-stop"));
        out.printf(
            Locale.ROOT,
            "sluice switch: device %d ready: ports %s, P4Runtime %s%s%s%s%n",
            options.servers().deviceId(),
            options.ports().isEmpty()
                ? "none"
                : options.ports().stream().map(PortOption::text).collect(Collectors.joining(" ")),
            ListenAddress.text(address, server.port()),
            overTls(credentials.grpc()),
            options
                .servers()
                .gnmi()
                .map(
                    at ->
                        ", gNMI "
                            + ListenAddress.text(at, gnmi == null ? server.port() : gnmi.port())
                            + overTls(gnmi == null ? credentials.grpc() : credentials.gnmi()))
                .orElse(""),
            missing(config));
        out.flush();
        real.run();
      }
      report(real, device);
    } finally {
      closed.countDown();
    }
  }

  private static String overTls(ServerCredentials credentials) {
    return credentials instanceof InsecureServerCredentials ? "" : " over TLS";
  }

  private static String missing(ForwardingPipelineConfig config) {
    if (config == null) {
      return ", no program yet";
    }
    return config.hasP4Info() ? "" : ", no P4Info yet";
  }

  /** The report, or null if none was asked for. */
  private ReportFile reportOn(RealTimeSwitch real, V1modelSwitch device) {
    return options
        .report()
        .map(file -> ReportFile.start(file, () -> LiveReport.of(real, device)))
        .orElse(null);
  }

  private static NetworkPort open(PortOption port) throws StartFailure {
    try {
      return NetworkPort.open(port.device());
    } catch (PortException e) {
      throw new StartFailure("-i " + port.text() + ": " + e.getMessage(), e);
    }
  }

  private P4RuntimeServer serve(V1modelSwitch device, InetSocketAddress address, GnmiEndpoint gnmi)
      throws StartFailure {
    try {
      return P4RuntimeServer.start(
          device,
          address,
          credentials.grpc(),
          gnmi == null ? List.of() : List.of(gnmi.definition()),
          options.servers().variant().kind());
    } catch (IOException e) {
      throw StartFailure.cannotServe("P4Runtime", address, e);
    }
  }

  /** The gNMI server, or null if none of its own was asked for. */
  private GnmiServer serveGnmi(RealTimeSwitch real) throws StartFailure {
    if (options.servers().gnmi().isEmpty() || options.servers().gnmiBesideP4Runtime()) {
      return null;
    }
    InetSocketAddress address = options.servers().gnmi().get();
    try {
      return real.serveGnmi(address, credentials.gnmi());
    } catch (IOException e) {
      throw StartFailure.cannotServe("gNMI", address, e);
    }
  }

  private void install(
      V1modelSwitch device,
      P4RuntimeServer server,
      ForwardingPipelineConfig config,
      List<Update> entries)
      throws StartFailure {
    if (config == null) {
      return;
    }
    try {
      if (!config.hasP4Info()) {
        device.install(device.load(config.getP4DeviceConfig().toByteArray()));
        return;
      }
      server.install(config);
    } catch (IllegalArgumentException | ProgramException e) {
      throw options.program().orElseThrow().refused(e);
    }
    try {
      server.write(entries);
    } catch (IllegalArgumentException e) {
      throw options.entriesRefused(e);
    }
  }

  private static void stop(RealTimeSwitch real, CountDownLatch closed) {
    real.stop();
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void report(RealTimeSwitch real, V1modelSwitch device) {
    LiveReport report = LiveReport.of(real, device);
    for (RealTimePorts.PortReport port : real.reports()) {
      LOG.info(
          "port {}@{}: {} packets in ({} lost before, {} unusable), {} out ({} refused{}), dropped:"
              + " {} by ingress, {} by egress, {} by the full queue",
          port.number(),
          port.name(),
          port.inside().receivedPackets(),
          port.outside().kernelDrops(),
          port.outside().unusableFrames(),
          port.outside().sentFrames(),
          port.outside().unsentFrames(),
          port.outside().unsentFrames() == 0 ? "" : ", the last: " + port.outside().lastSendError(),
          port.inside().ingressDrops(),
          port.inside().egressDropPackets(),
          port.inside().tailDropPackets());
    }
    for (LiveReport.Loop loop : report.loops()) {
      if (loop.wentRound() + loop.droppedByFullQueue() > 0) {
        LOG.info(
            "loop port {}: packets went round {} times, dropped: {} by the full queue",
            loop.port(),
            loop.wentRound(),
            loop.droppedByFullQueue());
      }
    }
    LiveReport.CpuPort cpu = report.cpuPort();
    if (cpu != null) {
      LOG.info(
          "CPU port {}: {} packets from controllers, {} to them ({} that none took), dropped: {} by"
              + " ingress, {} by egress",
          cpu.port(),
          cpu.packetOuts(),
          cpu.packetIns(),
          cpu.packetInsLost(),
          cpu.droppedByIngress(),
          cpu.droppedByEgress());
    }
    LOG.info(
        "lines and delays were served {} us late at the median, {} us at the 99th percentile, {} us"
            + " at most",
        report.schedulingDelay().medianMicros(),
        report.schedulingDelay().p99Micros(),
        report.schedulingDelay().maxMicros());
    LiveReport.Lost lost = report.lost();
    LOG.info(
        "stopped; {} packets came without a program, {} were sent to ports that do not exist, {} to"
            + " multicast groups that do not exist, {} were lost because too many were being"
            + " resubmitted, recirculated or cloned, {} because another program was loaded",
        lost.withoutProgram(),
        lost.toUnknownPorts(),
        lost.toUnknownGroups(),
        lost.turning(),
        lost.byNewProgram());
  }
}
