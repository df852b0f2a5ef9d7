// CoDel (RFC 8289, section 5) on a wait that is known when the packet comes: a shaped limit knows when the packet will start. The state is the
// architecture's to keep, and so is CodelPause, interval / sqrt(count).

#ifndef SLUICE_WAIT_CODEL_P4
#define SLUICE_WAIT_CODEL_P4

struct wait_codel_t {
    // When the wait has been above the target for an interval, 0 while it is below; in us.
    micros_t above_until;
    micros_t drop_next;
    bit<16>  count;
    bit<15>  last_count;
    bit<1>   dropping;
}

// Sets `signal` on a packet that is to be dropped or marked. `below` says that it waits less than the target, or for one packet at most.
control WaitCodel(inout wait_codel_t state, in micros_t interval, in bit<1> below, in micros_t now, inout bit<1> signal) {
    CodelPause() pause;

    apply {
        micros_t due = state.above_until;
        if (state.dropping == 1) {
            due = state.drop_next;
        }
        micros_t since = now - due;
        if (below == 1) {
            state.above_until = 0;
            state.dropping = 0;
        } else if (state.above_until == 0 || since + (interval << 1) > interval << 2) {
            // What has not been looked at for two intervals begins anew: else it would have been dropped, or is from before the clock went round.
            // 0 is kept for none.
            state.above_until = (now + interval) | 1;
            state.dropping = 0;
        } else if (since[31:31] == 0) {
            signal = 1;
            if (state.dropping == 1) {
                state.count = state.count |+| 1;
            } else {
                state.dropping = 1;
                micros_t since_next = now - state.drop_next;
                bit<16> grown = state.count - (bit<16>) state.last_count;
                state.count = 1;
                if (grown > 1 && grown[15:15] == 0 && since_next + (interval << 4) < interval << 5) {
                    state.count = grown;
                }
                state.last_count = state.count[14:0];
                state.drop_next = now;
            }
        }
        if (signal == 1) {
            micros_t wait;
            pause.apply(interval, state.count, wait);
            state.drop_next = state.drop_next + wait;
        }
    }
}

#endif
