package net.sluice.emulator.server.p4runtime.table;

import java.util.Collection;
import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.ReadAnswer;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.table.MatchTable;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** Reads of what belongs to the entries of tables: direct counters or direct meters. */
abstract class DirectEntries implements EntityKind {

  private final Parts<BoundTable> tables;
  private final Collection<BoundTable> having;
  private final String what;

  /**
   * @param tables all tables
   * @param having those whose entries have one
   * @param what {@code "counter"} or {@code "meter"}
   */
  DirectEntries(Parts<BoundTable> tables, Collection<BoundTable> having, String what) {
    this.tables = tables;
    this.having = having;
    this.what = what;
  }

  /** The table entry that an entity belongs to. */
  abstract TableEntry tableEntry(Entity entity);

  abstract boolean isOf(BoundTable table);

  /** Whether a default entry has one. */
  abstract boolean hasDefault();

  /** The entity that belongs to the entry in a slot. */
  abstract Entity entity(TableEntryCodec codec, int slot);

  @Override
  public final int p4Id(Entity entity) {
    return tableEntry(entity).getTableId();
  }

  /** Asks for that of an entry, of all entries of a table, or of all. */
  @Override
  public Query read(Entity filter) throws RpcException {
    TableEntry of = tableEntry(filter);
    if (of.getTableId() == 0) {
      if (of.getMatchCount() > 0) {
        throw RpcException.invalid(
            "table_id is 0, which means every table; no match can go with it");
      }
      return answer -> {
        for (BoundTable table : having) {
          all(table, answer);
        }
      };
    }
    BoundTable table = tables.get(of.getTableId());
    if (!isOf(table)) {
      throw RpcException.invalid("table '" + table.name() + "' has no direct " + what);
    }
    boolean ofDefault = hasDefault() && of.getIsDefaultAction();
    if (of.getMatchCount() == 0 && !ofDefault) {
      return answer -> all(table, answer);
    }
    TableEntryCodec codec = new TableEntryCodec(table);
    if (!ofDefault) {
      codec.readMatch(of);
    }
    return answer(codec, ofDefault ? MatchTable.DEFAULT_SLOT : codec.locate());
  }

  private Query answer(TableEntryCodec codec, int slot) {
    return answer -> answer.locked(() -> answer.add(entity(codec, slot)));
  }

  private void all(BoundTable table, ReadAnswer answer) throws RpcException {
    TableEntryCodec codec = new TableEntryCodec(table);
    answer.visit(table.table(), slot -> answer.add(entity(codec, slot)));
  }
}
