package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.LoopPortEntry;
import net.sluice.pipeconf.p4info.LoopAction;
import net.sluice.pipeconf.p4info.LoopPortTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code LoopPort}: the ports by which packets that wait go round. */
final class LoopPortCodec extends TableCodec<LoopPortEntry> {
  private final ExactField pipe;
  private final LoopAction loop;
  private final ActionParam port;
  private final ActionParam bufferBytes;

  LoopPortCodec(LoopPortTable table) {
    super(table, LoopPortEntry.class);
    pipe = new ExactField(table.pipe(), "pipe");
    loop = table.loop();
    port = new ActionParam(loop.p(), "port");
    bufferBytes = new ActionParam(loop.bytes(), "bufferBytes");
  }

  @Override
  void match(LoopPortEntry entry, TableEntry.Builder into) {
    into.addMatch(pipe.of(entry.pipe()));
  }

  @Override
  Action action(LoopPortEntry entry) {
    return action(loop, port.of(entry.port()), bufferBytes.of(entry.bufferBytes()));
  }

  @Override
  LoopPortEntry read(TableEntry entry, Action action) {
    return new LoopPortEntry(pipe.readInt(entry), port.readInt(action), bufferBytes.read(action));
  }
}
