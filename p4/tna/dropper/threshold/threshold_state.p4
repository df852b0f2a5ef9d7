// The threshold loop's state in TNA. Ingress and egress share no registers here: egress mirrors the delay that a port's packets had into the
// ingress pipeline, where such a report steps the loop; data packets only read what it left. The clock ticks each 256 ns, which is a byte off
// the nanoseconds; delays and periods are in ticks of 1,024 ns.
//
// The clock goes round every 18 minutes, so times are compared by the sign of their difference: a signed difference in a condition is 32 bits
// of a register's ALU, and right as long as the times are less than half a round apart. Cast as a whole, it would be that of 35 bits.

#ifndef SLUICE_TNA_THRESHOLD_STATE_P4
#define SLUICE_TNA_THRESHOLD_STATE_P4

// A port reports at most once in so many ticks.
#define REPORT_TICKS 512

Register<bit<32>, port_t>(PORTS) congestion_threshold;
// Until when the threshold holds without another report. A threshold above all that is offered would keep packets from leaving, and so reports
// from coming, for good.
Register<bit<32>, port_t>(PORTS) threshold_expiry;
// Whether the queue is so long that ECN-capable packets are dropped too.
Register<bit<8>, port_t>(PORTS) too_late_to_mark;

// In egress: how long the packet that just left the queue was in the switch, now and then.
control QueueDelayReport(inout metadata_t md, in micros_t arrival, in micros_t now, inout MirrorType_t mirror_type) {
    Register<bit<32>, port_t>(PORTS) last_report;
    bit<1> due = 0;

    REGISTER_ACTION(bit<32>, port_t, last_report, tick, last, bit<1>, passed) {
        passed = 0;
        // A time ahead of the clock is one before it went round.
        if (now - last >= REPORT_TICKS || last > now) {
            last = now;
            passed = 1;
        }
    } END_REGISTER_ACTION(last_report, last)

    action wait_ticks() {
        md.report.delay = now - arrival;
        md.report.port = md.egress_port;
        EXECUTE(due, tick, md.egress_port);
    }

    action report() {
        md.report.delay = md.report.delay >> 2;
        md.report.kind = INTERNAL_REPORT;
        md.report.session = REPORT_SESSION;
        mirror_type = REPORT_MIRROR;
    }

    // The back end places these late, where no stage is left, unless it is told.
    @hidden @stage(1) table Measure {
        actions = { wait_ticks; }
        const default_action = wait_ticks();
    }

    apply {
        Measure.apply();
        if (due == 1) {
            report();
        }
    }
}

// Whether a period has passed since the loop's last step, and the delay it saw then, times the proportional gain.
control LoopClock(in port_t port, in tick_t now, in tick_t period, in int<32> proportional, out bit<1> due, out int<32> previous) {
    Register<bit<32>, port_t>(PORTS) loop_time;
    Register<int<32>, port_t>(PORTS) loop_delay;

    bit<32> since = 0;

    action before() {
        since = now - period;
    }

    REGISTER_ACTION(bit<32>, port_t, loop_time, tick, last, bit<1>, passed) {
        passed = 0;
        // A step that seems to be ahead was more than half a round ago.
        if ((int<32>) since - (int<32>) last >= 0 || (int<32>) last - (int<32>) now > 0) {
            last = now;
            passed = 1;
        }
    } END_REGISTER_ACTION(loop_time, last)

    REGISTER_ACTION(int<32>, port_t, loop_delay, exchange, delay, int<32>, before) {
        before = delay;
        delay = proportional;
    } END_REGISTER_ACTION(loop_delay, delay)

    apply {
        before();
        EXECUTE(due, tick, port);
        if (due == 1) {
            EXECUTE(previous, exchange, port);
        } else {
            previous = 0;
        }
    }
}

// In the way of a report: the threshold, 16.16 fixed point in packet-value codes, saturating at both ends, and how long it holds.
control ThresholdWrite(in port_t port, in bit<1> due, in int<32> up, in int<32> down, in tick_t expiry, in bit<8> late) {
    REGISTER_UPDATE(bit<32>, port_t, congestion_threshold, raise, value) {
        value = value |+| (bit<32>) up;
    } END_REGISTER_ACTION(congestion_threshold, value)
    REGISTER_UPDATE(bit<32>, port_t, congestion_threshold, lower, value) {
        value = value |-| (bit<32>) down;
    } END_REGISTER_ACTION(congestion_threshold, value)
    REGISTER_UPDATE(bit<32>, port_t, threshold_expiry, hold, until) {
        until = expiry;
    } END_REGISTER_ACTION(threshold_expiry, until)
    REGISTER_UPDATE(bit<8>, port_t, too_late_to_mark, tell, value) {
        value = late;
    } END_REGISTER_ACTION(too_late_to_mark, value)

    apply {
        UPDATE(hold, port);
        UPDATE(tell, port);
        if (due == 1) {
            if (up >= 0) {
                UPDATE(raise, port);
            } else {
                UPDATE(lower, port);
            }
        }
    }
}

// In the way of a data packet.
control ThresholdRead(in port_t port, in tick_t now, in tick_t horizon, out value_t threshold, out bit<1> fresh, out bit<8> late) {
    REGISTER_ACTION(bit<32>, port_t, congestion_threshold, read, value, value_t, code) {
        code = value[31:16];
    } END_REGISTER_ACTION(congestion_threshold, value)
    REGISTER_ACTION(bit<32>, port_t, threshold_expiry, holds, until, bit<1>, yes) {
        yes = 0;
        // An expiry beyond the horizon is a past one.
        if ((int<32>) until - (int<32>) now >= 0 && (int<32>) horizon - (int<32>) until >= 0) {
            yes = 1;
        }
    } END_REGISTER_ACTION(threshold_expiry, until)
    REGISTER_ACTION(bit<8>, port_t, too_late_to_mark, is_late, value, bit<8>, yes) {
        yes = value;
    } END_REGISTER_ACTION(too_late_to_mark, value)

    apply {
        EXECUTE(threshold, read, port);
        EXECUTE(fresh, holds, port);
        EXECUTE(late, is_late, port);
    }
}

#endif
