package net.sluice.emulator.server.p4runtime.table;

import java.util.HashMap;
import java.util.Map;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.status.RpcException;

/**
 * The codecs of a writer, one per table. Batches mostly stay with a table for long, so the last one
 * is kept at hand. One thread at a time.
 */
public final class TableCodecs {

  private final Parts<BoundTable> tables;
  private final Map<Integer, TableEntryCodec> codecs = new HashMap<>();
  private TableEntryCodec last;

  public TableCodecs(Parts<BoundTable> tables) {
    this.tables = tables;
  }

  /**
   * The codec of a table.
   *
   * @throws RpcException INVALID_ARGUMENT if there is none with this id
   */
  public TableEntryCodec of(int tableId) throws RpcException {
    if (last == null || last.table().id() != tableId) {
      BoundTable table = tables.get(tableId);
      last = codecs.computeIfAbsent(tableId, id -> new TableEntryCodec(table));
    }
    return last;
  }
}
