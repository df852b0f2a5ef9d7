package net.sluice.emulator.v1model.codegen;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.v1model.codegen.expr.ExprEmitter;
import net.sluice.emulator.v1model.codegen.expr.HeaderEmitter;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Calculation;
import net.sluice.emulator.v1model.program.EarlyReads;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.HeaderStack;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;

/**
 * Writes the Java source of a program: a class {@code Packet} with the parsed state and a class
 * {@code Pipeline} with the code.
 */
final class PipelineGenerator {

  static final String PACKAGE = "net.sluice.emulator.v1model.generated";

  private final Program program;
  private final List<Program.Table> tables = new ArrayList<>();
  private final ActionEmitter actions;
  private final ReplicationEmitter copies;

  private final boolean traced;

  /**
   * @param traced whether to write a class {@code TracedPipeline}, which works on the packets of
   *     {@code Pipeline} and reports to their {@code PacketTrace}
   */
  PipelineGenerator(Program program, boolean traced) {
    this.program = program;
    this.traced = traced;
    this.actions = new ActionEmitter(program);
    this.copies = new ReplicationEmitter(program);
    tables.addAll(ControlEmitter.tables(program.ingress()));
    tables.addAll(ControlEmitter.tables(program.egress()));
  }

  String generate() {
    Code source = new Code();
    source.line("package " + PACKAGE + ";");
    source.line("import java.math.BigInteger;");
    source.line("import net.sluice.emulator.v1model.runtime.*;");
    source.line("import net.sluice.emulator.v1model.table.*;");
    source.line("import net.sluice.emulator.switching.*;");
    if (!traced) {
      packetClass(source);
    }
    Code methods = new Code(traced);
    lifecycle(methods);
    copies.methods(this, methods);
    new ParserEmitter(program, actions).emit(methods);
    headers(methods);
    calculations(methods);
    checksums(methods);
    deparser(methods);
    actions(methods);
    controls(methods);
    source.line("public final class " + className() + " extends CompiledPipeline {");
    methods.declareConstants(source);
    members(source);
    constructor(source);
    source.add(methods);
    source.line("}");
    return source.toString();
  }

  private void headers(Code into) {
    for (Header header : program.headers()) {
      if (!header.metadata()) {
        HeaderEmitter.emitExtract(header, program.rivals(header), into);
        HeaderEmitter.emitDeparse(header, into);
      }
    }
  }

  private void calculations(Code into) {
    for (Calculation calculation : program.calculations()) {
      CalculationEmitter.emit(calculation, into);
    }
  }

  private void actions(Code into) {
    for (Program.Action action : program.actions()) {
      actions.emit(action, into);
    }
  }

  private void controls(Code into) {
    new ControlEmitter(program.ingress(), program.actions(), 0, ParserEmitter.exits(program))
        .emit(into);
    int firstOfEgress = ControlEmitter.tables(program.ingress()).size();
    new ControlEmitter(program.egress(), program.actions(), firstOfEgress, false).emit(into);
  }

  /** Simple name of the class with the code. */
  String className() {
    return traced ? "TracedPipeline" : "Pipeline";
  }

  private void packetClass(Code into) {
    into.line("public final class Packet extends ParsedPacket {");
    into.line("public Packet(Object owner) {").line("super(owner);").line("}");
    for (Header header : program.headers()) {
      HeaderEmitter.declare(header, into);
    }
    for (HeaderStack stack : program.stacks()) {
      into.line("// header stack " + stack.name());
      into.line("public int " + Members.nextName(stack) + ";");
    }
    clearMethods(into);
    into.line("public static void clear(Packet p) {");
    for (Header header : program.headers()) {
      into.line("clear" + header.index() + "(p);");
    }
    for (HeaderStack stack : program.stacks()) {
      into.line(Members.next(stack) + " = 0;");
    }
    into.line("}");
    into.line("}");
  }

  private void clearMethods(Code into) {
    EarlyReads early = new EarlyReads(program);
    for (Header header : program.headers()) {
      into.line("public static void clear" + header.index() + "(Packet p) {");
      HeaderEmitter.clearFields(
          header, field -> !header.metadata() || early.contains(header, field), into);
      if (!header.metadata()) {
        into.line(Members.valid(header) + " = false;");
      }
      into.line("}");
    }
    // The program assigns the rest before it reads it; a trace may show it earlier.
    into.line("public static void clearRest(Packet p) {");
    for (Header header : program.headers()) {
      if (header.metadata()) {
        HeaderEmitter.clearFields(header, field -> !early.contains(header, field), into);
      }
    }
    into.line("}");
  }

