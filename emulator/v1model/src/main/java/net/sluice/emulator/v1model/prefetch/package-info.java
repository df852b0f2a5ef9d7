/**
 * Prefetching of table entries, counters and registers for coming packets, from the program alone.
 *
 * <p>Kept because paired runs show its gain: Sluice's program with 100,000 subscribers, a capture
 * of 200,000 packets through pipelines with and without it in turns. Without the cells of counters
 * and registers ({@link net.sluice.emulator.v1model.prefetch.CellPrefetch}) a packet takes 1.19
 * times the CPU time, without any prefetching 1.46 times.
 */
package net.sluice.emulator.v1model.prefetch;
