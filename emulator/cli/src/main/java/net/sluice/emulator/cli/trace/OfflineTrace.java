package net.sluice.emulator.cli.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.cli.live.ProgramFiles;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.ports.pcap.PcapFormatException;
import net.sluice.emulator.ports.pcap.PcapReader;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.trace.v1.TraceFilter;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.emulator.v1model.trace.TraceSession;

/** Traces of packets through a program with entries, without a running switch. */
final class OfflineTrace {

  private static final int HIGHEST_PORT = 510;

  /** A packet that is resubmitted, recirculated or cloned in egress for this time never ends. */
  private static final int MAX_TURNS = 4_096;

  /** The same for all packets together, from one that comes in to the next. */
  private static final long MAX_TURNS_TOGETHER = 1_000_000;

  private final ProgramFiles files;
  private final Path entries;
  private final int port;
  private final long seed;

  /**
   * @param entries may be null
   * @param port that packets come in on
   * @param seed of the program's random numbers
   */
  OfflineTrace(Path json, Path p4info, Path entries, int port, long seed) {
    this.files = new ProgramFiles(json, p4info);
    this.entries = entries;
    this.port = port;
    this.seed = seed;
  }

  /** A switch with all its ports, whose lines send at once. */
  private final class Bench {
    private final Simulation simulation = new Simulation(seed);
    private final SwitchNode node;
    private final TraceSession session;
    private final Consumer<Trace> traces;

    Bench(TraceFilter filter, Consumer<Trace> traces) throws StartFailure {
      this.traces = traces;
      V1modelSwitch device = new V1modelSwitch(1, seed);
      OfflineControl control;
      try {
        control = OfflineControl.load(device, files.read());
      } catch (IllegalArgumentException e) {
        throw files.refused(e);
      }
      if (entries != null) {
        try {
          control.write(ProgramFiles.readEntries(entries));
        } catch (IllegalArgumentException e) {
          throw new StartFailure("--entries " + entries + ": " + e.getMessage(), e);
        }
      }
      node = new SwitchNode(simulation, device);
      node.limitTurns(MAX_TURNS, MAX_TURNS_TOGETHER);
      for (int number = 0; number <= HIGHEST_PORT; number++) {
        node.addPort(number, LineClock.UNLIMITED_BPS, Long.MAX_VALUE);
      }
      try {
        session = device.tracing().open(filter);
      } catch (IllegalArgumentException e) {
        throw new StartFailure("the filter cannot be: " + e.getMessage(), e);
      }
    }

    /** Has a packet come in, and all it causes happen that happens at once. */
    void receive(long nanos, byte[] bytes, int length) {
      node.forgetTurns();
      simulation.schedule(
          nanos, (now, ignored) -> node.port(port).receive(bytes, 0, length, 0, now), 0);
      run(nanos);
    }

    /** Has all happen that is still to come: packets that start again do so a moment later. */
    void finish() {
      long next = simulation.nextEventNanos();
      while (next != Long.MAX_VALUE && !session.isEnded()) {
        run(next);
        next = simulation.nextEventNanos();
      }
    }

    private void run(long nanos) {
      try {
        simulation.runUntil(nanos);
      } finally {
        // Of a packet that ends the program, too.
        show();
      }
    }

    private void show() {
      for (Optional<Trace> next = session.poll(); next.isPresent(); next = session.poll()) {
        traces.accept(next.get());
      }
    }
  }

  /** Traces one packet, at time 0. */
  void run(byte[] packet, TraceFilter filter, Consumer<Trace> traces) throws StartFailure {
    Bench bench = new Bench(filter, traces);
    bench.receive(0, packet, packet.length);
    bench.finish();
  }

  /** Traces a capture's packets, the first at time 0 and none before the one ahead of it. */
  void run(Path capture, TraceFilter filter, Consumer<Trace> traces) throws StartFailure {
    Bench bench = new Bench(filter, traces);
    try (PcapReader reader = PcapReader.open(capture)) {
      long origin = 0;
      long nanos = 0;
      boolean first = true;
      while (!bench.session.isEnded() && reader.next()) {
        origin = first ? reader.nanos() : origin;
        first = false;
        nanos = Math.max(nanos, reader.nanos() - origin);
        bench.receive(nanos, reader.bytes(), reader.length());
      }
      bench.finish();
    } catch (PcapFormatException e) {
      throw new StartFailure(e.getMessage(), e);
    } catch (IOException e) {
      throw new StartFailure(capture + ": cannot be read: " + ListenAddress.reason(e), e);
    }
  }
}
