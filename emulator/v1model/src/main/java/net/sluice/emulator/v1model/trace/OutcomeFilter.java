package net.sluice.emulator.v1model.trace;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.sluice.emulator.trace.v1.ActionRun;
import net.sluice.emulator.trace.v1.DropReason;
import net.sluice.emulator.trace.v1.Event;
import net.sluice.emulator.trace.v1.TableApplied;
import net.sluice.emulator.trace.v1.TableFilter;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.trace.v1.TraceFilter;
import net.sluice.emulator.v1model.program.Program;

/** The conditions of a {@link TraceFilter} on a packet's outcome, checked on its complete trace. */
final class OutcomeFilter {

  private final List<TableFilter> tables;
  private final Set<DropReason> reasons = EnumSet.noneOf(DropReason.class);
  private final String dropAction;

  /**
   * @throws IllegalArgumentException if the filter is inconsistent
   */
  OutcomeFilter(TraceFilter filter) {
    tables = filter.getTablesList();
    for (TableFilter table : tables) {
      if (table.getTable().isEmpty()) {
        throw new IllegalArgumentException("tables.table: must be a table's name");
      }
    }
    for (DropReason reason : filter.getDropReasonsList()) {
      if (reason == DropReason.UNRECOGNIZED) {
        throw new IllegalArgumentException("drop_reasons: must be of the reasons that there are");
      }
      reasons.add(reason);
    }
    dropAction = filter.getDropAction();
  }

  /**
   * Checks that the program has the filter's names.
   *
   * @throws IllegalArgumentException if one is not
   */
  void check(List<Program.Table> known) {
    for (TableFilter filter : tables) {
      List<Program.Table> meant =
          known.stream().filter(t -> means(filter.getTable(), t.name())).toList();
      if (meant.isEmpty()) {
        throw new IllegalArgumentException(
            "tables.table '%s': must be one of the program's: %s"
                .formatted(
                    filter.getTable(),
                    String.join(
                        ", ",
                        known.stream()
                            .filter(t -> !t.key().isEmpty())
                            .map(Program.Table::name)
                            .toList())));
      }
      if (!filter.getAction().isEmpty()
          && meant.stream()
              .flatMap(t -> t.actions().stream())
              .noneMatch(a -> means(filter.getAction(), a.name()))) {
        throw new IllegalArgumentException(
            "tables.action '%s': must be one of %s's: %s"
                .formatted(
                    filter.getAction(),
                    meant.get(0).name(),
                    String.join(
                        ", ", meant.get(0).actions().stream().map(Program.Action::name).toList())));
      }
    }
  }

  /** Whether a trace passes. */
  boolean passes(Trace trace) {
    for (TableFilter table : tables) {
      if (!applied(table, trace)) {
        return false;
      }
    }
    if (reasons.isEmpty() && dropAction.isEmpty()) {
      return true;
    }
    return trace.getOutcome().hasDropped()
        && (reasons.isEmpty() || reasons.contains(trace.getOutcome().getDropped().getReason()))
        && (dropAction.isEmpty() || means(dropAction, trace.getOutcome().getDropped().getAction()));
  }

  private static boolean applied(TableFilter filter, Trace trace) {
    boolean found = false;
    for (Event event : trace.getEventsList()) {
      if (event.hasTableApplied()) {
        TableApplied applied = event.getTableApplied();
        found =
            means(filter.getTable(), applied.getTable())
                && (!filter.hasHit() || filter.getHit() == applied.getHit());
        if (found && filter.getAction().isEmpty()) {
          return true;
        }
      } else if (event.hasActionRun() && found) {
        ActionRun run = event.getActionRun();
        if (means(filter.getAction(), run.getAction())) {
          return true;
        }
        found = false;
      }
    }
    return false;
  }

  private static boolean means(String wanted, String name) {
    return name.equals(wanted) || name.endsWith("." + wanted);
  }
}