  private void members(Code into) {
    for (int i = 0; i < tables.size(); i++) {
      String name = ControlEmitter.className(tables.get(i));
      into.line("private final " + name + " t" + i + ";");
      if (ControlEmitter.needsKeyArray(tables.get(i))) {
        into.line(
            "private final long[] t%skey = new long[%s];",
            i, ControlEmitter.layout(tables.get(i)).words());
      }
    }
    for (Primitive.CounterDef counter : program.counters()) {
      into.line("private final CounterCells c" + counter.index() + ";  // " + counter.name());
    }
    for (Program.ValueSetDef set : program.valueSets()) {
      into.line("private final ValueSet v" + set.index() + ";  // " + set.name());
    }
    for (Calculation calculation : program.calculations()) {
      if (CalculationEmitter.counts(calculation)) {
        into.line("private final RoundRobin " + CalculationEmitter.turn(calculation) + ";");
      }
    }
    for (Program.ActionProfileDef profile : program.actionProfiles()) {
      into.line("private final ActionProfile g" + profile.index() + ";  // " + profile.name());
    }
    for (Primitive.MeterDef meter : program.meters()) {
      into.line("private final MeterCells m" + meter.index() + ";  // " + meter.name());
    }
    for (Primitive.RegisterDef register : program.registers()) {
      into.line(
          "private final "
              + cellType(register)
              + "[] r"
              + register.index()
              + ";  // "
              + register.name());
    }
    copies.members(into);
  }

  private void constructor(Code into) {
    into.line("public " + className() + "(PipelineState state) {");
    into.line("super(state);");
    assignments(into);
    into.line("}");
  }

  private void assignments(Code into) {
    for (int i = 0; i < tables.size(); i++) {
      into.line(
          "t%s = (%s) state.tables().get(%s);", i, ControlEmitter.className(tables.get(i)), i);
    }
    for (Primitive.CounterDef counter : program.counters()) {
      into.line(
          "c"
              + counter.index()
              + " = (CounterCells) state.counters().get("
              + counter.index()
              + ");");
    }
    for (Program.ValueSetDef set : program.valueSets()) {
      into.line("v" + set.index() + " = (ValueSet) state.valueSets().get(" + set.index() + ");");
    }
    for (Calculation calculation : program.calculations()) {
      if (CalculationEmitter.counts(calculation)) {
        into.line(
            "%s = (RoundRobin) state.turns().get(%s);",
            CalculationEmitter.turn(calculation), calculation.index());
      }
    }
    for (Program.ActionProfileDef profile : program.actionProfiles()) {
      into.line(
          "g%s = (ActionProfile) state.profiles().get(%s);", profile.index(), profile.index());
    }
    for (Primitive.MeterDef meter : program.meters()) {
      into.line("m" + meter.index() + " = (MeterCells) state.meters().get(" + meter.index() + ");");
    }
    for (Primitive.RegisterDef register : program.registers()) {
      into.line(
          "r%s = ((RegisterArray) state.registers().get(%s)).%ss();",
          register.index(), register.index(), cellType(register));
    }
    copies.initialise(into);
  }

  private static String cellType(Primitive.RegisterDef register) {
    int width = register.widthBits();
    return width <= 8 ? "byte" : width <= 16 ? "short" : width <= 32 ? "int" : "long";
  }

