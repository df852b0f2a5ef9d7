package net.sluice.pipeconf;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.p4info.CounterDescriptor;

/** In which cells of which counters a program counts subscribers. */
interface SubscriberCells {
  /** A cell of a counter. */
  record Cell(int counterId, int index) {}

  /** The subject of a cell. */
  record Subject(Point point, int index, Direction direction) {}

  /** Where it counts. */
  Set<Point> points();

  /**
   * Where something is counted.
   *
   * @throws InvalidValueException if it is not
   */
  Cell cell(Subject subject);

  /** The subject of a cell; empty if it counts for no subscriber. */
  Optional<Subject> subject(int counterId, long cell);

  /** The counters that have cells of these points. */
  Set<CounterDescriptor> counters(Set<Point> of);

  /** Passes a cell on if it counts for a subscriber. */
  default void pass(int counterId, long cell, long packets, long bytes, CounterSink sink) {
    subject(counterId, cell)
        .ifPresent(of -> sink.count(of.point(), of.direction(), of.index(), packets, bytes));
  }

  /**
   * The points that have cells in a counter.
   *
   * @param eventBits the cells of a direction as a power of two
   * @param points by event
   */
  record Place(int counterId, int size, int eventBits, Point[] points) {
    void pass(long cell, long packets, long bytes, CounterSink sink) {
      int directed = (int) (cell >>> eventBits);
      sink.count(
          points[(int) cell & (1 << eventBits) - 1],
          (directed & 1) == Direction.DOWN.code() ? Direction.DOWN : Direction.UP,
          directed >>> 1,
          packets,
          bytes);
    }
  }

  /**
   * The cells of a point in a counter.
   *
   * @param counter has as many cells for each direction of a subscriber, down before up
   * @param eventBits the cells of a direction as a power of two
   * @param event which of these is the point's
   */
  record Column(CounterDescriptor counter, int eventBits, int event) {
    private int subscribers() {
      return counter.size() >>> (eventBits + 1);
    }

    private int index(Subject subject) {
      return (subject.index() << 1 | subject.direction().code()) << eventBits | event;
    }

    private boolean has(int counterId, long cell) {
      return counterId == counter.id()
          && cell >= 0
          && cell < counter.size()
          && (cell & (1 << eventBits) - 1) == event;
    }

    private Subject subject(Point point, long cell) {
      int directed = (int) (cell >>> eventBits);
      boolean down = (directed & 1) == Direction.DOWN.code();
      return new Subject(point, directed >>> 1, down ? Direction.DOWN : Direction.UP);
    }
  }

  /** The counted events of a shaped limit, in the order of their cells in {@code delay.p4}. */
  List<Point> LIMIT_EVENTS =
      List.of(
          Point.WAITED_UP_TO_1_MILLI,
          Point.WAITED_UP_TO_5_MILLIS,
          Point.WAITED_UP_TO_20_MILLIS,
          Point.WAITED_UP_TO_100_MILLIS,
          Point.WAITED_LONGER,
          Point.LIMIT_DROPPED,
          Point.LIMIT_MARKED,
          Point.LIMIT_FIRST);

  /**
   * Counters with cells for each direction of a subscriber.
   *
   * @param single those with one cell, each of its point
   * @param limitEvents one with a cell for each of {@link #LIMIT_EVENTS}
   */
  static SubscriberCells paired(
      Map<Point, CounterDescriptor> single, CounterDescriptor limitEvents) {
    Map<Point, Column> columns = new EnumMap<>(Point.class);
    single.forEach((point, counter) -> columns.put(point, new Column(counter, 0, 0)));
    int eventBits = Integer.numberOfTrailingZeros(LIMIT_EVENTS.size());
    for (int event = 0; event < LIMIT_EVENTS.size(); event++) {
      columns.put(LIMIT_EVENTS.get(event), new Column(limitEvents, eventBits, event));
    }
    List<Place> places = new ArrayList<>();
    single.forEach(
        (point, counter) ->
            places.add(new Place(counter.id(), counter.size(), 0, new Point[] {point})));
    places.add(
        new Place(
            limitEvents.id(), limitEvents.size(), eventBits, LIMIT_EVENTS.toArray(Point[]::new)));
    return new SubscriberCells() {
      @Override
      public Set<CounterDescriptor> counters(Set<Point> of) {
        return of.stream()
            .map(point -> columns.get(point).counter())
            .collect(Collectors.toCollection(LinkedHashSet::new));
      }

      @Override
      public void pass(int counterId, long cell, long packets, long bytes, CounterSink sink) {
        for (Place place : places) {
          if (place.counterId() == counterId && cell >= 0 && cell < place.size()) {
            place.pass(cell, packets, bytes, sink);
            return;
          }
        }
      }

      @Override
      public Set<Point> points() {
        return Collections.unmodifiableSet(columns.keySet());
      }

      @Override
      public Cell cell(Subject subject) {
        Column column = columns.get(subject.point());
        Ranges.require("subscriber index", subject.index(), 0, column.subscribers() - 1);
        return new Cell(column.counter().id(), column.index(subject));
      }

      @Override
      public Optional<Subject> subject(int counterId, long cell) {
        return columns.entrySet().stream()
            .filter(each -> each.getValue().has(counterId, cell))
            .map(each -> each.getValue().subject(each.getKey(), cell))
            .findAny();
      }
    };
  }

  /**
   * Counters of what leaves the switch only: for each instance of the marker two with a cell for
   * each of its subscribers.
   */
  static SubscriberCells divided(
      List<CounterDescriptor> down, List<CounterDescriptor> up, MarkerLayout markers) {
    /** A counter's instance and direction. */
    record Part(int instance, Direction direction) {}

    Map<Integer, Part> parts = new HashMap<>();
    for (int i = 0; i < markers.allInstances(); i++) {
      parts.put(down.get(i).id(), new Part(i, Direction.DOWN));
      parts.put(up.get(i).id(), new Part(i, Direction.UP));
    }
    return new SubscriberCells() {
      @Override
      public Set<CounterDescriptor> counters(Set<Point> of) {
        return of.contains(Point.OUT)
            ? Stream.concat(down.stream(), up.stream())
                .collect(Collectors.toCollection(LinkedHashSet::new))
            : Set.of();
      }

      @Override
      public Set<Point> points() {
        return EnumSet.of(Point.OUT);
      }

      @Override
      public Cell cell(Subject subject) {
        if (subject.point() != Point.OUT) {
          throw new InvalidValueException(
              "point", subject.point(), "OUT: the program counts there");
        }
        Ranges.require("subscriber index", subject.index(), 1, markers.capacity());
        List<CounterDescriptor> counters = subject.direction() == Direction.DOWN ? down : up;
        return new Cell(
            counters.get(markers.instanceOf(subject.index())).id(),
            markers.cellOf(subject.index()));
      }

      @Override
      public Optional<Subject> subject(int counterId, long cell) {
        Part part = parts.get(counterId);
        return part == null || cell < 0 || cell >= markers.subscribersPerInstance()
            ? Optional.empty()
            : Optional.of(
                new Subject(
                    Point.OUT, markers.firstIndex(part.instance()) + (int) cell, part.direction()));
      }
    };
  }
}
