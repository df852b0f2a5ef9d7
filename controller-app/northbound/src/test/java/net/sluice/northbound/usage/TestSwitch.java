package net.sluice.northbound.usage;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.traffic.CountedSwitch;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Traffic;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterSink;

/** A switch whose counters a test says, of subscribers at tree 3 of port 1. */
final class TestSwitch implements CountedSwitch {
  /** Counters of an index: packets and bytes by place. */
  private final Map<Integer, Map<Point, long[]>> down = new TreeMap<>();

  private final Map<Integer, String> ids = new TreeMap<>();
  private final String name;

  /** Whether it cannot be read, can be read in part, or does not answer. */
  boolean fails;

  boolean breaksOff;
  boolean hangs;

  TestSwitch(String name) {
    this.name = name;
  }

  /** A controller of switches. */
  static Controller controller(TestSwitch... all) {
    return (Controller)
        Proxy.newProxyInstance(
            Controller.class.getClassLoader(),
            new Class<?>[] {Controller.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "counted" -> List.<CountedSwitch>of(all);
                  case "counters" -> all[0].counters((String) arguments[0]);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private CompletableFuture<Optional<SubscriberCounters>> counters(String id) {
    Optional<Integer> index =
        ids.keySet().stream().filter(each -> ids.get(each).equals(id)).findFirst();
    return CompletableFuture.completedFuture(
        index.map(
            each -> {
              long[] out = at(each, Point.OUT);
              return new SubscriberCounters(
                  new Traffic(0, 0, out[0], out[1]), new Traffic(0, 0, 0, 0));
            }));
  }

  /** Gives an index to a subscriber. */
  void declare(int index, String id) {
    ids.put(index, id);
    down.remove(index);
  }

  void forget(int index) {
    ids.remove(index);
  }

  /** The program was loaded anew. */
  void restart() {
    down.clear();
  }

  private long[] at(int index, Point point) {
    return down.computeIfAbsent(index, any -> new EnumMap<>(Point.class))
        .computeIfAbsent(point, any -> new long[2]);
  }

  /** Counts packets of 1,000 bytes on the way down. */
  void count(int index, Point point, long packets) {
    at(index, point)[0] += packets;
    at(index, point)[1] += 1_000 * packets;
  }

  /** Has a counter stand elsewhere. */
  void put(int index, Point point, long bytes) {
    at(index, point)[1] = bytes;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void subscribers(Visitor visitor) {
    ids.forEach((index, id) -> visitor.subscriber(index, id, 1, 3, "gold", "gold"));
  }

  @Override
  public CompletableFuture<Void> readAll(BitSet indices, CounterSink sink) {
    if (hangs) {
      return new CompletableFuture<>();
    }
    List<Integer> all = new ArrayList<>(ids.keySet());
    if (!fails) {
      for (Point point : Point.values()) {
        for (int index : breaksOff ? all.subList(0, 1) : all) {
          long[] counts = at(index, point);
          sink.count(point, Direction.DOWN, index, counts[0], counts[1]);
          sink.count(point, Direction.UP, index, 0, 0);
        }
      }
      // Cells without a subscriber come, too.
      sink.count(Point.OUT, Direction.DOWN, 900_000, 5, 5);
    }
    return fails || breaksOff
        ? CompletableFuture.failedFuture(new ControllerException("it is away"))
        : CompletableFuture.completedFuture(null);
  }
}
