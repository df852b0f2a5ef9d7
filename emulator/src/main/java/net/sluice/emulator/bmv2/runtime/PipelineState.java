package net.sluice.emulator.bmv2.runtime;

import java.util.List;
import net.sluice.emulator.bmv2.table.MatchTable;

/**
 * What a pipeline remembers between packets, shared by the generated code and the control plane.
 *
 * @param tables the tables, ingress first, in node order
 * @param counters indirect counter arrays: packets and bytes of index {@code i} at {@code 2i} and
 *     {@code 2i+1}
 * @param registers register arrays
 */
public record PipelineState(
    List<MatchTable> tables,
    List<long[]> counters,
    List<RegisterArray> registers,
    RandomSource random) {}
