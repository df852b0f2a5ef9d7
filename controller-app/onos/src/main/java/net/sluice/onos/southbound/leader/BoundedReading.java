package net.sluice.onos.southbound.leader;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.Target.ReadHandler;
import net.sluice.core.target.Target.Removal;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.onos.southbound.call.SwitchCalls.End;
import net.sluice.onos.southbound.call.SwitchCalls.Reading;
import net.sluice.onos.southbound.pi.Halves;
import net.sluice.pipeconf.table.DecodedEntry;
import net.sluice.pipeconf.table.EntryCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import p4.v1.P4RuntimeOuterClass.Entity;

/**
 * Reads a switch in pieces, each of which is answered long before ONOS gives a call up after ten
 * seconds.
 *
 * <p>A table that should hold at most {@value #MOST_LISTED} entries is listed whole. P4Runtime
 * knows no way to list a part of a table, so of a larger one the entries it should hold are asked
 * for by their keys, {@value #KEYS_PER_READ} at a time, {@value #READS_IN_FLIGHT} requests at once.
 * Entries of such a table that are not declared are not found that way. If a table that should be
 * small turns out too large to be listed, what came before the call was given up counts, so that
 * what is foreign among it is removed, and the rest of what it should hold is asked for by key. An
 * entry with a meter counts twice, as its meter is read beside it.
 *
 * <p>Everything happens on one scheduler's thread.
 */
final class BoundedReading {
  /** Under two seconds at the slowest rate measured through ONOS's client, 30,000 a second. */
  static final int MOST_LISTED = 50_000;

  static final int KEYS_PER_READ = 1_000;
  static final int READS_IN_FLIGHT = 4;

  private static final Logger LOG = LoggerFactory.getLogger(BoundedReading.class);

  private final String name;
  private final OnosSession session;
  private final EntryCodec codec;
  private final ExpectedEntries<SwitchEntry> known;
  private final ReadHandler<SwitchEntry> handler;
  private final Function<Entity, Removal> removal;
  private final Deque<Table> tables;
  private boolean ended;

  BoundedReading(
      String name,
      OnosSession session,
      EntryCodec codec,
      ExpectedEntries<SwitchEntry> known,
      ReadHandler<SwitchEntry> handler,
      Function<Entity, Removal> removal) {
    this.name = name;
    this.session = session;
    this.codec = codec;
    this.known = known;
    this.handler = handler;
    this.removal = removal;
    this.tables = new ArrayDeque<>(codec.tables());
    // Some servers cannot read clone sessions: they are asked only where there is to be one.
    if (known.count(Table.MIRROR) > 0) {
      tables.add(Table.MIRROR);
    }
  }

  void start() {
    Table table = tables.poll();
    if (ended) {
      return;
    }
    if (!session.isOpen()) {
      fail("the session ended");
    } else if (table == null) {
      ended = true;
      handler.complete();
    } else if (known.count(table) * weight(table) > MOST_LISTED) {
      new ByKey(table, Set.of()).more();
    } else {
      list(table);
    }
  }

  private void fail(String reason) {
    if (!ended) {
      ended = true;
      handler.failed(reason);
    }
  }

  private int weight(Table table) {
    List<Entity> all = codec.readAll(table);
    return !all.isEmpty() && all.get(0).getTableEntry().hasMeterConfig() ? 2 : 1;
  }

  private void ask(CompletableFuture<Reading> answer, Consumer<Reading> done) {
    session.within(answer, "ONOS has not answered a read", this::fail, done);
  }

  /** Passes on what was read; the entries of ours among it. */
  private List<SwitchEntry> pass(Reading reading) {
    List<SwitchEntry> ours = new ArrayList<>(reading.entities().size());
    for (Entity entity : reading.entities()) {
      DecodedEntry decoded = codec.decode(entity);
      if (Halves.isHalf(entity.getTableEntry())) {
        handler.malformed(
            "half of an entry that matches everything, by itself", removal.apply(entity));
      } else if (decoded instanceof DecodedEntry.Malformed of) {
        handler.malformed(of.reason(), removal.apply(entity));
      } else if (decoded instanceof DecodedEntry.Known of) {
        ours.add(of.entry());
      }
    }
    if (!ours.isEmpty()) {
      handler.entries(ours);
    }
    return ours;
  }

