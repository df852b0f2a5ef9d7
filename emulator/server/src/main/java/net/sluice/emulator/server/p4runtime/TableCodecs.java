package net.sluice.emulator.server.p4runtime;

import java.util.HashMap;
import java.util.Map;

/**
 * The codecs of a writer, one per table. Batches mostly stay with a table for long, so the last one
 * is kept at hand. One thread at a time.
 */
final class TableCodecs {

  private final Binding binding;
  private final Map<Integer, TableEntryCodec> codecs = new HashMap<>();
  private TableEntryCodec last;

  TableCodecs(Binding binding) {
    this.binding = binding;
  }

  /**
   * The codec of a table.
   *
   * @throws RpcException INVALID_ARGUMENT if there is none with this id
   */
  TableEntryCodec of(int tableId) throws RpcException {
    if (last == null || last.table().id() != tableId) {
      TableBinding table = binding.table(tableId);
      last = codecs.computeIfAbsent(tableId, id -> new TableEntryCodec(table));
    }
    return last;
  }
}
