package net.sluice.emulator.bmv2.program;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Loads field lists and digests, and the primitives that clone, resubmit, recirculate and truncate
 * packets and send digests.
 */
final class CopiesLoader {

  /** bmv2 keeps these numbers in 16 bits, of which 0 means none. */
  private static final int MAX_ID = 65_535;

  private final Names names;
  private final Map<Integer, Copies.FieldList> fieldLists = new LinkedHashMap<>();
  private final Map<Integer, Copies.Digest> digests = new LinkedHashMap<>();
  private boolean clones;
  private boolean resubmits;
  private boolean recirculates;
  private boolean truncates;

  CopiesLoader(Names names) {
    this.names = names;
  }

  void loadLists(List<Node> fieldListNodes, List<Node> digestNodes) {
    for (Node node : fieldListNodes) {
      int id = id(node);
      List<Header.Ref> fields = new ArrayList<>();
      for (Copies.Element element : elements(node)) {
        if (element.field() != null) {
          fields.add(element.field());
        }
      }
      if (fieldLists.put(id, new Copies.FieldList(id, node.text("name"), List.copyOf(fields)))
          != null) {
        throw node.invalid("there are two field lists with id " + id);
      }
    }
    for (Node node : digestNodes) {
      int id = id(node);
      if (digests.put(id, digest(node, id)) != null) {
        throw node.invalid("there are two digests with id " + id);
      }
    }
  }

  /** Digests of the same type have one name and are one to the controller. */
  private Copies.Digest digest(Node node, int id) {
    String name = node.text("name");
    List<Copies.Element> elements = elements(node);
    int next = 0;
    for (Copies.Digest other : digests.values()) {
      if (other.name().equals(name) && widths(other.elements()).equals(widths(elements))) {
        return new Copies.Digest(name, id, other.index(), elements);
      }
      next = Math.max(next, other.index() + 1);
    }
    return new Copies.Digest(name, id, next, elements);
  }

  private static List<Integer> widths(List<Copies.Element> elements) {
    return elements.stream().map(Copies.Element::widthBits).toList();
  }

  private static int id(Node node) {
    int id = node.integer("id");
    if (id < 1 || id > MAX_ID) {
      throw node.invalid("id " + id + " must be from 1 to " + MAX_ID);
    }
    return id;
  }

  private List<Copies.Element> elements(Node list) {
    List<Copies.Element> elements = new ArrayList<>();
    for (Node node : list.list("elements")) {
      switch (node.text("type")) {
        case "field":
          Header.Ref ref = names.field(node.get("value"));
          elements.add(new Copies.Element(ref, null, ref.field().widthBits()));
          break;
        case "hexstr":
          int width = node.integer("bitwidth");
          BigInteger value = node.get("value").hex();
          if (width < 1 || value.signum() < 0 || value.bitLength() > width) {
            throw node.invalid("value " + value + " does not fit in " + width + " bits");
          }
          elements.add(new Copies.Element(null, value, width));
          break;
        default:
          throw node.unsupported("'" + node.text("type") + "' in a list of fields");
      }
    }
    return List.copyOf(elements);
  }

  /**
   * A primitive of this kind, or null if it is of another.
   *
   * @param args its arguments
   */
  Primitive primitive(
      Node node, List<Node> args, ExprLoader exprs, List<Program.Parameter> parameters) {
    switch (node.text("op")) {
      case "clone_ingress_pkt_to_egress":
      case "clone_egress_pkt_to_egress":
        ActionLoader.arity(node, args, 2);
        clones = true;
        return new Primitive.Clone(exprs.number(args.get(0), parameters), fieldList(args.get(1)));
      case "resubmit":
        ActionLoader.arity(node, args, 1);
        resubmits = true;
        return new Primitive.Resubmit(fieldList(args.get(0)));
      case "recirculate":
        ActionLoader.arity(node, args, 1);
        recirculates = true;
        return new Primitive.Recirculate(fieldList(args.get(0)));
      case "truncate":
        ActionLoader.arity(node, args, 1);
        truncates = true;
        return new Primitive.Truncate(exprs.number(args.get(0), parameters));
      case "generate_digest":
        ActionLoader.arity(node, args, 2);
        return new Primitive.SendDigest(find(digests, args.get(1), "digest"));
      default:
        return null;
    }
  }

  private Copies.FieldList fieldList(Node node) {
    return find(fieldLists, node, "field list");
  }

  private static <T> T find(Map<Integer, T> all, Node node, String what) {
    Node value = ActionLoader.typed(node, "hexstr");
    BigInteger id = value.hex();
    T found = id.bitLength() > 31 ? null : all.get(id.intValueExact());
    if (found == null) {
      throw value.invalid("there is no " + what + " with id " + id);
    }
    return found;
  }

  /** What was loaded; call it when all of the program has been. */
  Copies finish(Header.Ref multicastGroup) {
    return new Copies(
        List.copyOf(fieldLists.values()),
        List.copyOf(digests.values()),
        clones,
        resubmits,
        recirculates,
        multicastGroup != null && names.written.contains(multicastGroup),
        truncates);
  }
}
