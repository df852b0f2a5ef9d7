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
        bit<32> queue = (bit<32>) md.managed_queue;
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

            // A time that passed two intervals ago is that of a queue that was not managed meanwhile.
            bit<48> stale = ((bit<48>) md.aqm_interval) << 1;
            if (in_drop_state == 1 ? now > next && now - next >= stale
                                   : first_above != 0 && now > first_above && now - first_above >= stale) {
                first_above = 0;
                in_drop_state = 0;
            }

            if (queue_delay < md.aqm_target || short_queue == 1) {
                first_above = 0;
            } else if (first_above == 0) {
                first_above = now + (bit<48>) md.aqm_interval;
            } else if (now >= first_above) {
                ok_to_drop = 1;
            }

            if (ok_to_drop == 0) {
                in_drop_state = 0;
            } else if (in_drop_state == 1) {
                if (now >= next) {
                    md.codel_drop = 1;
                    drops = drops + 1;
                }
            } else {
                md.codel_drop = 1;
                in_drop_state = 1;
                bit<32> delta = drops - last_drops;
                drops = 1;
                if (delta > 1 && (next > now || now - next < ((bit<48>) md.aqm_interval) << 4)) {
                    drops = delta;
                }
                last_drops = drops;
                next = now;
            }
            if (md.codel_drop == 1) {
                // interval / sqrt(count): the table's guess, off by 6 % at most, and two of Newton's steps, s (3 - n s^2) / 2.
                bit<96> weighted = ((bit<96>) md.codel_weight) * ((bit<96>) drops);
                bit<32> key = 0xffffffff;
                micros_t step;
                if (weighted[95:32] == 0) {
                    key = weighted[31:0];
                }
                guess.apply(key, step);
                bit<96> s = (bit<96>) step;
                s = (s * ((96w3 << 44) - weighted * s * s)) >> 45;
                s = (s * ((96w3 << 44) - weighted * s * s)) >> 45;
                next = next + (bit<48>) s;
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
