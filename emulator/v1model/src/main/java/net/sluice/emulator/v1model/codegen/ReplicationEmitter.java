package net.sluice.emulator.v1model.codegen;

import static net.sluice.emulator.v1model.codegen.source.Members.literal;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.v1model.codegen.expr.DiagnosticEmitter;
import net.sluice.emulator.v1model.codegen.expr.ExprEmitter;
import net.sluice.emulator.v1model.codegen.expr.HeaderEmitter;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.HeaderStack;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.program.Replication;
import net.sluice.emulator.v1model.runtime.DigestBuffer;

/**
 * Java for cloning, digests, resubmission, recirculation, multicast and truncation, in
 * simple_switch's order: at the end of ingress clone, digest, resubmit, multicast, unicast or drop;
 * at the end of egress clone, drop, recirculate. Programs that use none of them get no code for
 * them.
 */
final class ReplicationEmitter {

  private static final int INGRESS_CLONE = 1;
  private static final int EGRESS_CLONE = 2;
  private static final int RECIRCULATED = 4;
  private static final int REPLICATION = 5;
  private static final int RESUBMITTED = 6;
  private static final int PORT_BITS = 9;
  private static final int INSTANCE_TYPE_BITS = 3;

  private final Program program;
  private final Replication copies;

  ReplicationEmitter(Program program) {
    this.program = program;
    this.copies = program.copies();
  }

  /** The buffers of a program's digests. */
  static List<DigestBuffer> buffers(Replication copies) {
    List<DigestBuffer> buffers = new ArrayList<>();
    for (Replication.Digest digest : copies.digests()) {
      if (digest.index() == buffers.size()) {
        buffers.add(
            new DigestBuffer(
                digest.name(),
                digest.elements().stream().map(Replication.Element::widthBits).toList()));
      }
    }
    return List.copyOf(buffers);
  }

  /** Emits a primitive of this kind; false if it is of another. */
  static boolean emit(Primitive primitive, ExprEmitter exprs, Code into) {
    if (primitive instanceof Primitive.Clone clone) {
      into.line(
          "p.cloneRequest = (int) (%s) & 0x7fff | 0x8000;",
          exprs.count(clone.session(), "clone session"));
      into.line("p.cloneList = " + number(clone.list(), exprs) + ";");
      into.trace("requested(\"clone to session\", p.cloneRequest & 0x7fff)");
    } else if (primitive instanceof Primitive.Resubmit) {
      into.line("p.resubmitList = " + number(((Primitive.Resubmit) primitive).list(), exprs) + ";");
      into.trace("requested(\"resubmit\", -1)");
    } else if (primitive instanceof Primitive.Recirculate) {
      into.line(
          "p.recirculateList = " + number(((Primitive.Recirculate) primitive).list(), exprs) + ";");
      into.trace("requested(\"recirculate\", -1)");
    } else if (primitive instanceof Primitive.Truncate) {
      String bytes = exprs.count(((Primitive.Truncate) primitive).bytes(), "truncate to bytes");
      into.line(
          "p.truncateTo = (int) Math.min(p.truncateTo, " + bytes + " & 0x7fffffffffffffffL);");
      into.trace("requested(\"truncate to bytes\", " + bytes + ")");
    } else if (primitive instanceof Primitive.SendDigest digest) {
      into.line("p.digestRequest = " + number(digest.number(), exprs) + ";");
      if (digest.name() == null) {
        into.trace("requested(\"digest\", p.digestRequest)");
      } else {
        into.trace("requested(" + DiagnosticEmitter.quoted("digest " + digest.name()) + ", -1)");
      }
    } else {
      return false;
    }
    return true;
  }

  /** The number of a field list or digest, a Java {@code int}; its low 16 bits count. */
  private static String number(Expr number, ExprEmitter exprs) {
    if (number instanceof Expr.Constant constant) {
      return constant.value().toString();
    }
    return "(int) (" + exprs.count(number, "number of a list") + " & 0xffffL)";
  }

