package net.sluice.emulator.bmv2.program;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Loads checksums' and hashes' calculations, those of selectors too. */
final class CalculationLoader {

  private CalculationLoader() {}

  static void loadAll(Names names, List<Node> nodes) {
    for (Node node : nodes) {
      add(names, node, node.text("name"));
    }
  }

  /** Loads a calculation under a name of its own. */
  static Calculation add(Names names, Node node, String name) {
    Calculation calculation =
        new Calculation(name, names.calculations.size(), algorithm(node), inputs(names, node));
    Names.add(names.calculations, name, calculation, node, "calculation");
    return calculation;
  }

  private static Calculation.Algorithm algorithm(Node node) {
    for (Calculation.Algorithm candidate : Calculation.Algorithm.values()) {
      if (candidate.symbol().equals(node.text("algo"))) {
        return candidate;
      }
    }
    throw node.unsupported("hash algorithm '" + node.text("algo") + "'");
  }

  private static List<Calculation.Input> inputs(Names names, Node node) {
    List<Calculation.Input> inputs = new ArrayList<>();
    int bits = 0;
    for (Node input : node.list("input")) {
      if (!inputs.isEmpty() && inputs.get(inputs.size() - 1) instanceof Calculation.PayloadInput) {
        throw input.invalid("nothing may follow the payload");
      }
      switch (input.text("type")) {
        case "field":
          Header.Ref ref = names.anyField(input.get("value"));
          inputs.add(new Calculation.FieldInput(ref));
          bits += ref.field().widthBits();
          break;
        case "header":
          if (bits % 8 != 0) {
            throw input.invalid("a header must start on a byte");
          }
          inputs.add(new Calculation.HeaderInput(names.header(input.get("value"))));
          break;
        case "hexstr":
          int width = input.integer("bitwidth");
          BigInteger value = input.get("value").hex();
          if (width < 1 || value.signum() < 0 || value.bitLength() > width) {
            throw input.invalid("value " + value + " does not fit in " + width + " bits");
          }
          inputs.add(new Calculation.ConstantInput(value, width));
          bits += width;
          break;
        case "payload":
          inputs.add(new Calculation.PayloadInput());
          break;
        default:
          throw input.unsupported("calculation over a '" + input.text("type") + "'");
      }
    }
    return List.copyOf(inputs);
  }
}
