// CoDel-ACT (paper 002) as shared/aqm/codel/codel_act.p4 has it, in the stages of a Tofino's egress pipeline: every register is reached once, and
// each action below is one operation. Times are ticks of 256 ns; a setting in microseconds is taken for as many ticks of 1,024 ns. They are compared
// as ../../dropper/threshold/threshold_state.p4 tells.

#ifndef SLUICE_TNA_CODEL_P4
#define SLUICE_TNA_CODEL_P4

// A frame of 1,520 bytes, in the traffic manager's cells of 80: what may wait behind a packet in a queue that is not worth dropping from.
#define FRAME_CELLS 19
// No drop is due in more ticks: the longest interval is 1 s.
#define DUE_WITHIN 0x400000

control CodelAct(inout headers_t hdr, inout metadata_t md, in tick_t arrival, in bit<19> queue_cells,
                 inout MirrorType_t mirror_type, inout bit<3> drop_ctl) {
    Register<bit<8>, managed_queue_t>(MANAGED_QUEUES) dropping;
    // When the next drop is due, and the count it is followed by.
    REGISTER_PAIR(managed_queue_t, MANAGED_QUEUES, drop_next, count)
    Register<bit<32>, managed_queue_t>(MANAGED_QUEUES) cycle_drops;
    Register<bit<32>, managed_queue_t>(MANAGED_QUEUES) last_count;
    Register<bit<32>, managed_queue_t>(MANAGED_QUEUES) last_drop_next;
    // 2^22 us, in ticks, over the root of a weighted count.
    INVERSE_ROOT(law)
    JOINED(aqm_event_t, event_cell)
    COUNTER(bit<32>, aqm_event_t, MANAGED_QUEUES * 4) aqm_events;

    bit<8> was_above = 0;
    bit<1> due = 0;
    bit<1> recent = 0;
    bit<1> happened = 0;
    bit<2> event = 0;
    aqm_event_t cell = 0;
    bit<19> cells_beyond = 0;
    micros_t delay = 0;
    tick_t room = 0;
    tick_t first_drop = 0;
    // What the update copy compares or takes over, and adds or takes over.
    tick_t time = 0;
    codel_weight_t weight = 0;
    tick_t next = 0;
    tick_t horizon = 0;
    codel_weight_t drops = 0;
    codel_weight_t found = 0;
    codel_weight_t beyond_one = 0;

    REGISTER_ACTION(bit<8>, managed_queue_t, dropping, rise, above, bit<8>, before_rise) {
        before_rise = above;
        above = 1;
    } END_REGISTER_ACTION(dropping, above)
    REGISTER_ACTION(bit<8>, managed_queue_t, dropping, fall, above, bit<8>, before_fall) {
        before_fall = above;
        above = 0;
    } END_REGISTER_ACTION(dropping, above)

    PAIR_UPDATE(managed_queue_t, drop_next, count, arm, state) {
        state.first = time;
        state.second = weight;
    } END_PAIR_ACTION(drop_next, count, state)
    PAIR_UPDATE(managed_queue_t, drop_next, count, load, state) {
        state.second = weight;
    } END_PAIR_ACTION(drop_next, count, state)
    PAIR_LAW_ACTION(managed_queue_t, drop_next, count, run, state, bit<1>, passed) {
        passed = 0;
        if ((int<32>) time - (int<32>) state.first >= 0) {
            passed = 1;
            state.first = state.first + DIVIDE(law, state.second);
            state.second = state.second |+| weight;
        } else if ((int<32>) state.first - (int<32>) time > DUE_WITHIN) {
            // It was more than half a round of the clock ago, and the queue has sent nothing since.
            state.first = time;
        }
    } END_PAIR_ACTION(drop_next, count, state)
    PAIR_ACTION(managed_queue_t, drop_next, count, end, state, tick_t, until) {
        until = state.first;
    } END_PAIR_ACTION(drop_next, count, state)

    REGISTER_UPDATE(bit<32>, managed_queue_t, cycle_drops, clear, sum) {
        sum = 0;
    } END_REGISTER_ACTION(cycle_drops, sum)
    REGISTER_UPDATE(bit<32>, managed_queue_t, cycle_drops, add, sum) {
        sum = sum |+| weight;
    } END_REGISTER_ACTION(cycle_drops, sum)
    REGISTER_ACTION(bit<32>, managed_queue_t, cycle_drops, total, sum, codel_weight_t, all) {
        all = sum;
    } END_REGISTER_ACTION(cycle_drops, sum)

    REGISTER_ACTION(bit<32>, managed_queue_t, last_count, recall, kept, codel_weight_t, value) {
        value = kept;
    } END_REGISTER_ACTION(last_count, kept)
    REGISTER_UPDATE(bit<32>, managed_queue_t, last_count, keep, kept) {
        kept = md.codel.count;
    } END_REGISTER_ACTION(last_count, kept)
    REGISTER_ACTION(bit<32>, managed_queue_t, last_drop_next, is_recent, kept, bit<1>, yes) {
        yes = 0;
        // Nothing is kept that is further ahead than the first drop: what seems to be is a past time. The first drop is where a time to keep
        // is, as a register has two inputs.
        if ((int<32>) kept - (int<32>) horizon > 0 && (int<32>) md.codel.until - (int<32>) kept >= 0) {
            yes = 1;
        }
    } END_REGISTER_ACTION(last_drop_next, kept)
    REGISTER_UPDATE(bit<32>, managed_queue_t, last_drop_next, keep_time, kept) {
        kept = md.codel.until;
    } END_REGISTER_ACTION(last_drop_next, kept)

    action measure() {
        delay = md.now - arrival;
        md.aqm.target = md.aqm.target << 2;
        md.aqm.interval = md.aqm.interval << 2;
        cells_beyond = queue_cells |-| FRAME_CELLS;
    }

    // What is recent is judged when the first drop is due, an interval after the start: 16 intervals then are 15 now.
    action look() {
        room = md.aqm.target |-| delay;
        first_drop = md.now + md.aqm.interval;
        horizon = md.aqm.interval << 4;
    }

    action look_back() {
        horizon = first_drop - horizon;
    }

    action rose() {
        EXECUTE(was_above, rise, md.codel.queue);
    }

    action fell() {
        EXECUTE(was_above, fall, md.codel.queue);
    }

    action start() {
        md.codel.op = CODEL_START;
        md.codel.until = first_drop;
        time = first_drop;
        weight = md.aqm.weight;
    }

    action go_on() {
        md.codel.op = CODEL_RUN;
        time = md.now;
        weight = md.aqm.weight;
    }

    action stop() {
        md.codel.op = CODEL_END;
        weight = md.aqm.weight;
    }

    action take_over() {
        weight = md.codel.count;
    }

    action update_start() {
        UPDATE(arm, md.codel.queue);
    }

    action update_run() {
        EXECUTE(due, run, md.codel.queue);
    }

    action update_end() {
        EXECUTE(next, end, md.codel.queue);
    }

    action update_load() {
        UPDATE(load, md.codel.queue);
    }

    @hidden
    table Update {
        key = { md.codel.op : exact; }
        actions = { update_start; update_run; update_end; update_load; NoAction; }
        const default_action = NoAction();
        const entries = {
            CODEL_START : update_start();
            CODEL_RUN : update_run();
            CODEL_END : update_end();
            CODEL_LOAD : update_load();
        }
    }

    action compare() {
        beyond_one = found |-| weight;
    }

    action prepare_to_keep() {
        md.report.codel_count = drops - weight;
        md.codel.until = next;
    }

    action prepare_to_load() {
        md.report.codel_count = found;
    }

    action synchronise(codel_op_t op) {
        md.report.codel_op = op;
        md.report.kind = INTERNAL_CODEL;
        md.report.session = REPORT_SESSION;
        mirror_type = CODEL_MIRROR;
    }

    apply {
        measure();
        look();
        look_back();
        if (hdr.codel.isValid()) {
            take_over();
        } else if (md.aqm.kind == AqmKind_t.CODEL_ACT && room == 0 && cells_beyond != 0) {
            rose();
            if (was_above == 0) {
                start();
            } else {
                go_on();
            }
        } else if (hdr.bridge.isValid()) {
            // Also of a queue that is not managed any more: it begins anew when it is again.
            fell();
            if (was_above == 1 && md.aqm.kind == AqmKind_t.CODEL_ACT) {
                stop();
            }
        }
        Update.apply();
        if (md.codel.op == CODEL_START) {
            EXECUTE(found, recall, md.codel.queue);
            EXECUTE(recent, is_recent, md.codel.queue);
            UPDATE(clear, md.codel.queue);
        } else if (md.codel.op == CODEL_KEEP) {
            UPDATE(keep, md.codel.queue);
            UPDATE(keep_time, md.codel.queue);
        } else if (md.codel.op == CODEL_END) {
            EXECUTE(drops, total, md.codel.queue);
        } else if (due == 1) {
            UPDATE(add, md.codel.queue);
        }
        compare();
        if (md.codel.op == CODEL_START && recent == 1 && beyond_one != 0) {
            prepare_to_load();
            synchronise(CODEL_LOAD);
        } else if (md.codel.op == CODEL_END && drops != 0) {
            prepare_to_keep();
            synchronise(CODEL_KEEP);
        }
        if (hdr.codel.isValid()) {
            event = AQM_SYNCHRONISED;
            happened = 1;
            drop_ctl = 1;
        } else if (due == 1) {
            event = AQM_DROPPED;
            happened = 1;
            drop_ctl = 1;
        } else if (md.codel.op == CODEL_START) {
            event = AQM_CYCLE;
            happened = 1;
        }
        JOIN(event_cell, cell, md.codel.queue, event);
        if (happened == 1) {
            aqm_events.count(cell);
        }
    }
}

#endif