  /** Fails if there is no field list of a number computed at run time. */
  private void checkList(String list, Code into) {
    if (copies.listsByPacket()) {
      into.line("if (!hasList(" + list + ")) {");
      into.line(
          "throw failure(\"field list \" + " + list + " + \", which the program has not\", p);");
      into.line("}");
    }
  }

  private void hasList(Code into) {
    into.line("private static boolean hasList(int list) {");
    into.line("switch (list) {");
    for (Replication.FieldList list : copies.fieldLists()) {
      into.line("case " + list.id() + ": return true;");
    }
    into.line("default: return false;").line("}");
    into.line("}");
  }

  /** Members of the pipeline. */
  void members(Code into) {
    for (int i = 0; i < buffers(copies).size(); i++) {
      into.line("private final DigestBuffer q" + i + ";  // " + buffers(copies).get(i).name());
    }
  }

  /** Statements of the pipeline's constructor. */
  void initialise(Code into) {
    for (int i = 0; i < buffers(copies).size(); i++) {
      into.line("q" + i + " = (DigestBuffer) state.digests().get(" + i + ");");
    }
  }

  /** Statements at the start of a packet's first ingress. */
  void beginIngress(Code into) {
    if (copies.any() || copies.truncates() || !copies.digests().isEmpty()) {
      into.line("p.forgetRequests();");
    }
  }

  /** Statements at the end of ingress, in front of those that forward the packet. */
  void endIngress(Code into) {
    if (copies.clones()) {
      into.line("if (p.cloneRequest != 0) cloneAtIngress(p);");
    }
    if (!copies.digests().isEmpty()) {
      into.line("if (p.digestRequest != 0) digest(p);");
    }
    if (copies.resubmits()) {
      into.line("if (p.resubmitList != 0) {");
      reenter("resubmitList", RESUBMITTED, into);
      into.line("p.dropped = false;");
      into.line("return;");
      into.line("}");
    }
    if (copies.multicasts()) {
      Header.Ref field = program.known("intrinsic_metadata.mcast_grp");
      String group = IntrinsicFields.number(field, into);
      into.line("if (" + group + " != 0) {");
      into.line("p.requests |= SwitchPacket.MULTICAST;");
      into.line("p.multicastGroup = " + IntrinsicFields.index(field, group) + ";");
      into.line("p.dropped = false;");
      into.line("p.priority = " + priority(into) + ";");
      instanceType(REPLICATION, into);
      into.line("return;");
      into.line("}");
    }
  }

  private void reenter(String list, int as, Code into) {
    checkList("p." + list, into);
    into.line("p.reenterAs = " + as + ";");
    into.line("p.reenterList = p." + list + ";");
    into.line("p." + list + " = 0;");
    into.line("p.requests |= SwitchPacket.REENTER;");
  }

  /** Queue priority that the metadata asks for. */
  String priority(Code into) {
    Header.Ref priority = program.known("intrinsic_metadata.priority");
    return priority == null ? "0" : IntrinsicFields.priority(priority, into);
  }

  /** Statements at the start of egress. */
  void beginEgress(Code into) {
    if (copies.any()) {
      into.line("p.requests = 0;");
    }
  }

  /** Statements between the egress control and the decision to drop. */
  void endEgress(Code into) {
    if (copies.clones()) {
      into.line("if (p.cloneRequest != 0) cloneAtEgress(p);");
    }
  }

  /** Statements behind the deparser. */
  void afterDeparser(Code into) {
    if (copies.recirculates()) {
      into.line("if (p.recirculateList != 0) {");
      reenter("recirculateList", RECIRCULATED, into);
      into.line("return;");
      into.line("}");
    }
    if (copies.truncates()) {
      into.line("p.truncate();");
    }
  }

