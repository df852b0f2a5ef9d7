package net.sluice.pipeconf;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  /** A counter for each point with two cells for each subscriber, down before up. */
  static SubscriberCells paired(Map<Point, CounterDescriptor> counters) {
    Map<Point, CounterDescriptor> byPoint = new EnumMap<>(counters);
    Map<Integer, Point> points = new HashMap<>();
    byPoint.forEach((point, counter) -> points.put(counter.id(), point));
    return new SubscriberCells() {
      @Override
      public Set<Point> points() {
        return Collections.unmodifiableSet(byPoint.keySet());
      }

      @Override
      public Cell cell(Subject subject) {
        CounterDescriptor counter = byPoint.get(subject.point());
        Ranges.require("subscriber index", subject.index(), 0, counter.size() / 2 - 1);
        return new Cell(counter.id(), subject.index() << 1 | subject.direction().code());
      }

      @Override
      public Optional<Subject> subject(int counterId, long cell) {
        Point point = points.get(counterId);
        if (point == null || cell < 0 || cell >= byPoint.get(point).size()) {
          return Optional.empty();
        }
        boolean down = (cell & 1) == Direction.DOWN.code();
        return Optional.of(
            new Subject(point, (int) (cell >>> 1), down ? Direction.DOWN : Direction.UP));
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
