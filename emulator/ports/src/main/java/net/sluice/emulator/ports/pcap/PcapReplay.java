package net.sluice.emulator.ports.pcap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.switching.PacketPipeline;

/**
 * Plays captures into a switch's ports and captures what they send, in virtual time, as fast as it
 * goes.
 *
 * <p>Time: virtual time 0 is the origin of the replay; a frame arrives at its own timestamp, but
 * never before the one ahead of it in the same capture, and never before the origin. Frames of the
 * same instant arrive in the order in which the inputs were added. A sent frame is stamped with the
 * time at which it has been sent.
 */
public final class PcapReplay implements EventHandler {
  /**
   * Resubmissions, recirculations and egress clones of a packet after which it counts as looping
   * for ever.
   */
  public static final int MAX_TURNS = 1_000_000;

  /** The same for all packets together, between two arrivals. */
  public static final long MAX_TURNS_TOGETHER = 100_000_000;

  private static final long STEP_NANOS = 1_000_000_000L;

  private final Simulation simulation;
  private final SwitchNode node;
  private final long originNanos;
  private final List<Input> inputs = new ArrayList<>();
  private final int[] offsets = new int[PacketPipeline.MAX_EXPECTED];
  private final int[] lengths = new int[PacketPipeline.MAX_EXPECTED];
  private long frames;

  /** A capture that is played into a port. */
  private static final class Input {
    private final SwitchPort port;
    private final PcapReader reader;
    private long arrivalNanos;
    private boolean more;

    /** Frames announced to the switch that have not arrived. */
    private int expected;

    Input(SwitchPort port, PcapReader reader) {
      this.port = port;
      this.reader = reader;
    }

    /** Announces the next frames to the switch, once all announced ones have arrived. */
    void announce(SwitchNode node, int[] offsets, int[] lengths) {
      expected = Math.max(0, expected - 1);
      if (expected == 0) {
        expected = reader.following(offsets, lengths);
        node.expect(reader.buffered(), offsets, lengths, expected);
      }
    }

    void advance(long originNanos) throws IOException {
      more = reader.next();
      if (more) {
        arrivalNanos = Math.max(arrivalNanos, reader.nanos() - originNanos);
      }
    }
  }

  /**
   * @param simulation at time 0
   * @param node switch in that simulation
   * @param originNanos time of a capture that is virtual time 0, nanoseconds since
   *     1970-01-01T00:00Z
   */
  public PcapReplay(Simulation simulation, SwitchNode node, long originNanos) {
    this.simulation = simulation;
    this.node = node;
    this.originNanos = originNanos;
  }

  /** Plays a capture into a port of the switch; the caller closes the reader. */
  public void addInput(int port, PcapReader reader) {
    inputs.add(new Input(node.port(port), reader));
  }

  /** Captures the frames that a port sends; the caller closes the writer. */
  public void addOutput(int port, PcapWriter writer) {
    FrameReceiver capture =
        (bytes, offset, length, tag, nowNanos) -> {
          try {
            writer.write(originNanos + nowNanos, bytes, offset, length);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    node.port(port).connect(capture);
  }

  /**
   * Plays all inputs to their ends, and goes on until the last queue is empty.
   *
   * @return frames that arrived
   * @throws IOException if a capture cannot be read or written
   * @throws net.sluice.emulator.netsim.EndlessProgramException if packets take more turns than
   *     {@link #MAX_TURNS} and {@link #MAX_TURNS_TOGETHER}
   */
  public long run() throws IOException {
    node.limitTurns(MAX_TURNS, MAX_TURNS_TOGETHER);
    for (Input input : inputs) {
      input.advance(originNanos);
    }
    scheduleNext();
    try {
      long next = simulation.nextEventNanos();
      while (next != Long.MAX_VALUE) {
        simulation.runUntil(next + STEP_NANOS);
        next = simulation.nextEventNanos();
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return frames;
  }

  /** The frame of an input arrives. */
  @Override
  public void onEvent(long nowNanos, long argument) {
    Input input = inputs.get((int) argument);
    frames++;
    node.forgetTurns();
    input.port.receive(input.reader.bytes(), 0, input.reader.length(), 0, nowNanos);
    input.announce(node, offsets, lengths);
    try {
      input.advance(originNanos);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    scheduleNext();
  }

  /**
   * One arrival is scheduled at a time, so that the order of inputs decides, not that of events.
   */
  private void scheduleNext() {
    int first = -1;
    for (int i = 0; i < inputs.size(); i++) {
      Input input = inputs.get(i);
      if (input.more && (first < 0 || input.arrivalNanos < inputs.get(first).arrivalNanos)) {
        first = i;
      }
    }
    if (first >= 0) {
      simulation.schedule(inputs.get(first).arrivalNanos, this, first);
    }
  }
}
