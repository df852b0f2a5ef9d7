// CoDel as RFC 8289, section 5, writes it down, one packet at a time: what a target without a Tofino's limits can do, and the reference
// for CoDel-ACT. Registers are read and written where the RFC does, times have 48 bits.

#ifndef SLUICE_CODEL_RFC8289_P4
#define SLUICE_CODEL_RFC8289_P4

control CodelRfc8289(inout metadata_t md, in micros_t queue_delay, in bit<1> short_queue, in bit<48> now) {
    register<bit<48>>(MANAGED_QUEUES) first_above_time;
    register<bit<48>>(MANAGED_QUEUES) drop_next;
    register<bit<32>>(MANAGED_QUEUES) count;
    register<bit<32>>(MANAGED_QUEUES) last_count;
    register<bit<1>>(MANAGED_QUEUES) dropping;
    CodelControlLaw() guess;

    apply {
        bit<32> queue = (bit<32>) md.codel.queue;
        bit<1>  ok_to_drop = 0;
        bit<48> first_above;
        bit<48> next;
        bit<32> drops;
        bit<32> last_drops;
        bit<1>  in_drop_state;
        @atomic {
            first_above_time.read(first_above, queue);
            drop_next.read(next, queue);
            count.read(drops, queue);
            last_count.read(last_drops, queue);
            dropping.read(in_drop_state, queue);

            // Times are compared by their distance, as the clock may go round: DUE_WITHIN is what is due now.
            bit<48> interval = (bit<48>) md.aqm.interval;
            bit<48> since_above = now - first_above + DUE_WITHIN;
            bit<48> since_next = now - next + DUE_WITHIN;

            // A time that passed two intervals ago is that of a queue that was not managed meanwhile.
            bit<48> stale = (interval << 1) + DUE_WITHIN;
            if (in_drop_state == 1 ? since_next >= stale : first_above != 0 && since_above >= stale) {
                first_above = 0;
                in_drop_state = 0;
            }

            if (queue_delay < md.aqm.target || short_queue == 1) {
                first_above = 0;
            } else if (first_above == 0) {
                first_above = now + interval;
            } else if (since_above >= DUE_WITHIN) {
                ok_to_drop = 1;
            }

            if (ok_to_drop == 0) {
                in_drop_state = 0;
            } else if (in_drop_state == 1) {
                if (since_next >= DUE_WITHIN) {
                    md.aqm.drop = 1;
                    drops = drops |+| 1;
                }
            } else {
                md.aqm.drop = 1;
                in_drop_state = 1;
                bit<32> delta = drops - last_drops;
                drops = 1;
                if (delta > 1 && since_next < (interval << 4) + DUE_WITHIN) {
                    drops = delta;
                }
                last_drops = drops;
                next = now;
            }
            if (md.aqm.drop == 1) {
                // interval / sqrt(count), which is 2^22 us / sqrt(n) of the weighted count n, in units of 2^-10 us: the table's guess, off by 6 %
                // at most, and two of Newton's steps, s (3 - n s^2) / 2. An n that the table has no bits for is looked up as n / 2^20, whose root
                // is 2^10 times smaller. From 2^44 on the wait is less than 1 us, which counts as none.
                bit<128> n = ((bit<128>) md.aqm.weight) * ((bit<128>) drops);
                if (n > 128w1 << 44) {
                    n = 128w1 << 44;
                }
                bit<32> key = n[31:0];
                micros_t step;
                if (n[44:32] != 0) {
                    key = n[51:20];
                }
                guess.apply(key, step);
                bit<128> s = (bit<128>) step;
                if (n[44:32] == 0) {
                    s = s << 10;
                }
                s = (s * ((128w3 << 64) - n * s * s)) >> 65;
                s = (s * ((128w3 << 64) - n * s * s)) >> 65;
                next = next + (bit<48>) (s >> 10);
            }

            first_above_time.write(queue, first_above);
            drop_next.write(queue, next);
            count.write(queue, drops);
            last_count.write(queue, last_drops);
            dropping.write(queue, in_drop_state);
        }
    }
}

#endif