  private void lifecycle(Code into) {
    into.line("protected ParsedPacket create() {").line("return new Packet(this);").line("}");

    into.line("protected void runIngress(ParsedPacket packet, int port, long now) {");
    into.line("Packet p = (Packet) packet;");
    into.line("p.begin();");
    into.line("p.ingressPort = port;");
    into.line("p.ingressMicros = now;");
    keepTime(into);
    into.line("Packet.clear(p);");
    if (traced) {
      into.line("Packet.clearRest(p);");
    }
    set("standard_metadata.ingress_port", "port", into);
    set("standard_metadata.packet_length", "p.receivedBytes", into);
    set("intrinsic_metadata.ingress_global_timestamp", "now", into);
    copies.beginIngress(into);
    if (program.copies().reenters()) {
      into.line("fromParser(p);");
      into.line("}");
      into.line("private void fromParser(Packet p) {");
    }
    into.line("parse(p);");
    into.line("boolean good = verifyChecksums(p);");
    set("standard_metadata.parser_error", "p.parserError", into);
    set("standard_metadata.checksum_error", "(good ? 0L : 1L)", into);
    into.line("ingressControl(p);");
    copies.endIngress(into);
    Header.Ref egressSpec = program.known("standard_metadata.egress_spec");
    String spec = IntrinsicFields.number(egressSpec, into);
    into.line("p.dropped = " + spec + " == " + ActionEmitter.DROP_PORT + "L;");
    into.line("p.egressPort = " + IntrinsicFields.index(egressSpec, spec) + ";");
    into.line("p.priority = " + copies.priority(into) + ";");
    set("standard_metadata.instance_type", "0L", into);
    into.line("}");

    into.line("protected void runEgress(ParsedPacket packet, long now) {");
    into.line("Packet p = (Packet) packet;");
    copies.beginEgress(into);
    keepTime(into);
    set("intrinsic_metadata.egress_global_timestamp", "now", into);
    set("queueing_metadata.enq_timestamp", "p.enqMicros", into);
    set("queueing_metadata.enq_qdepth", "p.enqQdepth", into);
    set("queueing_metadata.deq_timedelta", "p.deqTimedelta", into);
    set("queueing_metadata.deq_qdepth", "p.deqQdepth", into);
    set("queueing_metadata.qid", "p.priority", into);
    set("standard_metadata.egress_port", "p.egressPort", into);
    // One past the drop port, which its field cannot hold: it reads as zero.
    set("standard_metadata.egress_spec", ActionEmitter.DROP_PORT + 1 + "L", into);
    set("standard_metadata.packet_length", "p.currentBytes", into);
    into.line("egressControl(p);");
    copies.endEgress(into);
    spec = IntrinsicFields.number(egressSpec, into);
    into.line("p.dropped = " + spec + " == " + ActionEmitter.DROP_PORT + "L;");
    into.line("if (!p.dropped) {");
    into.line("updateChecksums(p);");
    into.line("deparse(p);");
    copies.afterDeparser(into);
    into.line("}");
    into.line("}");
  }

  /** Gives actions and digests the time, if they need it. */
  void keepTime(Code into) {
    if (!program.meters().isEmpty()
        || !program.copies().digests().isEmpty()
        || tables.stream().anyMatch(t -> t.meter() != null)) {
      into.line("p.nowMicros = now;");
    }
  }

  /** Sets an intrinsic metadata field to a number of 63 bits, if the program has it. */
  void set(String name, String value, Code into) {
    Header.Ref ref = program.known(name);
    if (ref != null) {
      IntrinsicFields.setCut(ref, value, into);
    }
  }

  private void checksums(Code into) {
    into.line("private boolean verifyChecksums(Packet p) {");
    into.line("boolean good = true;");
    for (Calculation.Checksum checksum : program.checksums()) {
      if (checksum.verify()) {
        openChecksum(checksum, into);
        into.trace(
            "verified(%s, k%s(p))"
                .formatted(program.checksums().indexOf(checksum), checksum.calculation().index()));
        into.line(
            "good &= k%s(p) == %s;",
            checksum.calculation().index(), IntrinsicFields.low(checksum.target(), into));
        into.line("}").line("}");
      }
    }
    into.line("return good;");
    into.line("}");
    into.line("private void updateChecksums(Packet p) {");
    for (Calculation.Checksum checksum : program.checksums()) {
      if (checksum.update()) {
        openChecksum(checksum, into);
        IntrinsicFields.setChecksum(
            checksum.target(), "k" + checksum.calculation().index() + "(p)", into);
        into.trace("updated(" + program.checksums().indexOf(checksum) + ")");
        into.line("}").line("}");
      }
    }
    into.line("}");
  }

  private static void openChecksum(Calculation.Checksum checksum, Code into) {
    Header.Ref target = checksum.target();
    into.line("if (" + Members.valid(target.header()) + ") {");
    ExprEmitter exprs = new ExprEmitter(into, null, "checksum '" + checksum.name() + "'");
    into.line(
        "if (%s) {", checksum.condition() == null ? "true" : exprs.condition(checksum.condition()));
  }

  private void deparser(Code into) {
    into.line("private static int headerBytes(Packet p) {");
    into.line("int n = 0;");
    for (Header header : program.deparser()) {
      into.line("if (" + Members.valid(header) + ") n += " + HeaderEmitter.bytes(header) + ";");
    }
    into.line("return n;");
    into.line("}");
    into.line("private void deparse(Packet p) {");
    for (Primitive call : program.deparserCalls()) {
      into.line("{");
      actions.emit(call, into, null, "the deparser");
      into.line("}");
    }
    into.line("int o = p.reserve(headerBytes(p));");
    into.line("byte[] b = p.bytes();");
    for (Header header : program.deparser()) {
      into.line("if (" + Members.valid(header) + ") {");
      into.line("w" + header.index() + "(p, b, o);");
      into.trace("emitted(" + header.index() + ", " + HeaderEmitter.bytes(header) + ")");
      into.line("o += " + HeaderEmitter.bytes(header) + ";");
      into.line("}");
    }
    into.line("}");
  }
}
