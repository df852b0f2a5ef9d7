package net.sluice.it.corpus;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.sluice.emulator.bmv2.LoadedProgram;
import net.sluice.emulator.bmv2.runtime.ProgramFailure;
import net.sluice.it.p4.PortFrame;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;

/** The same random entries and packets through the emulated switch and through bmv2. */
final class Differential {

  /** Packets for a program. */
  static final int PACKETS = 64;

  /** After this many ends of bmv2 a program's other packets are left out. */
  private static final int MOST_ENDS = 4;

  private static final int MOST_RESTARTS = 5;

  /** What became of a program. */
  enum Outcome {
    /** Both sent the same bytes out of the same ports. */
    SAME,
    /** They did, but for packets that ended bmv2. */
    BMV2_ENDS,
    /** A packet goes round and round in bmv2. */
    BMV2_GOES_ON,
    /** The emulated switch does not take the P4Info. */
    EMULATED_REFUSES,
    /** bmv2 does not take the program. */
    BMV2_REFUSES,
    /** They differ in a packet, and do not if it comes first. */
    EARLIER_PACKETS,
    /** They differ in a packet. */
    DIFFERENT,
    /** One took an entry that the other refused. */
    ENTRY
  }

  /**
   * What became of a program.
   *
   * @param packets packets that both were given
   * @param entries writes that both took
   * @param left packets that left bmv2
   * @param detail what differed first, or ended bmv2 first; empty if nothing did
   */
  record Result(Outcome outcome, int packets, int entries, int left, String detail) {}

  private final ForwardingPipelineConfig config;
  private final List<PortFrame> frames = new ArrayList<>();
  private final List<Update> updates;
  private AnySwitch.Reference bmv2;
  private int packets;
  private int entries;
  private int left;
  private int ends;
  private int restarts;
  private String firstEnd = "";

  private Differential(byte[] deviceConfig, P4Info info, long seed) {
    config =
        ForwardingPipelineConfig.newBuilder()
            .setP4Info(info)
            .setP4DeviceConfig(ByteString.copyFrom(deviceConfig))
            .build();
    LoadedProgram program = LoadedProgram.load(deviceConfig, 1);
    RandomPackets source = new RandomPackets(program.program(), seed);
    for (int i = 0; i < PACKETS; i++) {
      frames.add(source.next());
    }
    updates = new RandomEntries(program, info, source, seed).next();
  }

  /** Runs one program with a seed. */
  static Result run(byte[] deviceConfig, P4Info info, long seed) {
    return new Differential(deviceConfig, info, seed).run();
  }

  private Result run() {
    AnySwitch emulated;
    try {
      emulated = new AnySwitch.Emulated(config);
    } catch (StatusRuntimeException e) {
      return result(Outcome.EMULATED_REFUSES, e.getMessage());
    }
    try (emulated) {
      List<Boolean> taken = emulated.control().write(updates);
      try {
        bmv2 = AnySwitch.Reference.start(config);
      } catch (IllegalStateException e) {
        return result(Outcome.BMV2_REFUSES, "");
      }
      try {
        String entry = differentEntry(taken, bmv2.control().write(updates));
        return entry == null ? compare(emulated) : result(Outcome.ENTRY, entry);
      } finally {
        bmv2.close();
      }
    }
  }

  private Result result(Outcome outcome, String detail) {
    return new Result(outcome, packets, entries, left, detail);
  }

  private String differentEntry(List<Boolean> mine, List<Boolean> theirs) {
    for (int i = 0; i < updates.size(); i++) {
      if (!mine.get(i).equals(theirs.get(i))) {
        return "only "
            + (mine.get(i) ? "the emulated switch" : "bmv2")
            + " takes "
            + updates.get(i).toString().replaceAll("\\s+", " ");
      }
      entries += mine.get(i) ? 1 : 0;
    }
    return null;
  }

  /** Packet by packet: bmv2 has a thread for egress, which else mixes up what registers hold. */
  private Result compare(AnySwitch emulated) {
    for (int i = 0; i < frames.size() && ends < MOST_ENDS; i++) {
      PortFrame frame = frames.get(i);
      String mine = pass(emulated, frame);
      String becomes = "packet " + i + " " + frame + " becomes " + mine;
      List<PortFrame> theirs;
      packets++;
      try {
        theirs = sorted(reference(frame));
      } catch (IllegalStateException e) {
        if (Status.fromThrowable(e).getCode() == Status.Code.DEADLINE_EXCEEDED) {
          return result(Outcome.BMV2_GOES_ON, becomes);
        }
        firstEnd = ends++ > 0 ? firstEnd : becomes;
        restart();
        continue;
      }
      left += theirs.size();
      if (!mine.equals(theirs.toString())) {
        Outcome outcome = sameAlone(frame) ? Outcome.EARLIER_PACKETS : Outcome.DIFFERENT;
        return result(outcome, becomes + ", with bmv2 " + theirs);
      }
    }
    return result(ends > 0 ? Outcome.BMV2_ENDS : Outcome.SAME, firstEnd);
  }

  /**
   * What bmv2 makes of a frame.
   *
   * @throws IllegalStateException if it ends
   */
  private List<PortFrame> reference(PortFrame frame) {
    while (true) {
      try {
        return bmv2.pass(List.of(frame)).get(0);
      } catch (IllegalStateException e) {
        boolean late = Status.fromThrowable(e).getCode() == Status.Code.DEADLINE_EXCEEDED;
        if (late || bmv2.hasEnded() || packets > 1 || ++restarts > MOST_RESTARTS) {
          throw e;
        }
        // Another process has taken the port of its data plane: once more with another.
        restart();
      }
    }
  }

  private void restart() {
    bmv2.close();
    bmv2 = AnySwitch.Reference.start(config);
    bmv2.control().write(updates);
  }

  /** What the emulated switch makes of a frame. */
  private static String pass(AnySwitch emulated, PortFrame frame) {
    try {
      return sorted(emulated.pass(List.of(frame)).get(0)).toString();
    } catch (ProgramFailure e) {
      return e.getMessage();
    }
  }

  /** Whether both do the same with a packet if it is the first one. */
  private boolean sameAlone(PortFrame frame) {
    try (AnySwitch emulated = new AnySwitch.Emulated(config);
        AnySwitch fresh = AnySwitch.Reference.start(config)) {
      emulated.control().write(updates);
      fresh.control().write(updates);
      return pass(emulated, frame).equals(sorted(fresh.pass(List.of(frame)).get(0)).toString());
    }
  }

  private static List<PortFrame> sorted(List<PortFrame> frames) {
    List<PortFrame> sorted = new ArrayList<>(frames);
    sorted.sort(Comparator.comparing(PortFrame::toString));
    return sorted;
  }
}