  // ---------------------------------------------------------------- a table as a whole

  private void list(Table table) {
    ask(
        session.calls().read(codec.readAll(table), table != Table.MIRROR),
        reading -> listed(table, reading));
  }

  private void listed(Table table, Reading reading) {
    if (reading.end() == End.CUT) {
      LOG.warn(
          "{}: table {} is too large to be listed in one call; after {} entries the rest is asked"
              + " for by key",
          name,
          table,
          reading.entities().size());
      Set<SwitchEntry.Key> passed = new HashSet<>();
      pass(reading).forEach(entry -> passed.add(entry.key()));
      new ByKey(table, passed).more();
    } else if (reading.end() == End.COMPLETE
        || table == Table.MIRROR && reading.end() == End.NOT_FOUND) {
      var unused = pass(reading);
      start();
    } else {
      fail(reading.reason());
    }
  }

  // ---------------------------------------------------------------- a table by its keys

  private final class ByKey {
    private final ExpectedEntries.Cursor<SwitchEntry> cursor;
    private final Set<SwitchEntry.Key> passed;
    private final int keysPerRead;
    private final Deque<List<Entity>> pieces = new ArrayDeque<>();
    private int inFlight;
    private boolean exhausted;

    ByKey(Table table, Set<SwitchEntry.Key> passed) {
      this.cursor = known.entries(table);
      this.passed = passed;
      this.keysPerRead = KEYS_PER_READ / weight(table);
    }

    void more() {
      while (!ended && inFlight < READS_IN_FLIGHT) {
        if (!session.isOpen()) {
          fail("the session ended");
          return;
        }
        List<Entity> piece = nextPiece();
        if (piece.isEmpty()) {
          break;
        }
        inFlight++;
        ask(session.calls().read(piece, false), reading -> answered(piece, reading));
      }
      if (!ended && inFlight == 0) {
        start();
      }
    }

    private List<Entity> nextPiece() {
      if (!pieces.isEmpty()) {
        return pieces.poll();
      }
      List<Entity> piece = new ArrayList<>(keysPerRead);
      while (!exhausted && piece.isEmpty()) {
        List<SwitchEntry> some = cursor.next(keysPerRead);
        exhausted = some.isEmpty();
        for (SwitchEntry entry : some) {
          if (!passed.contains(entry.key())) {
            addKey(entry, piece);
          }
        }
      }
      return piece;
    }

    /** An entry that cannot be said is not on the switch either; writing it will tell why. */
    private void addKey(SwitchEntry entry, List<Entity> piece) {
      try {
        piece.add(codec.readOne(entry));
      } catch (InvalidValueException e) {
        LOG.debug("{}: not asked for: {}", name, e.getMessage());
      }
    }

    private void answered(List<Entity> piece, Reading reading) {
      inFlight--;
      if (ended) {
        return;
      }
      boolean isOne = piece.size() == 1;
      switch (reading.end()) {
        case COMPLETE -> {
          var unused = pass(reading);
        }
        // Some servers refuse the whole request for one entry that is not there.
        case NOT_FOUND -> halve(piece);
        case CUT -> halve(piece);
        case FAILED -> fail(reading.reason());
      }
      if (isOne && reading.end() == End.CUT) {
        fail(reading.reason());
      }
      more();
    }

    private void halve(List<Entity> piece) {
      if (piece.size() > 1) {
        pieces.push(piece.subList(piece.size() / 2, piece.size()));
        pieces.push(piece.subList(0, piece.size() / 2));
      }
    }
  }
}
