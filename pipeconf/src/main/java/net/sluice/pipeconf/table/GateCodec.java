package net.sluice.pipeconf.table;

import net.sluice.pipeconf.p4info.GateTableTable;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * {@code GateTable}: in which pipe a packet waits, by its virtual finish time. It belongs to the
 * agent beside the switch; the controller neither writes nor reads it.
 */
public final class GateCodec {
  /** The P4Runtime role of the agent: of several one writes, and none is in a controller's way. */
  public static final String ROLE = "sluice-gates";

  private final GateTableTable table;
  private final RangeMatch finish;
  private final ActionParam pipe;

  private GateCodec(GateTableTable table) {
    this.table = table;
    finish = new RangeMatch(table.finish(), "finish");
    pipe = new ActionParam(table.setPipe().p(), "pipe");
  }

  /**
   * The codec of a program's gate table.
   *
   * @throws IllegalArgumentException if it has none
   */
  public static GateCodec of(ProgramDescriptor program) {
    return program.tables().stream()
        .filter(GateTableTable.class::isInstance)
        .map(table -> new GateCodec((GateTableTable) table))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the program has no gate table"));
  }

  /** Whether a program has a gate table. */
  public static boolean isIn(ProgramDescriptor program) {
    return program.tables().stream().anyMatch(GateTableTable.class::isInstance);
  }

  /** All its entries, for a read. */
  public TableEntry all() {
    return TableEntry.newBuilder().setTableId(table.id()).build();
  }

  /**
   * An entry: packets that finish at {@code low..high}, both included, wait in a pipe. A window
   * that spans the end of the clock's round has two.
   *
   * @param low nanoseconds of the switch's clock, 32 bits
   * @param pipe 0..3
   * @param priority 1 or more; of the entries that match, the one with the highest counts
   */
  public TableEntry entry(long low, long high, int pipe, int priority) {
    TableEntry.Builder entry = TableEntry.newBuilder().setTableId(table.id()).setPriority(priority);
    finish.match(low, high, entry);
    return entry
        .setAction(
            TableAction.newBuilder()
                .setAction(
                    Action.newBuilder()
                        .setActionId(table.setPipe().id())
                        .addParams(this.pipe.of(pipe))))
        .build();
  }
}
