package net.sluice.emulator.v1model.trace;

import java.math.BigInteger;
import java.util.List;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.trace.v1.ActionRun;
import net.sluice.emulator.trace.v1.Advanced;
import net.sluice.emulator.trace.v1.Checksum;
import net.sluice.emulator.trace.v1.Condition;
import net.sluice.emulator.trace.v1.ControlBegun;
import net.sluice.emulator.trace.v1.Copied;
import net.sluice.emulator.trace.v1.Deparsed;
import net.sluice.emulator.trace.v1.DropReason;
import net.sluice.emulator.trace.v1.Dropped;
import net.sluice.emulator.trace.v1.EmittedHeader;
import net.sluice.emulator.trace.v1.Event;
import net.sluice.emulator.trace.v1.Exited;
import net.sluice.emulator.trace.v1.Extracted;
import net.sluice.emulator.trace.v1.FieldChange;
import net.sluice.emulator.trace.v1.FieldsChanged;
import net.sluice.emulator.trace.v1.MarkedToDrop;
import net.sluice.emulator.trace.v1.Message;
import net.sluice.emulator.trace.v1.Outcome;
import net.sluice.emulator.trace.v1.ParserEnded;
import net.sluice.emulator.trace.v1.ParserStateEntered;
import net.sluice.emulator.trace.v1.ProfileChosen;
import net.sluice.emulator.trace.v1.Queued;
import net.sluice.emulator.trace.v1.Reentered;
import net.sluice.emulator.trace.v1.Requested;
import net.sluice.emulator.trace.v1.Selected;
import net.sluice.emulator.trace.v1.Sent;
import net.sluice.emulator.trace.v1.Source;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.trace.v1.Value;
import net.sluice.emulator.v1model.codegen.PipelineCompiler;
import net.sluice.emulator.v1model.program.Calculation;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.runtime.PacketTrace;
import net.sluice.emulator.v1model.runtime.ParsedPacket;
import net.sluice.emulator.v1model.table.ActionProfile;

/**
 * Records one packet's trace. Used under the device's lock.
 *
 * <p>More than 500 lines, because it has a method for each kind of event.
 */
final class Recording extends PacketTrace {

  /** Most events in a trace. */
  static final int MAX_EVENTS = 4096;

  private static final long DROP_PORT = 511;
  private static final String[] CONTROLS = {"ingress", "egress"};

  private final ProgramTracer tracer;
  private final Tracing tracing;
  private final List<TraceSession> sessions;
  private final ParsedPacket packet;
  private final Snapshot snapshot;
  private final ExternEvents externs;
  private final String egressSpec;
  private final Trace.Builder trace = Trace.newBuilder();
  private Deparsed.Builder deparsed = Deparsed.newBuilder();
  private Outcome.Builder sent;
  private Program.ParserState state;
  private boolean parsing;
  private Selected.Builder selected = Selected.newBuilder();
  private Program.Action action;
  private Source place;
  private Dropped.Builder drop;
  private boolean finished;

  /**
   * A trace of a received packet.
   *
   * @param sessions sessions that want it
   */
  Recording(
      ProgramTracer tracer,
      Tracing tracing,
      List<TraceSession> sessions,
      long number,
      ParsedPacket packet,
      int port,
      long nowMicros) {
    this.tracer = tracer;
    this.tracing = tracing;
    this.sessions = sessions;
    this.packet = packet;
    externs = new ExternEvents(tracer);
    snapshot = new Snapshot(tracer.program().headers(), tracer.view());
    packet.loss = SwitchPacket.Loss.NONE;
    egressSpec = tracer.program().known("standard_metadata.egress_spec").name();
    trace
        .setNumber(number)
        .setOrigin("received")
        .setIngressPort(port)
        .setIngressMicros(nowMicros)
        .setPacket(Hex.bytes(packet.bytes(), packet.offset(), packet.length()));
  }

  /** A trace of a copy. */
  private Recording(Recording parent, ParsedPacket copy, long number, String origin) {
    this.tracer = parent.tracer;
    this.tracing = parent.tracing;
    this.sessions = parent.sessions;
    this.packet = copy;
    externs = parent.externs;
    this.egressSpec = parent.egressSpec;
    snapshot = new Snapshot(tracer.program().headers(), tracer.view());
    copy.loss = SwitchPacket.Loss.NONE;
    trace
        .setNumber(number)
        .setParent(parent.trace.getNumber())
        .setOrigin(origin)
        .setIngressPort(copy.ingressPort)
        .setIngressMicros(copy.ingressMicros)
        .setPacket(Hex.bytes(copy.bytes(), copy.offset(), copy.length()));
  }

