package net.sluice.core.target;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.ControllerException;
import net.sluice.core.time.Scheduler;
import net.sluice.core.traffic.DropStatus;
import net.sluice.core.traffic.QueueCounters;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SubscriberCounters.Marked;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.CounterCodec;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterSink;
import net.sluice.pipeconf.PacketCodec;
import net.sluice.pipeconf.table.EntryCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * A switch that is written and read in P4Runtime's entities, however they reach it.
 *
 * @param <S> a session with it
 */
public abstract class SwitchTarget<S extends ProbedSession> extends SessionTarget<SwitchEntry, S>
    implements CounterSource {
  private static final Logger LOG = LoggerFactory.getLogger(SwitchTarget.class);

  /** Place of an update that is none of the batch's. */
  private static final int COUNTER = -1;

  private static final String NOT_CONNECTED = "the switch is not connected";

  /** Cells that are read by name with one request. */
  private static final int NAMED_AT_ONCE = 1_000;

  /** A cell that is read by its name costs about as much as so many that come by themselves. */
  private static final int CHEAPER_WHOLE = 8;

  private final EntryCodec entries;
  private final CounterCodec counters;
  private final Scheduler scheduler;

  /**
   * A switch that is not yet connected.
   *
   * @param name name for status
   * @param entries the entries of its program
   * @param counters the counters of its program
   * @param scheduler for probes, deadlines and reading; closed with the target
   */
  protected SwitchTarget(
      String name,
      Capabilities capabilities,
      EntryCodec entries,
      CounterCodec counters,
      Scheduler scheduler) {
    super(name, capabilities, scheduler);
    this.entries = entries;
    this.counters = counters;
    this.scheduler = scheduler;
  }

  /** Sends updates, at least one; the handler gets an answer to each, in their order. */
  protected abstract void send(S session, List<Update> updates, WriteHandler handler);

  /** Reads cells of counters. */
  protected abstract CompletableFuture<List<CounterEntry>> readCells(S session, List<Entity> cells);

  /** Whether all cells of a counter can be read with one request, however many they are. */
  protected boolean readsWholeCounters() {
    return false;
  }

  /**
   * Reads cells of counters and passes on those of subscribers.
   *
   * @param wholeCells how many they are, if whole counters are read; 0 if cells are named
   * @param sink called by one thread at a time
   */
  protected CompletableFuture<Void> passCells(
      S session, List<Entity> cells, long wholeCells, CounterSink sink) {
    return readCells(session, cells)
        .thenAccept(
            read -> {
              for (CounterEntry cell : read) {
                counters.pass(
                    cell.getCounterId(),
                    cell.getIndex().getIndex(),
                    cell.getData().getPacketCount(),
                    cell.getData().getByteCount(),
                    sink);
              }
            });
  }

  @Override
  protected final void write(S session, WriteBatch<SwitchEntry> batch, WriteHandler handler) {
    List<Update> updates = new ArrayList<>(batch.size());
    List<Integer> places = new ArrayList<>(batch.size());
    WriteResults results = new WriteResults(batch.size());
    boolean direct = true;
    for (int i = 0; i < batch.size(); i++) {
      try {
        updates.add(entries.update(batch.op(i), batch.entity(i)));
        places.add(i);
      } catch (InvalidValueException e) {
        results.set(i, WriteCode.REFUSED, e.getMessage());
        direct = false;
      }
      if (batch.op(i) == Op.DELETE) {
        // What comes next at these numbers begins with zero.
        for (Update cleared : counters.clear(batch.entity(i), batch.retires(i))) {
          direct = false;
          updates.add(cleared);
          places.add(COUNTER);
        }
      }
    }
    if (updates.isEmpty()) {
      handler.done(results);
    } else {
      send(session, updates, direct ? handler : merged(results, places, handler));
    }
  }

  /** Joins what the switch answers with what was not even sent. */
  private WriteHandler merged(WriteResults results, List<Integer> places, WriteHandler handler) {
    return new WriteHandler() {
      @Override
      public void done(WriteResults answer) {
        for (int i = 0; i < places.size(); i++) {
          if (answer.code(i) == WriteCode.OK) {
            continue;
          }
          if (places.get(i) == COUNTER) {
            LOG.warn("{}: a counter cannot be set to zero: {}", name(), answer.message(i));
          } else {
            results.set(places.get(i), answer.code(i), answer.message(i));
          }
        }
        handler.done(results);
      }

      @Override
      public void lost(String reason) {
        handler.lost(reason);
      }
    };
  }

  /** Deletes an entity that was read. */
  protected final Removal removal(S session, Entity entity) {
    Update delete = Update.newBuilder().setType(Update.Type.DELETE).setEntity(entity).build();
    return handler -> send(session, List.of(delete), handler);
  }

  @Override
  public final CompletableFuture<SubscriberCounters> readCounters(int subscriberIndex) {
    return readCells(counters.read(subscriberIndex))
        .thenApply(cells -> SubscriberReadings.of(counters, cells));
  }

  @Override
  public final CompletableFuture<Void> readAll(Wanted wanted, CounterSink sink) {
    S reading = session();
    if (reading == null) {
      return CompletableFuture.failedFuture(new ControllerException(NOT_CONNECTED));
    }
    Set<Point> points = EnumSet.copyOf(counters.points());
    points.retainAll(wanted.points());
    long named = (long) wanted.indices().cardinality() * points.size() * Direction.values().length;
    long whole = counters.cells(points);
    return readsWholeCounters() && named * CHEAPER_WHOLE > whole
        ? passCells(reading, counters.readAll(points), whole, sink)
        : new NamedCells(wanted.indices(), points, sink).read(reading);
  }

  /** The cells of some subscribers by their names, some thousand at a time. */
  private final class NamedCells {
    private final BitSet indices;
    private final Set<Point> points;
    private final CounterSink sink;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private int next;

    NamedCells(BitSet indices, Set<Point> points, CounterSink sink) {
      this.indices = indices;
      this.points = points;
      this.sink = sink;
    }

    CompletableFuture<Void> read(S reading) {
      List<Entity> cells = new ArrayList<>();
      for (next = indices.nextSetBit(next);
          next >= 0 && cells.size() < NAMED_AT_ONCE;
          next = indices.nextSetBit(next + 1)) {
        for (Point point : points) {
          for (Direction direction : Direction.values()) {
            cells.add(counters.read(point, next, direction));
          }
        }
      }
      if (cells.isEmpty()) {
        end.complete(null);
        return end;
      }
      var unused =
          passCells(reading, cells, 0, sink)
              .whenComplete(
                  (done, failure) -> {
                    if (failure != null) {
                      end.completeExceptionally(failure);
                    } else if (next < 0) {
                      end.complete(null);
                    } else {
                      // Not from here: a thousand answers would be as many calls deep.
                      scheduler.execute(() -> read(reading));
                    }
                  });
      return end;
    }
  }

  @Override
  public final CompletableFuture<Map<Direction, Marked>> readAggregates(
      Map<Direction, Integer> numbers) {
    return readCells(
            numbers.values().stream()
                .flatMap(number -> counters.readAggregate(number).stream())
                .toList())
        .thenApply(cells -> SubscriberReadings.marked(counters, cells, numbers));
  }

  @Override
  public final CompletableFuture<List<QueueCounters>> readQueues(List<PortQueue> queues) {
    return readCells(
            queues.stream()
                .flatMap(queue -> counters.readQueue(queue.port(), queue.queue()).stream())
                .toList())
        .thenApply(cells -> QueueReadings.of(counters, cells, queues));
  }

  @Override
  public final CompletableFuture<List<DropStatus>> readDrops() {
    return readCells(List.of(counters.readDrops())).thenApply(this::drops);
  }

  @Override
  public final CompletableFuture<Map<Integer, Count>> readNextHopDrops(List<Integer> ports) {
    return readCells(ports.stream().flatMap(port -> counters.readNextHop(port).stream()).toList())
        .thenApply(
            cells -> {
              Map<Integer, Count> counts = new HashMap<>();
              for (CounterEntry cell : cells) {
                if (counters.decode(cell) instanceof CounterCodec.Reading.OfNextHop of) {
                  counts.put(of.port(), new Count(of.packets(), of.bytes()));
                }
              }
              return counts;
            });
  }

  @Override
  public final boolean tellsUnknown() {
    return counters.countsUnknown();
  }

  @Override
  public final void copyUnknown() {
    S session = session();
    if (session != null && tellsUnknown()) {
      send(
          session,
          List.of(PacketCodec.copiesOfUnknown()),
          new WriteHandler() {
            @Override
            public void done(WriteResults results) {
              // An earlier session may have left it there.
              if (results.code(0) != WriteCode.OK && results.code(0) != WriteCode.ALREADY_EXISTS) {
                LOG.warn(
                    "{} copies no packets of unknown addresses: {}", name(), results.message(0));
              }
            }

            @Override
            public void lost(String reason) {
              LOG.debug("{}: copies of unknown traffic: {}", name(), reason);
            }
          });
    }
  }

  @Override
  public final CompletableFuture<Map<Integer, Count>> readUnknown(List<Integer> ports) {
    return readCells(ports.stream().flatMap(port -> counters.readUnknown(port).stream()).toList())
        .thenApply(
            cells -> {
              Map<Integer, Count> counts = new HashMap<>();
              for (CounterEntry cell : cells) {
                if (counters.decode(cell) instanceof CounterCodec.Reading.OfUnknown of) {
                  counts.put(of.port(), new Count(of.packets(), of.bytes()));
                }
              }
              return counts;
            });
  }

  private List<DropStatus> drops(List<CounterEntry> cells) {
    List<DropStatus> drops = new ArrayList<>();
    for (CounterEntry cell : cells) {
      if (counters.decode(cell) instanceof CounterCodec.Reading.OfDrops of) {
        drops.add(new DropStatus(Optional.empty(), of.reason(), of.packets(), of.bytes()));
      }
    }
    drops.sort(Comparator.comparing(DropStatus::reason));
    return drops;
  }

  private CompletableFuture<List<CounterEntry>> readCells(List<Entity> cells) {
    S reading = session();
    return reading == null
        ? CompletableFuture.failedFuture(new ControllerException(NOT_CONNECTED))
        : readCells(reading, cells);
  }
}
