package net.sluice.pipeconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading;
import net.sluice.pipeconf.p4info.SluiceProgram;
import net.sluice.pipeconf.p4info.V1ModelProgram;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.Update;

/** Counter requests and what their answers mean. */
class CounterCodecTest {
  private static final SluiceProgram PROGRAM = V1ModelProgram.DESCRIPTOR;
  private static final CounterCodec CODEC = V1ModelPipeline.load().counters();

  @Test
  void downComesBeforeUp() {
    assertThat(CODEC.cell(0, Direction.DOWN)).isZero();
    assertThat(CODEC.cell(0, Direction.UP)).isEqualTo(1);
    assertThat(CODEC.cell(5, Direction.DOWN)).isEqualTo(10);
    assertThat(CODEC.cell(0xfffff, Direction.UP)).isEqualTo(0x1fffff);
  }

  @Test
  void unknownSubscribersAreRefused() {
    assertThatThrownBy(() -> CODEC.read(Point.IN, 1 << 20, Direction.UP))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("subscriber index is 1048576; allowed: 0 to 1048575");
    assertThatThrownBy(() -> CODEC.cell(-1, Direction.UP))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("subscriber index is -1; allowed: 0 to 1048575");
  }

  @Test
  void readingAllNamesTheCounterOnly() {
    assertThat(CODEC.readAll(Point.IN).getCounterEntry())
        .isEqualTo(CounterEntry.newBuilder().setCounterId(PROGRAM.subscriberIn().id()).build());
    assertThat(CODEC.readAll(Point.OUT).getCounterEntry())
        .isEqualTo(CounterEntry.newBuilder().setCounterId(PROGRAM.subscriberOut().id()).build());
    assertThat(CODEC.readDrops().getCounterEntry())
        .isEqualTo(CounterEntry.newBuilder().setCounterId(PROGRAM.dropped().id()).build());
  }

  @Test
  void cellZeroIsAskedForByItsNumberAndNotAsAll() {
    assertThat(CODEC.read(Point.IN, 0, Direction.DOWN).getCounterEntry().hasIndex()).isTrue();
  }

  @Test
  void clearingSetsOneCellToZero() {
    Update clear = CODEC.clear(Point.OUT, 7, Direction.UP);

    assertThat(clear.getType()).isEqualTo(Update.Type.MODIFY);
    assertThat(clear.getEntity().getCounterEntry().getIndex().getIndex()).isEqualTo(15);
    assertThat(clear.getEntity().getCounterEntry().hasData()).isTrue();
    assertThat(CODEC.decode(clear.getEntity().getCounterEntry()))
        .isEqualTo(new Reading.OfSubscriber(Point.OUT, 7, Direction.UP, 0, 0));
  }

  @Property(tries = 500, seed = "1")
  void answersAreReadBack(
      @ForAll Point point,
      @ForAll @IntRange(min = 0, max = 0xfffff) int subscriber,
      @ForAll Direction direction,
      @ForAll @LongRange(min = 0) long packets,
      @ForAll @LongRange(min = 0) long bytes) {
    CounterEntry answer =
        CODEC.read(point, subscriber, direction).getCounterEntry().toBuilder()
            .setData(CounterData.newBuilder().setPacketCount(packets).setByteCount(bytes))
            .build();

    assertThat(CODEC.decode(answer))
        .isEqualTo(new Reading.OfSubscriber(point, subscriber, direction, packets, bytes));
  }

  @Test
  void dropsAreNamedAndOtherCellsAreNot() {
    for (DropReason reason : DropReason.values()) {
      assertThat(CODEC.decode(cell(PROGRAM.dropped().id(), reason.code())))
          .isEqualTo(new Reading.OfDrops(reason, 3, 4));
    }
    assertOther(PROGRAM.dropped().id(), 0);
    assertOther(PROGRAM.dropped().id(), 8);
    assertOther(PROGRAM.subscriberIn().id(), 1 << 21);
    assertOther(PROGRAM.subscriberOut().id(), -1);
    assertOther(1, 0);
  }

  private static void assertOther(int counter, long index) {
    assertThat(CODEC.decode(cell(counter, index))).isEqualTo(new Reading.Other(counter, index));
  }

  private static CounterEntry cell(int counter, long index) {
    return CounterEntry.newBuilder()
        .setCounterId(counter)
        .setIndex(Index.newBuilder().setIndex(index))
        .setData(CounterData.newBuilder().setPacketCount(3).setByteCount(4))
        .build();
  }
}
