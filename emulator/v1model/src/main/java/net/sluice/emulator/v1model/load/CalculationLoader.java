package net.sluice.emulator.v1model.load;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.v1model.program.Calculation;
import net.sluice.emulator.v1model.program.Header;

/** Loads the calculations of checksums, hashes and selectors. */
final class CalculationLoader {

  private static final int IPV4_CHECKSUM_BITS = 16;
  private static final int IPV4_CHECKSUM_OFFSET_BITS = 80;

  private CalculationLoader() {}

  static void loadAll(SymbolTable names, List<LocatedJson> nodes) {
    for (LocatedJson node : nodes) {
      add(names, node, node.text("name"));
    }
  }

  /** Loads a calculation that has no name in the JSON. */
  static Calculation add(SymbolTable names, LocatedJson node, String name) {
    Calculation calculation =
        new Calculation(name, names.calculations.size(), algorithm(node), inputs(names, node));
    SymbolTable.add(names.calculations, name, calculation, node, "calculation");
    return calculation;
  }

  /**
   * The checksum of an IPv4 header: over all of it, with zeros where the checksum is.
   *
   * @param target the checksum, which must be where IPv4 (RFC 791) has it
   */
  static Calculation addIpv4(SymbolTable names, Header.Ref target, LocatedJson node) {
    boolean fits =
        target.field().widthBits() == IPV4_CHECKSUM_BITS
            && target.field().offsetBits() == IPV4_CHECKSUM_OFFSET_BITS
            && !target.header().metadata();
    if (!fits) {
      throw node.invalid(
          "'" + target.name() + "' is not the 16 bits from bit 80 of a header, as IPv4 has it");
    }
    List<Calculation.Input> inputs = new ArrayList<>();
    for (Header.Field field : target.header().fields()) {
      inputs.add(
          field.equals(target.field())
              ? new Calculation.ConstantInput(BigInteger.ZERO, IPV4_CHECKSUM_BITS)
              : new Calculation.FieldInput(new Header.Ref(target.header(), field)));
    }
    String name = "IPv4 checksum of " + node.text("name");
    Calculation calculation =
        new Calculation(
            name, names.calculations.size(), Calculation.Algorithm.CSUM16, List.copyOf(inputs));
    SymbolTable.add(names.calculations, name, calculation, node, "calculation");
    return calculation;
  }

  private static Calculation.Algorithm algorithm(LocatedJson node) {
    for (Calculation.Algorithm candidate : Calculation.Algorithm.values()) {
      if (candidate.symbol().equals(node.text("algo"))) {
        return candidate;
      }
    }
    throw node.unsupported("hash algorithm '" + node.text("algo") + "'");
  }

  private static List<Calculation.Input> inputs(SymbolTable names, LocatedJson node) {
    List<Calculation.Input> inputs = new ArrayList<>();
    int bits = 0;
    for (LocatedJson input : node.list("input")) {
      if (!inputs.isEmpty() && inputs.get(inputs.size() - 1) instanceof Calculation.PayloadInput) {
        throw input.invalid("nothing may follow the payload");
      }
      switch (input.text("type")) {
        case "field" -> {
          Header.Ref ref = names.anyField(input.get("value"));
          inputs.add(new Calculation.FieldInput(ref));
          bits += ref.field().widthBits();
        }
        case "header" -> {
          if (bits % 8 != 0) {
            throw input.invalid("a header must start on a byte");
          }
          inputs.add(new Calculation.HeaderInput(names.header(input.get("value"))));
        }
        case "hexstr" -> {
          int width = input.integer("bitwidth");
          BigInteger value = input.get("value").hex();
          if (width < 1 || value.signum() < 0 || value.bitLength() > width) {
            throw input.invalid("value " + value + " does not fit in " + width + " bits");
          }
          inputs.add(new Calculation.ConstantInput(value, width));
          bits += width;
        }
        case "payload" -> inputs.add(new Calculation.PayloadInput());
        default -> throw input.unsupported("calculation over a '" + input.text("type") + "'");
      }
    }
    return List.copyOf(inputs);
  }
}