  List<TraceSession> sessions() {
    return sessions;
  }

  private void add(Event.Builder event) {
    add(event, place);
  }

  private void add(Event.Builder event, Source source) {
    if (trace.getEventsCount() == MAX_EVENTS) {
      trace.setOmittedEvents(trace.getOmittedEvents() + 1);
      return;
    }
    if (source != null) {
      event.setSource(source);
    }
    trace.addEvents(event);
  }

  /** Records the changes since the last snapshot as made at {@code place}. */
  private void noteChanges() {
    List<FieldChange> changes = snapshot.changes(packet);
    for (FieldChange change : changes) {
      if (change.getName().equals(egressSpec)) {
        noteEgressSpec(Long.decode(change.getAfter()));
      }
    }
    if (!changes.isEmpty()) {
      add(Event.newBuilder().setFieldsChanged(FieldsChanged.newBuilder().addAllChanges(changes)));
    }
  }

  private void noteEgressSpec(long port) {
    if (port != DROP_PORT) {
      drop = null;
    } else if (drop == null) {
      noteDrop();
    }
  }

  private void noteDrop() {
    drop = Dropped.newBuilder();
    if (action != null) {
      drop.setAction(action.name());
    }
    if (place != null) {
      drop.setSource(place);
    }
  }

  /** Ends the current step. */
  private void turn() {
    noteChanges();
    action = null;
    place = null;
  }

  private Value value(int header, int field) {
    Header of = tracer.program().headers().get(header);
    return named(
        of.name() + "." + of.fields().get(field).name(),
        tracer.view().value(packet, header, field),
        tracer.view().widthBits(packet, header, field));
  }

  static Value named(String name, BigInteger value, int widthBits) {
    return Value.newBuilder().setName(name).setValue(Hex.number(value, widthBits)).build();
  }

  // ---- parser ----

  @Override
  public void state(int index) {
    if (!parsing) {
      snapshot.take(packet);
      parsing = true;
    }
    state = tracer.program().parser().get(index);
    place = tracer.sources().state(state.name());
    selected = Selected.newBuilder();
    add(Event.newBuilder().setParserState(ParserStateEntered.newBuilder().setState(state.name())));
  }

  @Override
  public void extracted(int header, int bytes) {
    Header of = tracer.program().headers().get(header);
    Extracted.Builder extracted = Extracted.newBuilder().setHeader(of.name()).setBytes(bytes);
    for (Header.Field field : of.fields()) {
      Value value = value(header, field.index());
      extracted.addFields(value.toBuilder().setName(field.name()));
    }
    snapshot.take(packet, of);
    add(Event.newBuilder().setExtracted(extracted));
  }

  @Override
  public void advanced(long bits) {
    add(Event.newBuilder().setAdvanced(Advanced.newBuilder().setBits(bits)));
  }

  @Override
  public void selecting(long[] limbs) {
    noteChanges();
    int at = 0;
    for (Program.KeyPart part : state.key()) {
      BigInteger value = BigInteger.ZERO;
      int words = (part.widthBits() + 63) / 64;
      for (int limb = words - 1; limb >= 0; limb--) {
        value = value.shiftLeft(64).or(new BigInteger(Long.toHexString(limbs[at + limb]), 16));
      }
      at += words;
      selected.addKey(named(name(part), value, part.widthBits()));
    }
  }

  private static String name(Program.KeyPart part) {
    if (part instanceof Program.FieldPart fieldPart) {
      return fieldPart.ref().name();
    }
    return part instanceof Program.Lookahead
        ? "lookahead at bit " + ((Program.Lookahead) part).offsetBits()
        : "expression";
  }

  @Override
  public void next(int next) {
    noteChanges();
    // A state that ended in an error has no transition.
    boolean failed = next == Program.END && packet.parserError != noError();
    if (!failed) {
      String to = next == Program.END ? "accept" : tracer.program().parser().get(next).name();
      add(Event.newBuilder().setSelected(selected.setNext(to)));
    }
    if (next == Program.END) {
      place = null;
    }
  }

  private int noError() {
    return tracer.program().errors().getOrDefault("NoError", 0);
  }

