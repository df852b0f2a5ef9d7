package net.sluice.emulator.bmv2.codegen;

import static net.sluice.emulator.bmv2.codegen.Members.literal;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.bmv2.program.Copies;
import net.sluice.emulator.bmv2.program.Header;
import net.sluice.emulator.bmv2.program.HeaderStack;
import net.sluice.emulator.bmv2.program.Primitive;
import net.sluice.emulator.bmv2.program.Program;
import net.sluice.emulator.bmv2.runtime.DigestBuffer;

/**
 * Java for what a program does with copies of packets, in the order in which bmv2's simple_switch
 * does it: at the end of ingress clone, digest, resubmit, multicast, unicast or drop; at the end of
 * egress clone, drop, recirculate. A program that uses none of it gets none of it.
 */
final class CopiesEmitter {

  private static final int INGRESS_CLONE = 1;
  private static final int EGRESS_CLONE = 2;
  private static final int RECIRCULATED = 4;
  private static final int REPLICATION = 5;
  private static final int RESUBMITTED = 6;

  private final Program program;
  private final Copies copies;

  CopiesEmitter(Program program) {
    this.program = program;
    this.copies = program.copies();
  }

  /** What collects the digests of a program. */
  static List<DigestBuffer> buffers(Copies copies) {
    List<DigestBuffer> buffers = new ArrayList<>();
    for (Copies.Digest digest : copies.digests()) {
      if (digest.index() == buffers.size()) {
        buffers.add(
            new DigestBuffer(
                digest.name(), digest.elements().stream().map(Copies.Element::widthBits).toList()));
      }
    }
    return List.copyOf(buffers);
  }

