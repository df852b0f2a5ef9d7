package net.sluice.emulator.v1model;

import static net.sluice.emulator.v1model.TestProgram.exact;
import static net.sluice.emulator.v1model.TestProgram.pair;
import static net.sluice.emulator.v1model.TestProgram.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.List;
import net.sluice.emulator.v1model.table.MatchTable;
import org.junit.jupiter.api.Test;

/** Every kind of table from the packet's side, on the program {@code constructs}. */
class LookupTest {

  private final TestProgram program = TestProgram.load("constructs");

  private long result(Probe probe) {
    return Probe.get(program.send(probe.bytes()), "result").longValue();
  }

  @Test
  void exactWithActionDataAndDirectCounter() {
    int slot =
        program.insert(
            "In.exact_table",
            List.of(exact(7), exact(0x1234)),
            0,
            "In.answer",
            0x1122334455667788L);
    int wide =
        program.insert(
            "In.exact_table", List.of(exact(8), exact(0x1234)), 0, "In.answer_wide", 0x99, 0x55);
    Probe probe = Probe.op(1).with("small", 7).with("medium", 0x1234);
    assertThat(result(probe)).isEqualTo(0x1122334455667788L);
    assertThat(result(probe)).isEqualTo(0x1122334455667788L);
    byte[] sent = program.send(Probe.op(1).with("small", 8).with("medium", 0x1234).bytes());
    assertThat(Probe.get(sent, "wide")).isEqualTo(BigInteger.valueOf(0x99));
    assertThat(Probe.number(sent, "result")).isEqualTo(0x55);
    assertThat(result(Probe.op(1).with("small", 7).with("medium", 1).with("result", 3)))
        .isEqualTo(3);
    MatchTable table = program.table("In.exact_table");
    assertThat(table.counters[2 * slot]).isEqualTo(2);
    assertThat(table.counters[2 * slot + 1]).isEqualTo(2L * probe.bytes().length);
    assertThat(table.counters[2 * wide]).isEqualTo(1);
    // A miss counts nothing.
    assertThat(table.counters[0]).isZero();
  }

  @Test
  void exactOnMoreThanTwoWords() {
    program.insert(
        "In.exact_wide",
        List.of(exact("0123456789abcdef0123456789abcdef"), exact(9)),
        0,
        "In.answer",
        77);
    BigInteger wide = new BigInteger("0123456789abcdef0123456789abcdef", 16);
    assertThat(result(Probe.op(2).with("wide", wide).with("word", 9))).isEqualTo(77);
    assertThat(result(Probe.op(2).with("wide", wide).with("word", 8))).isEqualTo(5);
    assertThat(result(Probe.op(2).with("wide", wide.flipBit(127)).with("word", 9))).isEqualTo(5);
  }

  @Test
  void longestPrefixWins() {
    program.insert("In.lpm_table", List.of(prefix("0a000000", 8)), 0, "In.answer", 8);
    program.insert("In.lpm_table", List.of(prefix("0a010000", 16)), 0, "In.answer", 16);
    program.insert("In.lpm_table", List.of(prefix("0a010203", 32)), 0, "In.drop");
    program.insert("In.lpm_table", List.of(prefix("0", 0)), 0, "In.answer", 1);
    assertThat(result(Probe.op(3).with("word", 0x0a020203))).isEqualTo(8);
    assertThat(result(Probe.op(3).with("word", 0x0a010204))).isEqualTo(16);
    assertThat(program.send(Probe.op(3).with("word", 0x0a010203).bytes())).isNull();
    assertThat(result(Probe.op(3).with("word", 0x0b000000))).isEqualTo(1);
  }

  @Test
  void longestPrefixBesideAnExactField() {
    program.insert(
        "In.lpm_wide",
        List.of(prefix("20010db8000000000000000000000000", 32), exact(1)),
        0,
        "In.answer",
        32);
    program.insert(
        "In.lpm_wide",
        List.of(prefix("20010db8000100000000000000000000", 48), exact(2)),
        0,
        "In.answer",
        48);
    BigInteger address = new BigInteger("20010db8000100000000000000000001", 16);
    assertThat(result(Probe.op(4).with("wide", address).with("small", 1))).isEqualTo(32);
    assertThat(result(Probe.op(4).with("wide", address).with("small", 2))).isEqualTo(48);
    assertThat(result(Probe.op(4).with("wide", address).with("small", 3))).isZero();
  }

