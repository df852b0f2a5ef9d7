// The threshold loop's state in TNA. Ingress and egress share no registers here: egress mirrors the delay that a port's packets had into the
// ingress pipeline, where such a report steps the loop; data packets only read what it left. The clock ticks each 256 ns, which is a byte off
// the nanoseconds; delays and periods are in ticks of 1,024 ns.

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

    RegisterAction<bit<32>, port_t, bit<1>>(last_report) tick = {
        void apply(inout bit<32> last, out bit<1> passed) {
            passed = 0;
            // The clock wraps every 18 minutes: a time ahead of it is one before.
            if (now - last >= REPORT_TICKS || last > now) {
                last = now;
                passed = 1;
            }
        }
    };

    action wait_ticks() {
        md.report_delay = now - arrival;
        md.report_port = md.egress_port;
        due = tick.execute(md.egress_port);
    }

    action report() {
        md.report_delay = md.report_delay >> 2;
        md.report_kind = INTERNAL_REPORT;
        md.report_session = REPORT_SESSION;
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
control LoopClock(in port_t port, in tick_t now, in micros_t period, in int<32> proportional, out bit<1> due, out int<32> previous) {
    Register<bit<32>, port_t>(PORTS) loop_time;
    Register<int<32>, port_t>(PORTS) loop_delay;

    bit<32> since = 0;

    action before() {
        since = now - period;
    }

    RegisterAction<bit<32>, port_t, bit<1>>(loop_time) tick = {
        void apply(inout bit<32> last, out bit<1> passed) {
            passed = 0;
            if (last <= since || last > now) {
                last = now;
                passed = 1;
            }
        }
    };

    RegisterAction<int<32>, port_t, int<32>>(loop_delay) exchange = {
        void apply(inout int<32> delay, out int<32> before) {
            before = delay;
            delay = proportional;
        }
    };

    apply {
        before();
        due = tick.execute(port);
        if (due == 1) {
            previous = exchange.execute(port);
        } else {
            previous = 0;
        }
    }
}

// In the way of a report: the threshold, 16.16 fixed point in packet-value codes, saturating at both ends, and how long it holds.
control ThresholdWrite(in port_t port, in bit<1> due, in int<32> up, in int<32> down, in tick_t expiry, in bit<8> late) {
    RegisterAction<bit<32>, port_t, bit<32>>(congestion_threshold) raise = {
        void apply(inout bit<32> value) {
            value = value |+| (bit<32>) up;
        }
    };
    RegisterAction<bit<32>, port_t, bit<32>>(congestion_threshold) lower = {
        void apply(inout bit<32> value) {
            value = value |-| (bit<32>) down;
        }
    };
    RegisterAction<bit<32>, port_t, bit<32>>(threshold_expiry) hold = {
        void apply(inout bit<32> until) {
            until = expiry;
        }
    };
    RegisterAction<bit<8>, port_t, bit<8>>(too_late_to_mark) tell = {
        void apply(inout bit<8> value) {
            value = late;
        }
    };

    apply {
        hold.execute(port);
        tell.execute(port);
        if (due == 1) {
            if (up >= 0) {
                raise.execute(port);
            } else {
                lower.execute(port);
            }
        }
    }
}

// In the way of a data packet.
control ThresholdRead(in port_t port, in tick_t now, in tick_t horizon, out value_t threshold, out bit<1> fresh, out bit<8> late) {
    RegisterAction<bit<32>, port_t, value_t>(congestion_threshold) read = {
        void apply(inout bit<32> value, out value_t code) {
            code = value[31:16];
        }
    };
    RegisterAction<bit<32>, port_t, bit<1>>(threshold_expiry) holds = {
        void apply(inout bit<32> until, out bit<1> yes) {
            yes = 0;
            // An expiry beyond the horizon is of the time before the clock wrapped.
            if (until >= now && until <= horizon) {
                yes = 1;
            }
        }
    };
    RegisterAction<bit<8>, port_t, bit<8>>(too_late_to_mark) is_late = {
        void apply(inout bit<8> value, out bit<8> yes) {
            yes = value;
        }
    };

    apply {
        threshold = read.execute(port);
        fresh = holds.execute(port);
        late = is_late.execute(port);
    }
}

#endif
