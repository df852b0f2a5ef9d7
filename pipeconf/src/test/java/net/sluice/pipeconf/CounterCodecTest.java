package net.sluice.pipeconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading;
import net.sluice.pipeconf.p4info.SluiceProgram;
import net.sluice.pipeconf.p4info.TnaProgram;
import net.sluice.pipeconf.p4info.V1ModelProgram;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.Update;

/** Counter requests and what their answers mean. */
class CounterCodecTest {
  private static final SluiceProgram PROGRAM = V1ModelProgram.DESCRIPTOR;
  private static final CounterCodec CODEC = CompiledProgram.V1MODEL.counters();
  private static final CounterCodec TNA = CompiledProgram.TNA.counters();

  @Test
  void downComesBeforeUp() {
    assertThat(cell(0, Direction.DOWN)).isZero();
    assertThat(cell(0, Direction.UP)).isEqualTo(1);
    assertThat(cell(5, Direction.DOWN)).isEqualTo(10);
    assertThat(cell(0xfffff, Direction.UP)).isEqualTo(0x1fffff);
  }

  private static long cell(int subscriber, Direction direction) {
    return CODEC.read(Point.IN, subscriber, direction).getCounterEntry().getIndex().getIndex();
  }

  @Test
  void allCellsOfAPointAreReadWithItsCounterAndPassedOnAsTheyAreDecoded() {
    for (CounterCodec codec : List.of(CODEC, TNA)) {
      for (Point point : codec.points()) {
        List<Integer> counters =
            codec.readAll(Set.of(point)).stream()
                .map(entity -> entity.getCounterEntry().getCounterId())
                .toList();
        for (Direction direction : Direction.values()) {
          CounterEntry cell = codec.read(point, 777, direction).getCounterEntry();
          assertThat(counters).contains(cell.getCounterId());
          List<Object> told = new ArrayList<>();
          CounterSink sink =
              (at, way, index, packets, bytes) ->
                  told.add(new Reading.OfSubscriber(at, index, way, packets, bytes));
          codec.pass(cell.getCounterId(), cell.getIndex().getIndex(), 3, 4, sink);
          assertThat(told).containsExactly(new Reading.OfSubscriber(point, 777, direction, 3, 4));
          codec.pass(cell.getCounterId(), -1, 3, 4, sink);
          codec.pass(0, 1, 3, 4, sink);
          assertThat(told).hasSize(1);
        }
      }
    }
    assertThat(CODEC.readAll(CODEC.points())).hasSize(6);
    assertThat(CODEC.cells(CODEC.points())).isEqualTo(26L << 20);
    assertThat(CODEC.readAll(Set.of(Point.LIMIT_FIRST, Point.LIMIT_DROPPED))).hasSize(1);
  }

  /** The numbers of {@code delay.p4}. */
  @Test
  void whatAShapedLimitDoesIsInEightCellsOfADirection() {
    int limit = PROGRAM.limitEvents().id();
    assertThat(
            Stream.of(
                    Point.WAITED_UP_TO_1_MILLI,
                    Point.WAITED_UP_TO_5_MILLIS,
                    Point.WAITED_UP_TO_20_MILLIS,
                    Point.WAITED_UP_TO_100_MILLIS,
                    Point.WAITED_LONGER,
                    Point.LIMIT_DROPPED,
                    Point.LIMIT_MARKED,
                    Point.LIMIT_FIRST)
                .map(point -> CODEC.read(point, 5, Direction.UP).getCounterEntry()))
        .containsExactlyElementsOf(
            IntStream.range(88, 96).mapToObj(cell -> at(limit, cell)).toList());
    assertThat(CODEC.read(Point.LIMIT_FIRST, 0xfffff, Direction.UP).getCounterEntry())
        .isEqualTo(at(limit, (1 << 24) - 1));
    assertThat(CODEC.decode(cell(limit, 80)))
        .isEqualTo(new Reading.OfSubscriber(Point.WAITED_UP_TO_1_MILLI, 5, Direction.DOWN, 3, 4));
    assertOther(limit, 1 << 24);
    assertOther(limit, -1);
  }

  @Test
  void waitsAreInOneRangeAndTheRangesAreCounted() {
    assertThat(WaitRange.values())
        .extracting(WaitRange::upToMillis)
        .containsExactly(
            OptionalInt.of(1),
            OptionalInt.of(5),
            OptionalInt.of(20),
            OptionalInt.of(100),
            OptionalInt.empty());
    assertThat(WaitRange.values())
        .extracting(range -> CODEC.read(range.point(), 0, Direction.DOWN).getCounterEntry())
        .extracting(entry -> entry.getIndex().getIndex())
        .containsExactly(0L, 1L, 2L, 3L, 4L);
  }