  @Test
  void highestPriorityWins() {
    program.insert(
        "In.ternary_table", List.of(pair(0, 0), pair(0, 0), exact(0)), 1, "In.answer", 1);
    program.insert(
        "In.ternary_table", List.of(pair(0x1200, 0xff00), pair(0, 0), exact(0)), 5, "In.answer", 5);
    program.insert(
        "In.ternary_table",
        List.of(pair(0x34, 0xff), pair(7, 0xffff), exact(0)),
        3,
        "In.answer",
        3);
    program.insert(
        "In.ternary_table",
        List.of(pair(0x34, 0xff), pair(7, 0xffff), exact(0)),
        9,
        "In.answer",
        9);
    program.insert(
        "In.ternary_table", List.of(pair(0, 0), pair(0, 0), exact(1)), 99, "In.answer", 99);
    assertThat(result(Probe.op(5).with("word", 0x9999))).isEqualTo(1);
    assertThat(result(Probe.op(5).with("word", 0x1299))).isEqualTo(5);
    assertThat(result(Probe.op(5).with("word", 0x1234))).isEqualTo(5);
    assertThat(result(Probe.op(5).with("word", 0x1234).with("medium", 7))).isEqualTo(9);
  }

  @Test
  void optionalIsAllOrNothing() {
    program.insert("In.optional_table", List.of(exact(5), pair(0, 0)), 1, "In.answer", 1);
    program.insert("In.optional_table", List.of(exact(5), exact(6)), 2, "In.answer", 2);
    assertThat(result(Probe.op(6).with("word", 5))).isEqualTo(1);
    assertThat(result(Probe.op(6).with("word", 5).with("small", 6))).isEqualTo(2);
    assertThat(result(Probe.op(6).with("word", 4))).isZero();
  }

  @Test
  void rangesIncludeBothEnds() {
    program.insert("In.range_table", List.of(pair(0, 9)), 1, "In.answer", 1);
    program.insert("In.range_table", List.of(pair(10, 19)), 1, "In.answer", 2);
    program.insert("In.range_table", List.of(pair(0x80000000L, 0xffffffffL)), 1, "In.answer", 3);
    assertThat(result(Probe.op(7).with("word", 0))).isEqualTo(1);
    assertThat(result(Probe.op(7).with("word", 9))).isEqualTo(1);
    assertThat(result(Probe.op(7).with("word", 10))).isEqualTo(2);
    assertThat(result(Probe.op(7).with("word", 19))).isEqualTo(2);
    assertThat(result(Probe.op(7).with("word", 20))).isZero();
    assertThat(result(Probe.op(7).with("word", 0xffffffffL))).isEqualTo(3);
    program.insert("In.range_table", List.of(pair(5, 12)), 7, "In.answer", 7);
    assertThat(result(Probe.op(7).with("word", 9))).isEqualTo(7);
    assertThat(result(Probe.op(7).with("word", 13))).isEqualTo(2);
  }

  @Test
  void rangesBesideOtherFields() {
    program.insert(
        "In.range_mixed", List.of(pair(10, 20), exact(1), pair(0, 0)), 1, "In.answer", 1);
    program.insert(
        "In.range_mixed", List.of(pair(15, 30), exact(1), pair(0x10, 0xf0)), 2, "In.answer", 2);
    assertThat(result(Probe.op(8).with("word", 17).with("small", 1))).isEqualTo(1);
    assertThat(result(Probe.op(8).with("word", 17).with("small", 1).with("medium", 0x1f)))
        .isEqualTo(2);
    assertThat(result(Probe.op(8).with("word", 25).with("small", 1).with("medium", 0x2f))).isZero();
    assertThat(result(Probe.op(8).with("word", 17).with("small", 2))).isZero();
  }

  @Test
  void declaredEntriesAreThereInTheirOrder() {
    assertThat(result(Probe.op(9).with("word", 0x12))).isEqualTo(1);
    assertThat(result(Probe.op(9).with("word", 0x1f))).isEqualTo(1);
    assertThat(result(Probe.op(9).with("word", 0x2f))).isEqualTo(3);
    assertThat(program.table("In.constant_table").size()).isEqualTo(3);
    assertThat(program.table("In.constant_table").isConst(1)).isTrue();
  }
}