  private void endParser() {
    if (parsing) {
      parsing = false;
      place = null;
      add(
          Event.newBuilder()
              .setParserEnded(
                  ParserEnded.newBuilder()
                      .setError(PipelineCompiler.errorName(tracer.program(), packet.parserError))
                      .setHeaderBytes(packet.position - packet.offset())
                      .setPayloadBytes(packet.end - packet.position)));
    }
  }

  // ---- checksums ----

  @Override
  public void verified(int checksum, long computed) {
    endParser();
    Calculation.Checksum of = tracer.program().checksums().get(checksum);
    Value value = value(of.target().header().index(), of.target().field().index());
    String result = Hex.number(computed, of.target().field().widthBits());
    add(
        Event.newBuilder()
            .setChecksum(
                Checksum.newBuilder()
                    .setField(value.getName())
                    .setOperation("verify")
                    .setComputed(result)
                    .setGood(result.equals(value.getValue()))),
        tracer.sources().checksum(of.name()));
  }

  @Override
  public void updated(int checksum) {
    Calculation.Checksum of = tracer.program().checksums().get(checksum);
    snapshot.take(packet, of.target().header());
    Value value = value(of.target().header().index(), of.target().field().index());
    add(
        Event.newBuilder()
            .setChecksum(
                Checksum.newBuilder()
                    .setField(value.getName())
                    .setOperation("update")
                    .setComputed(value.getValue())),
        tracer.sources().checksum(of.name()));
  }

  // ---- controls ----

  @Override
  public void control(int which) {
    endParser();
    // Fields that the switch itself sets have events of their own.
    snapshot.take(packet);
    place = null;
    add(Event.newBuilder().setControlBegun(ControlBegun.newBuilder().setControl(CONTROLS[which])));
  }

  @Override
  public void controlEnded() {
    turn();
  }

  @Override
  public boolean condition(int control, int node, boolean holds) {
    turn();
    String name = tracer.nodes(control).get(node).name();
    Source source = tracer.sources().node(control, name);
    add(
        Event.newBuilder()
            .setCondition(
                Condition.newBuilder()
                    .setCondition(source == null ? name : source.getText())
                    .setHolds(holds)),
        source);
    return holds;
  }

  @Override
  public void applying(int table) {
    turn();
  }

  @Override
  public void applied(int table, int slot, long[] words) {
    if (action != null) {
      turn();
    }
    Program.Table of = tracer.tables().get(table);
    place = tracer.sources().node(tracer.controlOf(table), of.name());
    TableEvents events = new TableEvents(of, tracer.state().tables().get(table));
    add(Event.newBuilder().setTableApplied(events.applied(slot, words, this::colour)));
    // The direct meter's colour.
    noteChanges();
    Program.Action chosen = events.action(slot);
    if (chosen != null) {
      run(chosen, events.parameters(slot));
    }
  }

  private void run(Program.Action chosen, List<Value> parameters) {
    add(
        Event.newBuilder()
            .setActionRun(
                ActionRun.newBuilder().setAction(chosen.name()).addAllParameters(parameters)),
        tracer.sources().action(chosen.id()));
  }

  @Override
  public void member(int table, boolean ofGroup, int member) {
    Program.ActionProfileDef def = tracer.tables().get(table).profile();
    ActionProfile profile = tracer.state().profiles().get(def.index());
    ProfileChosen.Builder chosen =
        ProfileChosen.newBuilder().setProfile(def.name()).setOfGroup(ofGroup);
    if (member < 0) {
      add(Event.newBuilder().setProfileChosen(chosen));
      return;
    }
    add(Event.newBuilder().setProfileChosen(chosen.setMember(member)));
    Program.Action run = tracer.program().actions().get(profile.action(member));
    long[] data = new long[profile.dataWords()];
    for (int w = 0; w < data.length; w++) {
      data[w] = profile.data(member, w);
    }
    run(run, TableEvents.parameters(run, data));
  }

  private String colour(Header.Ref target) {
    return ExternEvents.colour(
        tracer.view().value(packet, target.header().index(), target.field().index()).longValue());
  }

  @Override
  public void action(int index) {
    action = tracer.program().actions().get(index);
  }

  @Override
  public void step(int index) {
    noteChanges();
    place = action == null ? null : tracer.sources().step(action.id(), index);
  }

  @Override
  public boolean branch(boolean holds) {
    add(
        Event.newBuilder()
            .setCondition(
                Condition.newBuilder()
                    .setCondition(place == null ? "condition" : place.getText())
                    .setHolds(holds)));
    return holds;
  }

  // ---- primitives ----

