// CoDel-ACT's registers, square root and mirror in v1model; what one access of a Tofino register does is one control here.

#ifndef SLUICE_CODEL_STATE_P4
#define SLUICE_CODEL_STATE_P4

// The clone session of mirrored packets; its port needs no line: the packets end in egress.
#define CODEL_CLONE_SESSION 1
#define INSTANCE_TYPE_EGRESS_CLONE 2
// No drop is due later than this: the longest interval is 1 s. A time that seems further ahead is a past one, from before the clock went round.
#define DUE_WITHIN 0x100000
// CodelHistoryTime's horizon is 15 intervals before now, the time it keeps at most one after now: together less than this, in units of 1,024 us.
#define RECENT_WITHIN 16384

// The predecessor's table (P4-CoDel): the count rounded down to a power of two, for an interval of 100 ms and counts that weigh 2,048
// each, about as much as those of 100 ms above: a queue that changes over in the middle of a cycle goes on at nearly the same pace.
control P4CodelControlLaw(in codel_weight_t count, out micros_t step) {
    action set_step(micros_t s) {
        step = s;
    }

    table PowerOfTwoLaw {
        key = { count : lpm; }
        actions = { set_step; }
        const default_action = set_step(100000);
        const entries = {
            0x00000800 &&& 0xfffff800 : set_step(100000);
            0x00001000 &&& 0xfffff000 : set_step(70710);
            0x00002000 &&& 0xffffe000 : set_step(50000);
            0x00004000 &&& 0xffffc000 : set_step(35355);
            0x00008000 &&& 0xffff8000 : set_step(25000);
            0x00010000 &&& 0xffff0000 : set_step(17677);
            0x00020000 &&& 0xfffe0000 : set_step(12500);
            0x00040000 &&& 0xfffc0000 : set_step(8838);
            0x00080000 &&& 0xfff80000 : set_step(6250);
            0x00100000 &&& 0xfff00000 : set_step(4419);
            0x00200000 &&& 0xffe00000 : set_step(3125);
            0x00400000 &&& 0xffc00000 : set_step(2209);
            0x00800000 &&& 0xff800000 : set_step(1562);
            0x01000000 &&& 0xff000000 : set_step(1104);
            0x02000000 &&& 0xfe000000 : set_step(781);
            0x04000000 &&& 0xfc000000 : set_step(552);
            0x08000000 &&& 0xf8000000 : set_step(552);
            0x10000000 &&& 0xf0000000 : set_step(552);
            0x20000000 &&& 0xe0000000 : set_step(552);
            0x40000000 &&& 0xc0000000 : set_step(552);
            0x80000000 &&& 0x80000000 : set_step(552);
        }
    }

    apply {
        PowerOfTwoLaw.apply();
    }
}

// Whether the last packet was above the target.
control CodelCycle(in managed_queue_t queue, in bit<1> above, out bit<1> was_above) {
    register<bit<1>>(MANAGED_QUEUES) dropping;

    apply {
        @atomic {
            dropping.read(was_above, (bit<32>) queue);
            dropping.write((bit<32>) queue, above);
        }
    }
}

// When the next drop is due, and the count it is followed by.
control CodelUpdate(in managed_queue_t queue, in codel_op_t op, in AqmKind_t kind, in micros_t now, in micros_t stale,
                    in micros_t interval, in codel_weight_t first, in codel_weight_t weight, out bit<1> due, out micros_t next) {
    register<bit<32>>(MANAGED_QUEUES) drop_next;
    register<bit<32>>(MANAGED_QUEUES) count;
    CodelControlLaw() control_law;
    P4CodelControlLaw() p4_codel_law;

    apply {
        codel_weight_t at = 0;
        micros_t step = 0;
        due = 0;
        next = 0;
        if (op != CODEL_IDLE) {
            @atomic {
                drop_next.read(next, (bit<32>) queue);
                count.read(at, (bit<32>) queue);
                // DUE_WITHIN is what is due now.
                micros_t since = now - next + DUE_WITHIN;
                if (op == CODEL_START || (op == CODEL_RUN && since >= now - stale + DUE_WITHIN)) {
                    next = now + interval;
                    at = first;
                } else if (op == CODEL_LOAD) {
                    at = first;
                } else if (op == CODEL_RUN && since >= DUE_WITHIN) {
                    due = 1;
                    if (kind == AqmKind_t.P4_CODEL) {
                        p4_codel_law.apply(at, step);
                    } else {
                        control_law.apply(at, step);
                    }
                    next = next + step;
                    at = at |+| weight;
                }
                drop_next.write((bit<32>) queue, next);
                count.write((bit<32>) queue, at);
            }
        }
    }
}

// The drops of the cycle, in weights.
control CodelDrops(in managed_queue_t queue, in codel_op_t op, in bit<1> due, in codel_weight_t weight, out codel_weight_t drops) {
    register<bit<32>>(MANAGED_QUEUES) cycle_drops;

    apply {
        drops = 0;
        if (op == CODEL_START || op == CODEL_END || due == 1) {
            @atomic {
                cycle_drops.read(drops, (bit<32>) queue);
                if (op == CODEL_START) {
                    drops = 0;
                } else if (due == 1) {
                    drops = drops |+| weight;
                }
                cycle_drops.write((bit<32>) queue, drops);
            }
        }
    }
}

// The init copy of the count: by how much it grew in the last cycle that dropped.
control CodelHistory(in managed_queue_t queue, in codel_op_t op, in codel_weight_t count, out codel_weight_t found) {
    register<bit<32>>(MANAGED_QUEUES) last_count;

    apply {
        found = 0;
        if (op == CODEL_START) {
            last_count.read(found, (bit<32>) queue);
        } else if (op == CODEL_KEEP) {
            last_count.write((bit<32>) queue, count);
        }
    }
}

// The init copy of the next drop's time, and whether it is after the horizon.
control CodelHistoryTime(in managed_queue_t queue, in codel_op_t op, in bit<32> until, in bit<32> horizon, out bit<1> recent) {
    register<bit<32>>(MANAGED_QUEUES) last_drop_next;

    apply {
        recent = 0;
        if (op == CODEL_START) {
            bit<32> last;
            last_drop_next.read(last, (bit<32>) queue);
            bit<32> after = last - horizon;
            if (after != 0 && after < RECENT_WITHIN) {
                recent = 1;
            }
        } else if (op == CODEL_KEEP) {
            last_drop_next.write((bit<32>) queue, until);
        }
    }
}

// Sends a copy of the packet, with the fields of CODEL_FIELD_LIST, through egress once more.
control CodelMirror() {
    apply {
        clone_preserving_field_list(CloneType.E2E, CODEL_CLONE_SESSION, CODEL_FIELD_LIST);
    }
}

#endif