  /** The methods that the statements above call. */
  void methods(PipelineGenerator generator, Code into) {
    if (copies.clones()) {
      cloneAtIngress(into);
      cloneAtEgress(into);
      keep(into);
    }
    if (copies.clones() || copies.multicasts()) {
      copyHeaders(into);
      copyFields(into);
    }
    if (copies.clones() || copies.reenters()) {
      clearMetadata(into);
    }
    if (copies.reenters()) {
      restarts(into);
      runReenter(generator, into);
    }
    if (copies.listsByPacket()) {
      hasList(into);
    }
    if (!copies.digests().isEmpty()) {
      digest(into);
    }
  }

  private void openClone(Code into) {
    into.line("int list = p.cloneList;");
    into.line("CloneSession session = replication.session(p.cloneRequest & 0x7fff);");
    into.line("p.cloneRequest = 0;");
    into.line("p.cloneList = 0;");
    into.line("if (session == null) {").line("return;").line("}");
    checkList("list", into);
  }

  private void cloneAtIngress(Code into) {
    into.line("private void cloneAtIngress(Packet original) {");
    into.line("Packet p = original;");
    openClone(into);
    into.line("p = (Packet) received(original, session.limit(original.length()));");
    into.line("Packet.clear(p);");
    Header.Ref port = program.known("standard_metadata.ingress_port");
    IntrinsicFields.set(port, "p.ingressPort", PORT_BITS, into);
    into.line("parse(p);");
    if (ParserEmitter.exits(program)) {
      into.line("p.exited = false;");
    }
    into.line("clearMetadata(p);");
    into.line("keep(p, original, list);");
    instanceType(INGRESS_CLONE, into);
    into.line("p.priority = " + priority(into) + ";");
    into.line("handOver(original, p, session);");
    into.line("}");
  }

  private void cloneAtEgress(Code into) {
    into.line("private void cloneAtEgress(Packet original) {");
    into.line("Packet p = original;");
    openClone(into);
    into.line("p = (Packet) parsed(original);");
    into.line("clearMetadata(p);");
    into.line("keep(p, original, list);");
    instanceType(EGRESS_CLONE, into);
    into.line("p.priority = " + priority(into) + ";");
    into.line("if (session.maxBytes() != 0) {");
    into.line("int n = headerBytes(p);");
    into.line("int whole = n + p.end - p.position;");
    into.line("if (whole > session.maxBytes()) p.cut(session.maxBytes(), n);");
    into.line("}");
    into.line("handOver(original, p, session);");
    into.line("}");
  }

  private void instanceType(int type, Code into) {
    Header.Ref field = program.known("standard_metadata.instance_type");
    IntrinsicFields.set(field, type + "L", INSTANCE_TYPE_BITS, into);
  }

  private void keep(Code into) {
    into.line("private static void keep(Packet p, Packet from, int list) {");
    into.line("switch (list) {");
    for (Replication.FieldList list : copies.fieldLists()) {
      into.line("case " + list.id() + ":");
      list.fields().forEach(field -> keep(field, into));
      into.line("break;");
    }
    into.line("default:").line("}");
    into.line("}");
  }

  private static void keep(Header.Ref field, Code into) {
    if (field.field().widthBits() == 0) {
      String name = Members.variableName(field.header());
      ActionEmitter.storeVariable(field, "from." + name + ".number()", into);
    }
    for (int limb = 0; limb < Members.limbs(field.field().widthBits()); limb++) {
      into.line(Members.field(field, limb) + " = from." + Members.fieldName(field, limb) + ";");
    }
  }

  private void copyHeaders(Code into) {
    for (Header header : program.headers()) {
      into.line("private static void copy" + header.index() + "(Packet p, Packet from) {");
      for (String member : HeaderEmitter.members(header)) {
        into.line(member + " = from" + member.substring(1) + ";");
      }
      if (header.isVariable()) {
        into.line(Members.variable(header) + ".copy(from." + Members.variableName(header) + ");");
      }
      if (!header.metadata()) {
        into.line(Members.valid(header) + " = from." + Members.validName(header) + ";");
      }
      into.line("}");
    }
  }