  @Override
  public void counted(int counter, int index) {
    add(externs.counted(counter, index));
  }

  @Override
  public void metered(int meter, int index, long colour) {
    add(externs.metered(meter, index, colour));
  }

  @Override
  public void registerRead(int register, int index) {
    add(externs.register(register, "read", index));
  }

  @Override
  public void registerWritten(int register, int index) {
    add(externs.register(register, "write", index));
  }

  @Override
  public void beyond(String kind, int array, long index) {
    add(externs.beyond(kind, array, index));
  }

  @Override
  public void randomDrawn(int header, int field, long low, long high) {
    int width = tracer.view().widthBits(packet, header, field);
    add(externs.randomDrawn(value(header, field), width, low, high));
  }

  @Override
  public void hashed(int header, int field, int calculation) {
    add(externs.hashed(value(header, field), calculation));
  }

  @Override
  public void markedToDrop() {
    noteDrop();
    add(Event.newBuilder().setMarkedToDrop(MarkedToDrop.getDefaultInstance()));
  }

  @Override
  public void exited() {
    add(Event.newBuilder().setExited(Exited.getDefaultInstance()));
  }

  @Override
  public void requested(String kind, long number) {
    Requested.Builder requested = Requested.newBuilder().setKind(kind);
    if (number >= 0) {
      requested.setNumber(number);
    }
    add(Event.newBuilder().setRequested(requested));
  }

  @Override
  public void message(String text) {
    add(Event.newBuilder().setMessage(Message.newBuilder().setText(text)));
  }

  @Override
  public void emitted(int header, int bytes) {
    deparsed.addHeaders(
        EmittedHeader.newBuilder()
            .setHeader(tracer.program().headers().get(header).name())
            .setBytes(bytes));
  }

  // ---- around the pipeline ----

  @Override
  protected void ingressEnded(ParsedPacket p) {
    turn();
    if (p.dropped) {
      finishDropped(DropReason.INGRESS_DROP);
    }
  }

  @Override
  protected void failed(String text) {
    noteChanges();
    add(Event.newBuilder().setMessage(Message.newBuilder().setText(text)));
    noteDrop();
    finishDropped(DropReason.PROGRAM_FAILURE);
  }

  @Override
  protected PacketTrace copied(ParsedPacket copy, String kind) {
    long number = tracing.nextNumber();
    add(Event.newBuilder().setCopied(Copied.newBuilder().setKind(kind).setNumber(number)), null);
    return new Recording(this, copy, number, kind);
  }

  @Override
  protected void reentered(String kind) {
    sent = null;
    drop = null;
    add(Event.newBuilder().setReentered(Reentered.newBuilder().setKind(kind)), null);
  }

  @Override
  protected void egressBegins(ParsedPacket p) {
    endParser();
    drop = null;
    deparsed = Deparsed.newBuilder();
    add(
        Event.newBuilder()
            .setQueued(
                Queued.newBuilder()
                    .setPort(p.egressPort)
                    .setPriority(p.priority)
                    .setEnqueueMicros(p.enqMicros)
                    .setEnqueueDepth(p.enqQdepth)
                    .setWaitedMicros(p.deqTimedelta)
                    .setDequeueDepth(p.deqQdepth)));
  }

  @Override
  protected void egressEnded(ParsedPacket p) {
    turn();
    if (p.dropped) {
      finishDropped(DropReason.EGRESS_DROP);
      return;
    }
    deparsed.setPayloadBytes(p.end - p.position);
    add(Event.newBuilder().setDeparsed(deparsed), tracer.sources().deparser());
    // The traffic manager decides whether it is sent.
    sent =
        Outcome.newBuilder()
            .setSent(
                Sent.newBuilder()
                    .setPort(p.egressPort)
                    .setPacket(Hex.bytes(p.bytes(), p.offset(), p.length())));
  }

  @Override
  protected void released(ParsedPacket p) {
    if (!finished && sent != null && p.loss == SwitchPacket.Loss.NONE) {
      finish(sent);
    } else if (!finished) {
      drop = null;
      finishDropped(LossReasons.of(p.loss));
    }
  }

  private void finishDropped(DropReason reason) {
    Dropped.Builder dropped = drop == null ? Dropped.newBuilder() : drop;
    finish(Outcome.newBuilder().setDropped(dropped.setReason(reason)));
  }

  private void finish(Outcome.Builder outcome) {
    finished = true;
    Trace complete = trace.setOutcome(outcome).build();
    tracing.finished(this, complete);
  }
}
