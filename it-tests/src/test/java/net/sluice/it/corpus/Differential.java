package net.sluice.it.corpus;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.runtime.ProgramFailure;
import net.sluice.it.p4.PortFrame;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Update;

/** The same random entries and packets through the emulated switch and through bmv2. */
final class Differential {

  /** Packets for a program that come in at ports. */
  static final int PACKETS = 64;

  /** After so many of them the controller sends one; after each if there is a header for it. */
  private static final int PACKET_OUT_EACH = 8;

  /** So that the seed's other packets are what they are without these. */
  private static final long PACKET_OUT_SEED = 0x5ca1ab1eL;

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
    /** They differ in a packet from the controller; with the others they do the same. */
    PACKET_OUT,
    /** One took an entry that the other refused; with the others they do the same. */
    ENTRY,
    /** The comparison did not come to an end. */
    FAILED
  }

  /**
   * What became of a program.
   *
   * @param packets packets that both were given
   * @param packetOuts those of them that came from the controller
   * @param entries writes that both took
   * @param left packets that left bmv2
   * @param messages messages to the controller from bmv2, digests and packets
   * @param cells counters and registers that were not 0 at the end
   * @param detail what differed first, or ended bmv2 first; empty if nothing did
   */
  record Result(
      Outcome outcome,
      int packets,
      int packetOuts,
      int entries,
      int left,
      int messages,
      int cells,
      String detail) {}

  private final P4Info info;
  private final ForwardingPipelineConfig config;

  /** The same with a way to read registers. */
  private final ForwardingPipelineConfig probed;

  private final int cpuPort;
  private final List<Input> inputs = new ArrayList<>();
  private List<Update> updates;
  private AnySwitch.Emulated emulated;
  private AnySwitch.Reference bmv2;
  private int packets;
  private int packetOuts;
  private int entries;
  private int left;
  private int messages;
  private int cells;
  private int ends;
  private int restarts;
  private String firstEntry = "";
  private String firstEnd = "";
  private String firstEarlier = "";
  private String firstPacketOut = "";

  private Differential(byte[] deviceConfig, P4Info info, long seed) {
    byte[] timeless = DeterministicProgram.program(deviceConfig);
    this.info = info;
    config = config(timeless);
    probed = config(RegisterProbe.program(timeless));
    LoadedProgram program = LoadedProgram.load(timeless, 1);
    RandomPackets source = new RandomPackets(program.program(), seed);
    List<PortFrame> frames = new ArrayList<>();
    for (int i = 0; i < PACKETS; i++) {
      frames.add(source.next());
    }
    cpuPort = cpuPort(program.program());
    updates = new RandomEntries(program, info, source, seed).next();
    long outSeed = seed ^ PACKET_OUT_SEED;
    RandomPacketOuts outs =
        new RandomPacketOuts(info, new RandomPackets(program.program(), outSeed), outSeed);
    int each = outs.haveHeader() ? 1 : PACKET_OUT_EACH;
    for (int i = 0; i < PACKETS; i++) {
      inputs.add(new Input.AtPort(frames.get(i)));
      if ((i + 1) % each == 0) {
        inputs.add(new Input.FromController(outs.next()));
      }
    }
  }

  /** The port that the program knows its controller by, if its parser begins with that. */
  private static int cpuPort(Program program) {
    for (Program.ParserState state : program.parser()) {
      for (Program.Transition transition : state.transitions()) {
        if (state.key().size() == 1
            && state.key().get(0) instanceof Program.FieldPart
            && isIngressPort(((Program.FieldPart) state.key().get(0)).ref())
            && transition.members() == null) {
          int port = transition.values().get(0).intValue();
          if (port >= RandomPackets.PORTS && port < RegisterProbe.PORT) {
            return port;
          }
        }
      }
    }
    return AnySwitch.CPU_PORT;
  }

  private static boolean isIngressPort(Header.Ref ref) {
    return ref.header().name().equals("standard_metadata")
        && ref.field().name().equals("ingress_port");
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
      emulated = new AnySwitch.Emulated(config, cpuPort);
    } catch (StatusRuntimeException e) {
      return result(bmv2Takes() ? Outcome.EMULATED_REFUSES : Outcome.BOTH_REFUSE, e.getMessage());
    }
    try {
      List<String> refused = emulated.control().refusals(updates);
      try {
        bmv2 = AnySwitch.Reference.start(probed, cpuPort);
      } catch (AnySwitch.Reference.Refused e) {
        return result(Outcome.BMV2_REFUSES, e.getMessage());
      }
      try {
        entries(refused, bmv2.control().refusals(updates));
        return compare();
      } finally {
        bmv2.close();
      }
    } finally {
      emulated.close();
    }
  }

  private Result result(Outcome outcome, String detail) {
    return new Result(outcome, packets, packetOuts, entries, left, messages, cells, detail);
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
    for (int i = 0; i < inputs.size() && ends < MOST_ENDS; i++) {
      Input input = inputs.get(i);
      String mine = pass(emulated, input);
      String becomes = "packet " + i + " " + input + " becomes " + mine;
      List<PortFrame> theirs;
      packets++;
      packetOuts += input instanceof Input.FromController ? 1 : 0;
      try {
        theirs = sorted(reference(input));
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
        if (!sameAlone(input)) {
          if (input instanceof Input.FromController) {
            firstPacketOut = becomes;
            return withoutPacketOuts();
          }
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
    if (!firstPacketOut.isEmpty()) {
      return result(Outcome.PACKET_OUT, firstPacketOut + " " + firstEntry);
    }
    if (!firstEntry.isEmpty()) {
      return result(Outcome.ENTRY, firstEntry);
    }
    return !firstEarlier.isEmpty()
        ? result(Outcome.EARLIER_PACKETS, firstEarlier)
        : result(firstEnd.isEmpty() ? Outcome.SAME : Outcome.BMV2_ENDS, firstEnd);
  }

  /** Compares anew what else there is. */
  private Result withoutPacketOuts() {
    inputs.removeIf(input -> input instanceof Input.FromController);
    ends = 0;
    restart();
    return compare();
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
    for (Input input : inputs) {
      restart();
      String mine = pass(emulated, input);
      try {
        input.into(bmv2);
      } catch (IllegalStateException e) {
        continue; // The packet ends bmv2, which was seen before.
      }
      List<String> differences = new SwitchState(info, emulated, bmv2).differences();
      if (!differences.isEmpty()) {
        return input + " becomes " + mine + " and leaves " + differences;
      }
    }
    return "";
  }

  private boolean bmv2Takes() {
    try {
      AnySwitch.Reference.start(probed, cpuPort).close();
      return true;
    } catch (AnySwitch.Reference.Refused e) {
      return false;
    }
  }

  /**
   * What bmv2 makes of a packet.
   *
   * @throws IllegalStateException if it ends
   */
  private List<PortFrame> reference(Input input) {
    while (true) {
      try {
        return input.into(bmv2);
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
    bmv2 = AnySwitch.Reference.start(probed, cpuPort);
    bmv2.control().refusals(updates);
    emulated.close();
    emulated = new AnySwitch.Emulated(config, cpuPort);
    emulated.control().refusals(updates);
  }

  /** What the emulated switch makes of a packet. */
  private static String pass(AnySwitch emulated, Input input) {
    try {
      return sorted(input.into(emulated)).toString();
    } catch (ProgramFailure e) {
      return e.getMessage();
    }
  }

  /** Whether both do the same with a packet if it is the first one; they have had it then. */
  private boolean sameAlone(Input input) {
    restart();
    String mine = pass(emulated, input);
    try {
      return mine.equals(sorted(input.into(bmv2)).toString()) && messages().isEmpty();
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
