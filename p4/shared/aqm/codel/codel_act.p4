// CoDel-ACT (paper 002): CoDel (RFC 8289) for a pipeline in which a packet reaches each register once. The state is split into copies
// for the start of a congestion cycle (init) and for its drops (update); a mirrored packet carries it from one to the other. The
// including architecture supplies the registers (CodelCycle, CodelUpdate, CodelDrops, CodelHistory, CodelHistoryTime), the mirror
// (CodelMirror) and DUE_WITHIN, a time further ahead than any drop is due; docs/papers/002-codel-act.md is the design.
//
// Counts are weighted: a count of one is (2^22 us / interval)^2, so that interval / sqrt(count) is 2^22 us / sqrt(weighted count) and
// one table, or one math unit, serves every interval.

#ifndef SLUICE_CODEL_ACT_P4
#define SLUICE_CODEL_ACT_P4

// Sets md.aqm.drop on a packet that has to go. `short_queue` says that at most one packet waits behind this one, which never makes a
// queue worth dropping from (RFC 8289, section 5.3: at most an MTU of backlog). `coarse` is the time in units of 1,024 us: 32 bits of
// microseconds are 71 minutes, and a queue that was idle for longer must not take its history for recent.
control CodelAct(inout metadata_t md, in micros_t queue_delay, in bit<1> short_queue, in micros_t now, in bit<32> coarse) {
    CodelCycle() cycle;
    CodelUpdate() update;
    CodelDrops() cycle_drops;
    CodelHistory() history;
    CodelHistoryTime() history_time;
    CodelMirror() mirror;

    apply {
        bit<1> above = 0;
        bit<1> was_above = 0;
        bit<1> recent = 0;
        micros_t next = 0;
        codel_weight_t first = 0;
        codel_weight_t drops = 0;
        codel_weight_t found = 0;

        if (md.codel.op == CODEL_IDLE) {
            micros_t room = md.aqm.target |-| queue_delay;
            if (room == 0 && short_queue == 0) {
                above = 1;
            }
            cycle.apply(md.codel.queue, above, was_above);
            if (above == 1 && was_above == 0) {
                md.codel.op = CODEL_START;
            } else if (above == 1) {
                md.codel.op = CODEL_RUN;
            } else if (was_above == 1) {
                md.codel.op = CODEL_END;
            }
        }

        // Update copies. A drop that has been due for two intervals is that of a queue that was not managed meanwhile: its cycle begins
        // anew. A start arms them in the same pass with the longest wait, so that nothing can be due before the mirrored
        // packet is back, nor if it is lost.
        first = md.aqm.weight;
        if (md.aqm.kind == AqmKind_t.P4_CODEL) {
            // The predecessor waits interval / sqrt(2) after its first drop.
            first = md.aqm.weight << 1;
        }
        if (md.codel.op == CODEL_LOAD) {
            first = md.codel.count;
        }
        update.apply(md.codel.queue, md.codel.op, md.aqm.kind, now, now - (md.aqm.interval << 1), md.aqm.interval, first, md.aqm.weight,
                     md.aqm.drop, next);
        cycle_drops.apply(md.codel.queue, md.codel.op, md.aqm.drop, md.aqm.weight, drops);

        // Init copies. The predecessor has none: each cycle begins with a count of 1.
        if (md.aqm.kind != AqmKind_t.P4_CODEL) {
            // What is recent is judged when the first drop is due, an interval after the start: 16 intervals then are 15 now.
            bit<32> horizon = coarse - (((md.aqm.interval << 4) - md.aqm.interval) >> 10);
            history.apply(md.codel.queue, md.codel.op, md.codel.count, found);
            history_time.apply(md.codel.queue, md.codel.op, md.codel.until, horizon, recent);
            if (md.codel.op == CODEL_START) {
                codel_weight_t beyond_one = found |-| md.aqm.weight;
                if (recent == 1 && beyond_one != 0) {
                    md.codel.count = found;
                    md.codel.op = CODEL_LOAD;
                    mirror.apply();
                }
            } else if (md.codel.op == CODEL_END && drops != 0 && now - next + DUE_WITHIN < (md.aqm.interval << 4) + DUE_WITHIN) {
                // What is as old as that would not be recent. The count has grown by one with each drop but the first.
                int<32> ahead = (int<32>) (next - now);
                md.codel.count = drops - md.aqm.weight;
                md.codel.until = coarse + (bit<32>) (ahead >> 10);
                md.codel.op = CODEL_KEEP;
                mirror.apply();
            }
        }
    }
}

#endif
