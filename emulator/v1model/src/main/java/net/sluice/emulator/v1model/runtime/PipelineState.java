package net.sluice.emulator.v1model.runtime;

import java.util.List;
import net.sluice.emulator.switching.ReplicationEngine;
import net.sluice.emulator.v1model.table.ActionProfile;
import net.sluice.emulator.v1model.table.MatchTable;
import net.sluice.emulator.v1model.table.MeterCells;

/**
 * A pipeline's state between packets, shared by the generated code and the control plane.
 *
 * @param tables the tables, ingress first, in node order
 * @param counters indirect counter arrays
 * @param meters indirect meter arrays
 * @param registers register arrays
 * @param valueSets parser value sets
 * @param profiles action profiles
 * @param turns by calculation, its counter if it is one of bmv2's {@code round_robin}
 * @param replication multicast groups and clone sessions
 * @param digests messages to the controller, in the program's order
 */
public record PipelineState(
    List<MatchTable> tables,
    List<CounterCells> counters,
    List<MeterCells> meters,
    List<RegisterArray> registers,
    List<ValueSet> valueSets,
    List<ActionProfile> profiles,
    List<RoundRobin> turns,
    RandomSource random,
    ReplicationEngine replication,
    List<DigestBuffer> digests) {}
