package net.sluice.emulator.server.p4runtime.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.math.BigInteger;
import java.util.Random;
import net.sluice.emulator.server.p4runtime.LoadedSwitch;
import net.sluice.emulator.v1model.table.MeterCells;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** Meters with one rate, which P4Info or an annotation in the P4 source asks for. */
class SingleRateMetersTest {

  private static final int THREE_COLOURS = 1;
  private static final int TWO_COLOURS = 2;

  private static LoadedSwitch typed(int type) {
    return new LoadedSwitch("meters", info -> setType(info, type));
  }

  private static void setType(P4Info.Builder info, int type) {
    info.getMetersBuilderList().forEach(m -> m.getSpecBuilder().setTypeValue(type));
    info.getDirectMetersBuilderList().forEach(m -> m.getSpecBuilder().setTypeValue(type));
  }

  private static Entity cell(LoadedSwitch device, int index, String config, long excessBurst) {
    Entity.Builder entity =
        device
            .entity(
                "meter_entry { meter_id: $In.cells index { index: %s } config { %s } }"
                    .formatted(index, config))
            .toBuilder();
    if (excessBurst != 0) {
      MeterConfig.Builder given = entity.getMeterEntryBuilder().getConfigBuilder();
      given.setEburst(excessBurst);
    }
    return entity.build();
  }

  private static int colour(LoadedSwitch device, long micros, int cell) {
    return device.send(micros, cell, 0, 0, 0)[2];
  }

  @Test
  void threeColoursComeFromOneRateAndTwoBursts() {
    LoadedSwitch device = typed(THREE_COLOURS);
    // Packets have 4 bytes: two of them fit into the one bucket, one into the other.
    Entity written = cell(device, 1, "cir: 4 cburst: 8 pir: 4 pburst: 8", 4);
    assertThat(device.write(Type.MODIFY, written)).isEqualTo("done");
    assertThat(device.read("meter_entry { meter_id: $In.cells index { index: 1 } }"))
        .containsExactly(written);
    assertThat(colour(device, 0, 1)).isEqualTo(MeterCells.GREEN);
    assertThat(colour(device, 0, 1)).isEqualTo(MeterCells.GREEN);
    assertThat(colour(device, 0, 1)).isEqualTo(MeterCells.YELLOW);
    assertThat(colour(device, 0, 1)).isEqualTo(MeterCells.RED);
    // A second brings one packet, for the committed bucket first.
    assertThat(colour(device, 1_000_000, 1)).isEqualTo(MeterCells.GREEN);
    assertThat(colour(device, 1_000_000, 1)).isEqualTo(MeterCells.RED);
    // Three seconds fill that one, and the other with what is left.
    assertThat(colour(device, 4_000_000, 1)).isEqualTo(MeterCells.GREEN);
    assertThat(colour(device, 4_000_000, 1)).isEqualTo(MeterCells.GREEN);
    assertThat(colour(device, 4_000_000, 1)).isEqualTo(MeterCells.YELLOW);
    assertThat(colour(device, 4_000_000, 1)).isEqualTo(MeterCells.RED);
  }

  @Test
  void twoColoursHaveNoYellow() {
    LoadedSwitch device = typed(TWO_COLOURS);
    assertThat(device.write(Type.MODIFY, cell(device, 1, "cir: 4 cburst: 4 pir: 4 pburst: 4", 0)))
        .isEqualTo("done");
    assertThat(colour(device, 0, 1)).isEqualTo(MeterCells.GREEN);
    assertThat(colour(device, 0, 1)).isEqualTo(MeterCells.RED);
    assertThat(colour(device, 1_000_000, 1)).isEqualTo(MeterCells.GREEN);
  }

  @Test
  void anAnnotationOfTheSourceCountsToo() {
    LoadedSwitch device =
        new LoadedSwitch(
            "meters",
            info ->
                info.getMetersBuilder(0)
                    .getPreambleBuilder()
                    .addAnnotations("@single_rate_three_color"));
    assertThat(device.write(Type.MODIFY, cell(device, 1, "cir: 1 cburst: 2 pir: 1 pburst: 2", 3)))
        .isEqualTo("done");
  }