  private void copyFields(Code into) {
    into.line("protected void copyFields(ParsedPacket to, ParsedPacket source) {");
    into.line("Packet p = (Packet) to;");
    into.line("Packet from = (Packet) source;");
    for (Header header : program.headers()) {
      into.line("copy" + header.index() + "(p, from);");
    }
    for (HeaderStack stack : program.stacks()) {
      into.line(Members.next(stack) + " = from." + Members.nextName(stack) + ";");
    }
    into.line("}");
    into.line("protected void setInstance(ParsedPacket packet, int instance) {");
    Header.Ref instance = program.known("intrinsic_metadata.egress_rid");
    if (instance != null) {
      into.line("Packet p = (Packet) packet;");
      IntrinsicFields.setCut(instance, "instance", into);
    }
    into.line("}");
  }

  private void clearMetadata(Code into) {
    into.line("private static void clearMetadata(Packet p) {");
    for (Header header : program.headers()) {
      if (header.metadata()) {
        into.line("Packet.clear" + header.index() + "(p);");
      }
    }
    into.line("}");
  }

  /** The fields of a list survive in local variables while all others are cleared. */
  private void restarts(Code into) {
    for (Replication.FieldList list : copies.fieldLists()) {
      into.line("private static void restart" + list.id() + "(Packet p) {");
      List<String> members = new ArrayList<>();
      for (Header.Ref field : list.fields()) {
        for (int limb = 0; limb < Members.limbs(field.field().widthBits()); limb++) {
          members.add(Members.field(field, limb));
        }
      }
      for (int i = 0; i < members.size(); i++) {
        into.line("long kept" + i + " = " + members.get(i) + ";");
      }
      into.line("Packet.clear(p);");
      for (int i = 0; i < members.size(); i++) {
        into.line(members.get(i) + " = kept" + i + ";");
      }
      into.line("}");
    }
  }

  private void runReenter(PipelineGenerator generator, Code into) {
    into.line("protected void runReenter(ParsedPacket packet, long now) {");
    into.line("Packet p = (Packet) packet;");
    into.line("p.begin();");
    into.line("p.forgetRequests();");
    into.line("switch (p.reenterList) {");
    for (Replication.FieldList list : copies.fieldLists()) {
      into.line("case " + list.id() + ": restart" + list.id() + "(p); break;");
    }
    // Without field lists no packet gets here.
    into.line(
        copies.fieldLists().isEmpty() ? "default:" : "default: throw new IllegalStateException();");
    into.line("}");
    generator.keepTime(into);
    generator.set("standard_metadata.instance_type", "p.reenterAs", into);
    generator.set("standard_metadata.packet_length", "p.receivedBytes", into);
    into.line("fromParser(p);");
    into.line("}");
  }

  private static void put(Replication.Element element, String buffer, Code into) {
    for (int limb = Members.limbs(element.widthBits()) - 1; limb >= 0; limb--) {
      String value =
          element.field() != null
              ? Members.field(element.field(), limb)
              : literal(element.constant().shiftRight(64 * limb).longValue());
      int bits = Math.min(64, element.widthBits() - 64 * limb);
      into.line(buffer + ".put(" + value + ", " + bits + ");");
    }
  }

  private void digest(Code into) {
    into.line("private void digest(Packet p) {");
    into.line("switch (p.digestRequest) {");
    for (Replication.Digest digest : copies.digests()) {
      String buffer = "q" + digest.index();
      into.line("case " + digest.id() + ":");
      into.line("if (" + buffer + ".isOn()) {");
      digest.elements().forEach(element -> put(element, buffer, into));
      into.line(buffer + ".add(p.nowMicros);");
      into.line("}");
      into.line("break;");
    }
    into.line("default:").line("}");
    into.line("p.digestRequest = 0;");
    into.line("}");
  }
}
