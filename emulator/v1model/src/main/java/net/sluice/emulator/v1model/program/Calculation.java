package net.sluice.emulator.v1model.program;

import java.math.BigInteger;
import java.util.List;

/**
 * A checksum or hash over a list of inputs, concatenated bit by bit; inputs of invalid headers are
 * left out.
 *
 * @param name P4 name
 * @param index position among the program's calculations
 */
public record Calculation(String name, int index, Algorithm algorithm, List<Input> inputs) {

  /** The algorithms, by the name bmv2 gives them. */
  public enum Algorithm {
    CRC16("crc16"),
    CRC32("crc32"),
    CRC_CCITT("crcCCITT"),
    CSUM16("csum16"),
    CKSUM16("cksum16"),
    XOR16("xor16"),
    XOR32("xor32"),
    IDENTITY("identity"),
    CRC8_CUSTOM("crc8_custom"),
    CRC16_CUSTOM("crc16_custom"),
    CRC32_CUSTOM("crc32_custom"),
    CRC64_CUSTOM("crc64_custom"),
    XXH64("xxh64"),
    TOEPLITZ("toeplitz"),
    BMV2_HASH("bmv2_hash"),
    HASH_EX("hash_ex"),
    ROUND_ROBIN("round_robin"),
    ROUND_ROBIN_CONSISTENT("round_robin_consistent");

    private final String symbol;

    Algorithm(String symbol) {
      this.symbol = symbol;
    }

    /** bmv2's name. */
    public String symbol() {
      return symbol;
    }
  }

  /** An input. */
  public sealed interface Input {}

  /** A field. */
  public record FieldInput(Header.Ref ref) implements Input {}

  /** A whole header, which must start on a byte. */
  public record HeaderInput(Header header) implements Input {}

  /** A constant of a width. */
  public record ConstantInput(BigInteger value, int widthBits) implements Input {}

  /** The payload: everything behind the extracted headers; only as the last input. */
  public record PayloadInput() implements Input {}

  /**
   * A checksum field that is verified behind the parser, or updated in front of the deparser, or
   * both.
   *
   * @param condition when to, or null for always
   */
  public record Checksum(
      String name,
      Header.Ref target,
      Calculation calculation,
      Expr condition,
      boolean verify,
      boolean update) {}
}