  @Test
  void refusalsNameWhatMustBeEqual() {
    LoadedSwitch three = typed(THREE_COLOURS);
    assertThat(three.write(Type.MODIFY, cell(three, 1, "cir: 4 cburst: 8 pir: 5 pburst: 8", 4)))
        .isEqualTo(
            "INVALID_ARGUMENT: meter 'In.cells': pir 5 and pburst 8 must be cir 4 and cburst 8; the"
                + " meter is SINGLE_RATE_THREE_COLOR");
    assertThat(three.write(Type.MODIFY, cell(three, 1, "cir: 4 cburst: 8 pir: 4 pburst: 8", -1)))
        .isEqualTo("INVALID_ARGUMENT: meter 'In.cells': eburst -1 must be from 0 to 9223372036854");
    LoadedSwitch two = typed(TWO_COLOURS);
    assertThat(two.write(Type.MODIFY, cell(two, 1, "cir: 4 cburst: 8 pir: 4 pburst: 9", 0)))
        .isEqualTo(
            "INVALID_ARGUMENT: meter 'In.cells': pir 4 and pburst 9 must be cir 4 and cburst 8; the"
                + " meter is SINGLE_RATE_TWO_COLOR");
    assertThat(two.write(Type.MODIFY, cell(two, 1, "cir: 4 cburst: 8 pir: 4 pburst: 8", 1)))
        .isEqualTo(
            "INVALID_ARGUMENT: meter 'In.cells': eburst 1 must be unset; the meter has two"
                + " colours");
    String direct =
        "table_entry { table_id: $In.keys match { field_id: 1 exact { value: 'K' } } action {"
            + " action { action_id: $In.go } } meter_config { cir: 1 cburst: 1 pir: 2 pburst: 1 }"
            + " }";
    assertThat(three.write(Type.INSERT, direct))
        .isEqualTo(
            "INVALID_ARGUMENT: meter_config of table 'In.keys': pir 2 and pburst 1 must be cir 1"
                + " and cburst 1; the meter is SINGLE_RATE_THREE_COLOR");
    assertThat(catchThrowable(() -> typed(3)).getCause())
        .hasMessageContaining(
            "is of type 3 in P4Info; it must be one of [TWO_RATE_THREE_COLOR,"
                + " SINGLE_RATE_THREE_COLOR, SINGLE_RATE_TWO_COLOR]");
  }

  /**
   * RFC 2697, section 3, with numbers of any size and a bucket that is filled by the microsecond.
   */
  private static final class Model {
    private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);
    private final BigInteger rate;
    private final BigInteger committed;
    private final BigInteger excess;
    private BigInteger committedTokens;
    private BigInteger excessTokens;
    private long last;

    Model(long rate, long committed, long excess) {
      this.rate = BigInteger.valueOf(rate);
      this.committed = BigInteger.valueOf(committed).multiply(MILLION);
      this.excess = BigInteger.valueOf(excess).multiply(MILLION);
      committedTokens = this.committed;
      excessTokens = this.excess;
    }

    int colour(int length, long micros) {
      BigInteger gained = rate.multiply(BigInteger.valueOf(micros - last));
      last = micros;
      BigInteger first = gained.min(committed.subtract(committedTokens));
      committedTokens = committedTokens.add(first);
      excessTokens = excessTokens.add(gained.subtract(first)).min(excess);
      BigInteger needed = BigInteger.valueOf(length).multiply(MILLION);
      if (committedTokens.compareTo(needed) >= 0) {
        committedTokens = committedTokens.subtract(needed);
        return MeterCells.GREEN;
      }
      if (excessTokens.compareTo(needed) >= 0) {
        excessTokens = excessTokens.subtract(needed);
        return MeterCells.YELLOW;
      }
      return MeterCells.RED;
    }
  }

  @Test
  void anySequenceIsMarkedAsTheRfcSays() {
    Random random = new Random(1);
    int[] met = new int[3];
    for (int run = 0; run < 500; run++) {
      // Some meters have the largest values that there are.
      long largest = run % 3 == 0 ? MeterCells.MAX : 3_000;
      long rate = random.nextLong(largest + 1);
      long committed = random.nextLong(largest + 1);
      long excess = random.nextLong(largest + 1);
      MeterCells cells = new MeterCells("m", 1, true);
      cells.setKind(MeterCells.Kind.SINGLE_RATE_THREE_COLOR);
      cells.configureSingleRate(0, rate, committed, excess);
      Model model = new Model(rate, committed, excess);
      long now = 0;
      for (int i = 0; i < 100; i++) {
        now += random.nextLong(1L << random.nextInt(1, 45));
        int length = random.nextInt(1, run % 3 == 0 ? Integer.MAX_VALUE : 1_500);
        int expected = model.colour(length, i == 0 ? now = 0 : now);
        assertThat(cells.execute(0, length, now))
            .as("packet %s of run %s", i, run)
            .isEqualTo(expected);
        met[expected]++;
      }
    }
    assertThat(met).doesNotContain(0);
  }
}
