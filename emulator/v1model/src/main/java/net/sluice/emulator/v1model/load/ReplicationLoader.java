package net.sluice.emulator.v1model.load;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.program.Replication;

/**
 * Loads field lists and digests, and the primitives that clone, resubmit, recirculate and truncate
 * packets and send digests.
 */
final class ReplicationLoader {

  /** bmv2 keeps these numbers in 16 bits, of which 0 means none. */
  private static final int MAX_ID = 65_535;

  private final SymbolTable names;
  private final Map<Integer, Replication.FieldList> fieldLists = new LinkedHashMap<>();
  private final Map<Integer, Replication.Digest> digests = new LinkedHashMap<>();
  private boolean clones;
  private boolean resubmits;
  private boolean recirculates;
  private boolean truncates;
  private boolean listsByPacket;

  ReplicationLoader(SymbolTable names) {
    this.names = names;
  }

  void loadLists(List<LocatedJson> fieldListNodes, List<LocatedJson> digestNodes) {
    for (LocatedJson node : fieldListNodes) {
      int id = id(node, 0);
      List<Header.Ref> fields = new ArrayList<>();
      for (Replication.Element element : elements(node, true)) {
        if (element.field() != null) {
          fields.add(element.field());
        }
      }
      if (fieldLists.put(id, new Replication.FieldList(id, node.text("name"), List.copyOf(fields)))
          != null) {
        throw node.invalid("there are two field lists with id " + id);
      }
    }
    for (LocatedJson node : digestNodes) {
      int id = id(node, 1);
      if (digests.put(id, digest(node, id)) != null) {
        throw node.invalid("there are two digests with id " + id);
      }
    }
  }

  /** Digests of the same type have one name and are one to the controller. */
  private Replication.Digest digest(LocatedJson node, int id) {
    String name = node.text("name");
    List<Replication.Element> elements = elements(node, false);
    int next = 0;
    for (Replication.Digest other : digests.values()) {
      if (other.name().equals(name) && widths(other.elements()).equals(widths(elements))) {
        return new Replication.Digest(name, id, other.index(), elements);
      }
      next = Math.max(next, other.index() + 1);
    }
    return new Replication.Digest(name, id, next, elements);
  }

  private static List<Integer> widths(List<Replication.Element> elements) {
    return elements.stream().map(Replication.Element::widthBits).toList();
  }

  private static int id(LocatedJson node, int least) {
    int id = node.integer("id");
    if (id < least || id > MAX_ID) {
      throw node.invalid("id " + id + " must be from " + least + " to " + MAX_ID);
    }
    return id;
  }

  private List<Replication.Element> elements(LocatedJson list, boolean ofVariableLength) {
    List<Replication.Element> elements = new ArrayList<>();
    for (LocatedJson node : list.list("elements")) {
      switch (node.text("type")) {
        case "field" -> {
          LocatedJson field = node.get("value");
          Header.Ref ref = ofVariableLength ? names.anyField(field) : names.field(field);
          elements.add(new Replication.Element(ref, null, ref.field().widthBits()));
        }
        case "hexstr" -> {
          int width = node.integer("bitwidth");
          BigInteger value = node.get("value").hex();
          if (width < 1 || value.signum() < 0 || value.bitLength() > width) {
            throw node.invalid("value " + value + " does not fit in " + width + " bits");
          }
          elements.add(new Replication.Element(null, value, width));
        }
        default -> throw node.unsupported("'" + node.text("type") + "' in a list of fields");
      }
    }
    return List.copyOf(elements);
  }

  /**
   * A primitive of this kind, or null if the operation is of another.
   *
   * @param args its arguments
   */
  Primitive primitive(
      LocatedJson node,
      List<LocatedJson> args,
      ExprLoader exprs,
      List<Program.Parameter> parameters) {
    switch (node.text("op")) {
      case "clone_ingress_pkt_to_egress":
      case "clone_egress_pkt_to_egress":
        ActionLoader.arity(node, args, 2);
        clones = true;
        return new Primitive.Clone(
            exprs.number(args.get(0), parameters), fieldList(args.get(1), exprs, parameters));
      case "resubmit":
        ActionLoader.arity(node, args, 1);
        resubmits = true;
        return new Primitive.Resubmit(mayBeNone(args.get(0), exprs, parameters));
      case "recirculate":
        ActionLoader.arity(node, args, 1);
        recirculates = true;
        return new Primitive.Recirculate(mayBeNone(args.get(0), exprs, parameters));
      case "truncate":
        ActionLoader.arity(node, args, 1);
        truncates = true;
        return new Primitive.Truncate(exprs.number(args.get(0), parameters));
      case "generate_digest":
        ActionLoader.arity(node, args, 2);
        Expr digest = number(args.get(1), digests.keySet(), "digest", exprs, parameters);
        BigInteger known = ExprLoader.constant(digest);
        return new Primitive.SendDigest(
            digest, known == null ? null : digests.get(known.intValueExact()).name());
      default:
        return null;
    }
  }

  private Expr fieldList(LocatedJson node, ExprLoader exprs, List<Program.Parameter> parameters) {
    Expr list = number(node, fieldLists.keySet(), "field list", exprs, parameters);
    listsByPacket |= !(list instanceof Expr.Constant);
    return list;
  }

  /** The same; list 0 cancels the request. */
  private Expr mayBeNone(LocatedJson node, ExprLoader exprs, List<Program.Parameter> parameters) {
    Expr list = exprs.number(node, parameters);
    return BigInteger.ZERO.equals(ExprLoader.constant(list))
        ? list
        : fieldList(node, exprs, parameters);
  }

  /** An id, which must exist if it is a constant. */
  private static Expr number(
      LocatedJson node,
      Set<Integer> all,
      String what,
      ExprLoader exprs,
      List<Program.Parameter> parameters) {
    Expr number = exprs.number(node, parameters);
    BigInteger id = ExprLoader.constant(number);
    if (id != null && (id.bitLength() > 31 || !all.contains(id.intValueExact()))) {
      throw node.get("value").invalid("there is no " + what + " with id " + id);
    }
    return number;
  }

  /** The result; to be called when the rest of the program is loaded. */
  Replication finish(Header.Ref multicastGroup) {
    return new Replication(
        List.copyOf(fieldLists.values()),
        List.copyOf(digests.values()),
        clones,
        resubmits,
        recirculates,
        multicastGroup != null && names.written.contains(multicastGroup),
        truncates,
        listsByPacket);
  }
}