  /** The statements of a primitive of this kind; false if it is of another. */
  static boolean emit(Primitive primitive, ExprEmitter exprs, Code into) {
    if (primitive instanceof Primitive.Clone) {
      Primitive.Clone clone = (Primitive.Clone) primitive;
      into.line("p.cloneRequest = (int) (" + exprs.low(clone.session()) + ") & 0x7fff | 0x8000;");
      into.line("p.cloneList = " + clone.kept().id() + ";");
      into.trace("requested(\"clone to session\", p.cloneRequest & 0x7fff)");
    } else if (primitive instanceof Primitive.Resubmit) {
      into.line("p.resubmitList = " + ((Primitive.Resubmit) primitive).kept().id() + ";");
      into.trace("requested(\"resubmit\", -1)");
    } else if (primitive instanceof Primitive.Recirculate) {
      into.line("p.recirculateList = " + ((Primitive.Recirculate) primitive).kept().id() + ";");
      into.trace("requested(\"recirculate\", -1)");
    } else if (primitive instanceof Primitive.Truncate) {
      String bytes = exprs.low(((Primitive.Truncate) primitive).bytes());
      into.line(
          "p.truncateTo = (int) Math.min(p.truncateTo, " + bytes + " & 0x7fffffffffffffffL);");
      into.trace("requested(\"truncate to bytes\", " + bytes + ")");
    } else if (primitive instanceof Primitive.SendDigest) {
      Copies.Digest digest = ((Primitive.SendDigest) primitive).digest();
      into.line("p.digestRequest = " + digest.id() + ";");
      into.trace("requested(" + ReportEmitter.quoted("digest " + digest.name()) + ", -1)");
    } else {
      return false;
    }
    return true;
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
      String group = Members.field(program.known("intrinsic_metadata.mcast_grp"), 0);
      into.line("if (" + group + " != 0) {");
      into.line("p.requests |= SwitchPacket.MULTICAST;");
      into.line("p.multicastGroup = (int) " + group + ";");
      into.line("p.dropped = false;");
      into.line("p.priority = " + priority() + ";");
      instanceType(REPLICATION, into);
      into.line("return;");
      into.line("}");
    }
  }

  private static void reenter(String list, int as, Code into) {
    into.line("p.reenterAs = " + as + ";");
    into.line("p.reenterList = p." + list + ";");
    into.line("p." + list + " = 0;");
    into.line("p.requests |= SwitchPacket.REENTER;");
  }

  /** Queue priority that the metadata asks for. */
  String priority() {
    Header.Ref priority = program.known("intrinsic_metadata.priority");
    return priority == null ? "0" : "(int) " + Members.field(priority, 0);
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
      copyFields(into);
    }
    if (copies.clones() || copies.reenters()) {
      clearMetadata(into);
    }
    if (copies.reenters()) {
      runReenter(generator, into);
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
  }

  private void cloneAtIngress(Code into) {
    into.line("private void cloneAtIngress(Packet original) {");
    into.line("Packet p = original;");
    openClone(into);
    into.line("p = (Packet) received(original, session.limit(original.length()));");
    into.line("Packet.clear(p);");
    into.line(
        Members.field(program.known("standard_metadata.ingress_port"), 0) + " = p.ingressPort;");
    into.line("parse(p);");
    if (ParserEmitter.exits(program)) {
      into.line("p.exited = false;");
    }
    into.line("clearMetadata(p);");
    into.line("keep(p, original, list);");
    instanceType(INGRESS_CLONE, into);
    into.line("p.priority = " + priority() + ";");
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
    into.line("p.priority = " + priority() + ";");
    into.line("if (session.maxBytes() != 0) {");
    into.line("int n = headerBytes(p);");
    into.line("int whole = n + p.end - p.position;");
    into.line("if (whole > session.maxBytes()) p.cut(session.maxBytes(), n);");
    into.line("}");
    into.line("handOver(original, p, session);");
    into.line("}");
  }

  private void instanceType(int type, Code into) {
    into.line(
        Members.field(program.known("standard_metadata.instance_type"), 0) + " = " + type + "L;");
  }

  private void keep(Code into) {
    into.line("private static void keep(Packet p, Packet from, int list) {");
    into.line("switch (list) {");
    for (Copies.FieldList list : copies.fieldLists()) {
      into.line("case " + list.id() + ":");
      for (Header.Ref field : list.fields()) {
        for (int limb = 0; limb < Members.limbs(field.field().widthBits()); limb++) {
          into.line(Members.field(field, limb) + " = from." + Members.fieldName(field, limb) + ";");
        }
      }
      into.line("break;");
    }
    into.line("default:").line("}");
    into.line("}");
  }

  private void copyFields(Code into) {
    for (Header header : program.headers()) {
      into.line("private static void copy" + header.index() + "(Packet p, Packet from) {");
      for (Header.Field field : header.fields()) {
        for (int limb = 0; limb < Members.limbs(field.widthBits()); limb++) {
          String name = Members.fieldName(new Header.Ref(header, field), limb);
          into.line("p." + name + " = from." + name + ";");
        }
      }
      if (header.isVariable()) {
        into.line(Members.variable(header) + ".copy(from." + Members.variableName(header) + ");");
      }
      if (!header.metadata()) {
        into.line(Members.valid(header) + " = from." + Members.validName(header) + ";");
      }
      into.line("}");
    }
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
      into.line(
          Members.field(instance, 0)
              + " = instance & "
              + literal(Members.ones(instance.field().widthBits()))
              + ";");
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
  private void runReenter(PipelineGenerator generator, Code into) {
    for (Copies.FieldList list : copies.fieldLists()) {
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
    into.line("protected void runReenter(ParsedPacket packet, long now) {");
    into.line("Packet p = (Packet) packet;");
    into.line("p.begin();");
    into.line("p.forgetRequests();");
    into.line("switch (p.reenterList) {");
    for (Copies.FieldList list : copies.fieldLists()) {
      into.line("case " + list.id() + ": restart" + list.id() + "(p); break;");
    }
    into.line("default: throw new IllegalStateException();").line("}");
    generator.keepTime(into);
    generator.set("standard_metadata.instance_type", "p.reenterAs", into);
    generator.set("standard_metadata.packet_length", "p.receivedBytes", into);
    into.line("fromParser(p);");
    into.line("}");
  }

  private void digest(Code into) {
    into.line("private void digest(Packet p) {");
    into.line("switch (p.digestRequest) {");
    for (Copies.Digest digest : copies.digests()) {
      String buffer = "q" + digest.index();
      into.line("case " + digest.id() + ":");
      into.line("if (" + buffer + ".isOn()) {");
      for (int i = 0; i < digest.elements().size(); i++) {
        Copies.Element element = digest.elements().get(i);
        int limbs = Members.limbs(element.widthBits());
        for (int limb = limbs - 1; limb >= 0; limb--) {
          String value =
              element.field() != null
                  ? Members.field(element.field(), limb)
                  : literal(element.constant().shiftRight(64 * limb).longValue());
          int bits = Math.min(64, element.widthBits() - 64 * limb);
          into.line(buffer + ".put(" + value + ", " + bits + ");");
        }
      }
      into.line(buffer + ".add(p.nowMicros);");
      into.line("}");
      into.line("break;");
    }
    into.line("default:").line("}");
    into.line("p.digestRequest = 0;");
    into.line("}");
  }
}
