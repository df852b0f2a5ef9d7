package net.sluice.onos.southbound;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.Target.ReadHandler;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.onos.southbound.SwitchClient.PiReadRequest;
import net.sluice.onos.southbound.SwitchClient.PiReading;
import net.sluice.onos.southbound.SwitchClient.ReadEnd;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiTableId;
import org.onosproject.net.pi.runtime.PiHandle;
import org.onosproject.net.pi.runtime.PiTableEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a switch in pieces, each of which is answered long before ONOS gives a call up after ten
 * seconds.
 *
 * <p>A table that should hold at most {@value #MOST_LISTED} entries is listed whole. P4Runtime
 * knows no way to list a part of a table, so of a larger one the entries it should hold are asked
 * for by their keys, {@value #KEYS_PER_READ} at a time, {@value #READS_IN_FLIGHT} requests at once.
 * Entries of such a table that nobody declared are not found that way. If a table that should be
 * small turns out too large to be listed, what came before the call was given up counts, so that
 * what is foreign among it is removed, and the rest of what it should hold is asked for by key.
 *
 * <p>Everything happens on one scheduler's thread.
 */
final class BoundedReading {
  /** Under two seconds at the slowest rate measured through ONOS's client, 30,000 a second. */
  static final int MOST_LISTED = 50_000;

  static final int KEYS_PER_READ = 1_000;
  static final int READS_IN_FLIGHT = 4;

  private static final Logger LOG = LoggerFactory.getLogger(BoundedReading.class);

  /** Where what is read goes. */
  interface Out {
    /** Whether anybody still waits for it. */
    boolean isWanted();

    /** Something that is none of ours. */
    void malformed(TableContent.Malformed malformed);

    /** Everything else. */
    ReadHandler<SwitchEntry> handler();
  }

  /** Passes on what a call answers, on the scheduler, or why it did not; never both. */
  interface Calls {
    void within(
        CompletionStage<PiReading> answer,
        String late,
        Consumer<String> failed,
        Consumer<PiReading> done);
  }

  private final String name;
  private final DeviceId deviceId;
  private final PiEntries entries;
  private final SwitchClient client;
  private final ExpectedEntries<SwitchEntry> known;
  private final Out out;
  private final Calls calls;
  private final Deque<Table> tables;
  private boolean ended;

  BoundedReading(
      String name,
      DeviceId deviceId,
      PiEntries entries,
      SwitchClient client,
      ExpectedEntries<SwitchEntry> known,
      Out out,
      Calls calls) {
    this.name = name;
    this.deviceId = deviceId;
    this.entries = entries;
    this.client = client;
    this.known = known;
    this.out = out;
    this.calls = calls;
    this.tables = new ArrayDeque<>(entries.codec().tables());
  }

  void start(Scheduler scheduler) {
    scheduler.execute(this::nextTable);
  }

  private void nextTable() {
    Table table = tables.poll();
    if (ended) {
      return;
    }
    if (!out.isWanted()) {
      fail("the session ended");
    } else if (table == null) {
      ended = true;
      out.handler().complete();
    } else if (known.count(table) > MOST_LISTED) {
      new ByKey(table, Set.of()).more();
    } else {
      list(table);
    }
  }

  private void fail(String reason) {
    if (!ended) {
      ended = true;
      out.handler().failed(reason);
    }
  }

  // ---------------------------------------------------------------- a table as a whole

  private void list(Table table) {
    List<PiTableId> ids =
        entries.codec().tableIds(table).stream().map(id -> entries.names().table(id).name).toList();
    if (ids.isEmpty()) {
      nextTable();
      return;
    }
    calls.within(
        client.read(new PiReadRequest.Tables(ids)),
        "ONOS has not answered a read",
        this::fail,
        response -> listed(table, response));
  }

  private void listed(Table table, PiReading response) {
    boolean cut = response.end() == ReadEnd.CUT;
    if (response.end() != ReadEnd.COMPLETE && !cut) {
      fail(response.reason());
      return;
    }
    List<PiTableEntry> read = tableEntries(response);
    TableContent content = new TableContent(entries);
    List<SwitchEntry> ours = content.add(read);
    pass(ours);
    if (cut) {
      LOG.warn(
          "{}: table {} is too large to be listed in one call; after {} entries the rest is asked"
              + " for by key",
          name,
          table,
          read.size());
      Set<SwitchEntry.Key> passed = new HashSet<>();
      ours.forEach(entry -> passed.add(entry.key()));
      content.malformed().forEach(out::malformed);
      new ByKey(table, passed).more();
    } else {
      end(content);
    }
  }

  private void pass(List<SwitchEntry> ours) {
    if (!ours.isEmpty()) {
      out.handler().entries(ours);
    }
  }

  private void end(TableContent content) {
    pass(content.end());
    content.malformed().forEach(out::malformed);
    nextTable();
  }

  // ---------------------------------------------------------------- a table by its keys

  private final class ByKey {
    private final ExpectedEntries.Cursor<SwitchEntry> cursor;
    private final Set<SwitchEntry.Key> passed;
    private final TableContent content = new TableContent(entries);
    private final Deque<List<PiHandle>> pieces = new ArrayDeque<>();
    private int inFlight;
    private boolean exhausted;

    ByKey(Table table, Set<SwitchEntry.Key> passed) {
      this.cursor = known.entries(table);
      this.passed = passed;
    }

    void more() {
      while (!ended && inFlight < READS_IN_FLIGHT) {
        if (!out.isWanted()) {
          fail("the session ended");
          return;
        }
        List<PiHandle> piece = nextPiece();
        if (piece == null) {
          break;
        }
        inFlight++;
        calls.within(
            client.read(new PiReadRequest.Keys(piece)),
            "ONOS has not answered a read",
            BoundedReading.this::fail,
            response -> answered(piece, response));
      }
      if (!ended && inFlight == 0) {
        end(content);
      }
    }

    private List<PiHandle> nextPiece() {
      if (!pieces.isEmpty()) {
        return pieces.poll();
      }
      List<PiHandle> piece = new ArrayList<>(KEYS_PER_READ);
      while (!exhausted && piece.isEmpty()) {
        List<SwitchEntry> some = cursor.next(KEYS_PER_READ);
        exhausted = some.isEmpty();
        for (SwitchEntry entry : some) {
          if (!passed.contains(entry.key())) {
            addHandles(entry, piece);
          }
        }
      }
      return piece.isEmpty() ? null : piece;
    }

    /** An entry that cannot be said is not on the switch either; writing it will tell why. */
    private void addHandles(SwitchEntry entry, List<PiHandle> piece) {
      try {
        entries.encode(entry).forEach(each -> piece.add(each.handle(deviceId)));
      } catch (InvalidValueException e) {
        LOG.debug("{}: not asked for: {}", name, e.getMessage());
      }
    }

    private void answered(List<PiHandle> piece, PiReading response) {
      inFlight--;
      if (ended) {
        return;
      }
      switch (response.end()) {
        case COMPLETE -> pass(content.add(tableEntries(response)));
        // Some servers refuse the whole request for one entry that is not there.
        case NOT_FOUND -> halve(piece);
        case CUT -> {
          if (piece.size() == 1) {
            fail(response.reason());
            return;
          }
          halve(piece);
        }
        case FAILED -> {
          fail(response.reason());
          return;
        }
      }
      more();
    }

    private void halve(List<PiHandle> piece) {
      if (piece.size() > 1) {
        pieces.push(piece.subList(piece.size() / 2, piece.size()));
        pieces.push(piece.subList(0, piece.size() / 2));
      }
    }
  }

  private static List<PiTableEntry> tableEntries(PiReading reading) {
    return reading.entities().stream()
        .filter(PiTableEntry.class::isInstance)
        .map(PiTableEntry.class::cast)
        .toList();
  }
}
