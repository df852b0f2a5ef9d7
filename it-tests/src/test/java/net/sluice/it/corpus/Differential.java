package net.sluice.it.corpus;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.sluice.emulator.bmv2.LoadedProgram;
import net.sluice.emulator.bmv2.runtime.ProgramFailure;
import net.sluice.it.p4.PortFrame;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Update;

/** The same random entries and packets through the emulated switch and through bmv2. */
final class Differential {

  /** Packets for a program. */
  static final int PACKETS = 64;

  /** After beginning anew so often a program's other packets are left out. */
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
    /** Neither takes the P4Info. */
    BOTH_REFUSE,
    /** bmv2 does not take the program. */
    BMV2_REFUSES,
    /** They differ in a packet, and do not if it comes first. */
    EARLIER_PACKETS,
    /** They differ in a packet. */
    DIFFERENT,
    /** They differ in what they tell the controller of a packet. */
    MESSAGE,
    /** They differ in what the packets have left in counters or registers. */
    STATE,
    /** They do, but not in what any of the packets leaves alone. */
    EARLIER_STATE,
    /** One took an entry that the other refused; with the others they do the same. */
    ENTRY,
    /** The comparison did not come to an end. */
    FAILED
  }

  /**
   * What became of a program.
   *
   * @param packets packets that both were given
   * @param entries writes that both took
   * @param left packets that left bmv2
   * @param messages messages to the controller from bmv2, digests and packets
   * @param cells counters and registers that were not 0 at the end
   * @param detail what differed first, or ended bmv2 first; empty if nothing did
   */
  record Result(
      Outcome outcome,
      int packets,
      int entries,
      int left,
      int messages,
      int cells,
      String detail) {}

  private final P4Info info;
  private final ForwardingPipelineConfig config;

  /** The same with a way to read registers. */
  private final ForwardingPipelineConfig probed;

  private final List<PortFrame> frames = new ArrayList<>();
  private List<Update> updates;
  private AnySwitch.Emulated emulated;
  private AnySwitch.Reference bmv2;
  private int packets;
  private int entries;
  private int left;
  private int messages;
  private int cells;
  private int ends;
  private int restarts;
  private String firstEntry = "";
  private String firstEnd = "";
  private String firstEarlier = "";

  private Differential(byte[] deviceConfig, P4Info info, long seed) {
    byte[] timeless = Timeless.program(deviceConfig);
    this.info = info;
    config = config(timeless);
    probed = config(RegisterProbe.program(timeless));
    LoadedProgram program = LoadedProgram.load(timeless, 1);
    RandomPackets source = new RandomPackets(program.program(), seed);
    for (int i = 0; i < PACKETS; i++) {
      frames.add(source.next());
    }
    updates = new RandomEntries(program, info, source, seed).next();
  }

  /** Runs one program with a seed. */
  static Result run(byte[] deviceConfig, P4Info info, long seed) {
    Differential differential = new Differential(deviceConfig, info, seed);
    try {
      return differential.run();
    } catch (RuntimeException e) {
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      return differential.result(Outcome.FAILED, trace.toString());
    }
  }

  private ForwardingPipelineConfig config(byte[] program) {
    return ForwardingPipelineConfig.newBuilder()
        .setP4Info(info)
        .setP4DeviceConfig(ByteString.copyFrom(program))
        .build();
  }

  private Result run() {
    try {
      emulated = new AnySwitch.Emulated(config);
    } catch (StatusRuntimeException e) {
      return result(bmv2Takes() ? Outcome.EMULATED_REFUSES : Outcome.BOTH_REFUSE, e.getMessage());
    }
    try {
      List<String> refused = emulated.control().write(updates);
      try {
        bmv2 = AnySwitch.Reference.start(probed);
      } catch (AnySwitch.Reference.Refused e) {
        return result(Outcome.BMV2_REFUSES, e.getMessage());
      }
      try {
        entries(refused, bmv2.control().write(updates));
        return compare();
      } finally {
        bmv2.close();
      }
    } finally {
      emulated.close();
    }
  }

  private Result result(Outcome outcome, String detail) {
    return new Result(outcome, packets, entries, left, messages, cells, detail);
  }

  /** Goes on with what both take. */
  private void entries(List<String> mine, List<String> theirs) {
    List<Update> both = new ArrayList<>();
    for (int i = 0; i < updates.size(); i++) {
      boolean taken = mine.get(i).isEmpty();
      if (taken && theirs.get(i).isEmpty()) {
        both.add(updates.get(i));
      } else if (taken != theirs.get(i).isEmpty() && firstEntry.isEmpty()) {
        firstEntry =
            "only "
                + (taken ? "the emulated switch" : "bmv2")
                + " takes "
                + updates.get(i).toString().replaceAll("\\s+", " ")
                + "- the other says: "
                + mine.get(i)
                + theirs.get(i);
      }
    }
    updates = both;
    entries = both.size();
    if (!firstEntry.isEmpty()) {
      restart();
    }
  }

  /** Packet by packet: bmv2 has a thread for egress, which else mixes up what registers hold. */
  private Result compare() {
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
        firstEnd = firstEnd.isEmpty() ? becomes : firstEnd;
        ends++;
        restart();
        continue;
      }
      left += theirs.size();
      boolean same = mine.equals(theirs.toString());
      String told = messages();
      if (!same || !told.isEmpty()) {
        becomes += ", with bmv2 " + theirs + " and tells " + told;
        if (!sameAlone(frame)) {
          return result(same ? Outcome.MESSAGE : Outcome.DIFFERENT, becomes);
        }
        firstEarlier = firstEarlier.isEmpty() ? becomes : firstEarlier;
        ends++;
        restart();
      }
    }
    SwitchState state = new SwitchState(info, emulated, bmv2);
    List<String> differences = state.differences();
    cells = state.cells();
    if (!differences.isEmpty()) {
      String alone = stateAlone();
      return alone.isEmpty()
          ? result(Outcome.EARLIER_STATE, differences.toString())
          : result(Outcome.STATE, alone);
    }
    if (!firstEntry.isEmpty()) {
      return result(Outcome.ENTRY, firstEntry);
    }
    return !firstEarlier.isEmpty()
        ? result(Outcome.EARLIER_PACKETS, firstEarlier)
        : result(firstEnd.isEmpty() ? Outcome.SAME : Outcome.BMV2_ENDS, firstEnd);
  }

  /** What the controllers were told of a packet, if it is not the same. */
  private String messages() {
    List<StreamMessageResponse> mine = new ArrayList<>(emulated.control().messages(0));
    List<StreamMessageResponse> theirs = bmv2.control().messages(mine.size());
    if (mine.size() < theirs.size()) {
      mine.addAll(emulated.control().messages(theirs.size() - mine.size()));
    }
    messages += theirs.size();
    List<String> told = Messages.of(mine);
    List<String> tells = Messages.of(theirs);
    return told.equals(tells) ? "" : told + ", bmv2 " + tells;
  }

  /** What differs in what one of the packets leaves in counters and registers when it is first. */
  private String stateAlone() {
    for (PortFrame frame : frames) {
      restart();
      String mine = pass(emulated, frame);
      try {
        bmv2.pass(List.of(frame));
      } catch (IllegalStateException e) {
        continue; // The packet ends bmv2, which was seen before.
      }
      List<String> differences = new SwitchState(info, emulated, bmv2).differences();
      if (!differences.isEmpty()) {
        return frame + " becomes " + mine + " and leaves " + differences;
      }
    }
    return "";
  }

  private boolean bmv2Takes() {
    try {
      AnySwitch.Reference.start(probed).close();
      return true;
    } catch (AnySwitch.Reference.Refused e) {
      return false;
    }
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

  /** Both begin again, so that they have seen the same packets. */
  private void restart() {
    bmv2.close();
    bmv2 = AnySwitch.Reference.start(probed);
    bmv2.control().write(updates);
    emulated.close();
    emulated = new AnySwitch.Emulated(config);
    emulated.control().write(updates);
  }

  /** What the emulated switch makes of a frame. */
  private static String pass(AnySwitch emulated, PortFrame frame) {
    try {
      return sorted(emulated.pass(List.of(frame)).get(0)).toString();
    } catch (ProgramFailure e) {
      return e.getMessage();
    }
  }

  /** Whether both do the same with a packet if it is the first one; they have had it then. */
  private boolean sameAlone(PortFrame frame) {
    restart();
    String mine = pass(emulated, frame);
    try {
      return mine.equals(sorted(bmv2.pass(List.of(frame)).get(0)).toString())
          && messages().isEmpty();
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static List<PortFrame> sorted(List<PortFrame> frames) {
    List<PortFrame> sorted = new ArrayList<>(frames);
    sorted.sort(Comparator.comparing(PortFrame::toString));
    return sorted;
  }
}