  @Test
  void unknownSubscribersAreRefused() {
    assertThatThrownBy(() -> CODEC.read(Point.IN, 1 << 20, Direction.UP))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("subscriber index is 1048576; allowed: 0 to 1048575");
    assertThatThrownBy(() -> CODEC.clear(-1))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("subscriber index is -1; allowed: 0 to 1048575");
    assertThatThrownBy(() -> TNA.read(0)).hasMessage("subscriber index is 0; allowed: 1 to 125440");
    assertThatThrownBy(() -> TNA.read(Point.IN, 1, Direction.UP))
        .hasMessage("point is IN; allowed: OUT: the program counts there");
  }

  @Test
  void dropsAreReadByTheCounterOnly() {
    assertThat(CODEC.readDrops().getCounterEntry())
        .isEqualTo(CounterEntry.newBuilder().setCounterId(PROGRAM.dropped().id()).build());
  }

  @Test
  void cellZeroIsAskedForByItsNumberAndNotAsAll() {
    assertThat(CODEC.read(Point.IN, 0, Direction.DOWN).getCounterEntry().hasIndex()).isTrue();
  }

  @Test
  void clearingSetsAllCellsOfASubscriberToZero() {
    List<Update> clear = new ArrayList<>(CODEC.clear(7));
    for (Direction direction : Direction.values()) {
      clear.addAll(
          CODEC.clear(new SubscriberLimitEntry(7, direction, new Attachment(0, 1), 249), false));
    }

    assertThat(clear).allMatch(update -> update.getType() == Update.Type.MODIFY);
    assertThat(clear).allMatch(update -> update.getEntity().getCounterEntry().hasData());
    assertThat(clear)
        .extracting(update -> CODEC.decode(update.getEntity().getCounterEntry()))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Point.values())
                .flatMap(
                    point ->
                        Arrays.stream(Direction.values())
                            .map(
                                direction ->
                                    (Reading) new Reading.OfSubscriber(point, 7, direction, 0, 0)))
                .toList());
    assertThat(CODEC.clear(7)).as("without a shaped limit").hasSize(8);
    assertThat(TNA.clear(7))
        .extracting(update -> TNA.decode(update.getEntity().getCounterEntry()))
        .containsExactly(
            new Reading.OfSubscriber(Point.OUT, 7, Direction.DOWN, 0, 0),
            new Reading.OfSubscriber(Point.OUT, 7, Direction.UP, 0, 0));
  }

  @Test
  void onTofinoEachInstanceHasCountersOfItsOwn() {
    assertThat(TNA.read(17_921))
        .extracting(Entity::getCounterEntry)
        .containsExactly(
            at(TnaProgram.DESCRIPTOR.down().get(1).id(), 0),
            at(TnaProgram.DESCRIPTOR.up().get(1).id(), 0));
    assertThat(TNA.read(125_440))
        .extracting(Entity::getCounterEntry)
        .containsExactly(
            at(TnaProgram.DESCRIPTOR.down().get(6).id(), 17_919),
            at(TnaProgram.DESCRIPTOR.up().get(6).id(), 17_919));
    assertThat(TNA.readQueue(1, 0)).isEmpty();
    int dropped = TnaProgram.DESCRIPTOR.dropped().id();
    assertThat(TNA.decode(cell(dropped, DropReason.NO_ROUTE.code())))
        .isEqualTo(new Reading.OfDrops(DropReason.NO_ROUTE, 3, 4));
    int down = TnaProgram.DESCRIPTOR.down().get(0).id();
    assertThat(TNA.decode(cell(down, 17_920))).isEqualTo(new Reading.Other(down, 17_920));
  }

  private static CounterEntry at(int counter, long index) {
    return cell(counter, index).toBuilder().clearData().build();
  }

  @Property(tries = 500, seed = "1")
  void answersOfTofinoAreReadBack(
      @ForAll @IntRange(min = 1, max = 125_440) int subscriber, @ForAll Direction direction) {
    assertThat(TNA.decode(TNA.read(Point.OUT, subscriber, direction).getCounterEntry()))
        .isEqualTo(new Reading.OfSubscriber(Point.OUT, subscriber, direction, 0, 0));
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
    assertOther(PROGRAM.dropped().id(), 15);
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
