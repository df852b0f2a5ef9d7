package net.sluice.lab.experiment.codelact;

import java.util.List;
import java.util.Map;
import net.sluice.lab.report.RunReport;

/**
 * The experiment's report, and what its charts show beyond it.
 *
 * @param act CoDel-ACT's control law
 * @param p4Codel its predecessor's
 * @param cells every cell with all columns, in the order of the report
 */
record CodelActResults(
    RunReport report, ControlLaw act, ControlLaw p4Codel, List<Map<Column, CellSummary>> cells) {
  CodelActResults {
    cells = List.copyOf(cells);
  }
}
