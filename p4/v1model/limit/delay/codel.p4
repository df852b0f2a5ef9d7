// The state of CoDel of each limited direction of a subscriber, and its square root in v1model, which multiplies.

#ifndef SLUICE_LIMIT_CODEL_P4
#define SLUICE_LIMIT_CODEL_P4

// interval / sqrt(count): 2^22 us / sqrt(4 count), times interval / 2^21 us. The table of roots begins at 4.
control CodelPause(in micros_t interval, in bit<16> count, out micros_t pause) {
    CodelControlLaw() law;

    apply {
        micros_t root;
        law.apply(((codel_weight_t) count) << 2, root);
        pause = (micros_t) ((((bit<64>) root) * ((bit<64>) interval)) >> 21);
    }
}

#include "../../../shared/limit/delay/wait_codel.p4"

// Of a limit: the tick in which the last packet that waits under it has left for certain, and when its wait has been above the target for an
// interval, 0 while it is below.
register<bit<64>>(SUBSCRIBER_DIRECTIONS) limit_waits;
// When the next drop is due; whether it drops, and the counts.
register<bit<64>>(SUBSCRIBER_DIRECTIONS) wait_codel;

// A packet that does not wait: the wait is below the target.
control CalmDown(in direction_index_t limit) {
    apply {
        bit<64> waits;
        limit_waits.read(waits, (bit<32>) limit);
        if (waits[31:0] != 0) {
            limit_waits.write((bit<32>) limit, waits[63:32] ++ 32w0);
        }
    }
}

control LimitCodel(in direction_index_t limit, in micros_t interval, in bit<1> below, in micros_t now, inout bit<1> signal) {
    WaitCodel() codel;

    apply {
        bit<64> waits;
        bit<64> drops;
        limit_waits.read(waits, (bit<32>) limit);
        // Most limits are not exceeded, and nothing changes.
        if (below == 0 || waits[31:0] != 0) {
            wait_codel.read(drops, (bit<32>) limit);
            wait_codel_t state = { waits[31:0], drops[63:32], drops[15:0], drops[30:16], drops[31:31] };
            codel.apply(state, interval, below, now, signal);
            limit_waits.write((bit<32>) limit, waits[63:32] ++ state.above_until);
            wait_codel.write((bit<32>) limit, state.drop_next ++ state.dropping ++ state.last_count ++ state.count);
        }
    }
}

#endif
