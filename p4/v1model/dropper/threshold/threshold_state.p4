// The threshold loop's state in v1model: registers that ingress and egress share, indexed by port.

#ifndef SLUICE_THRESHOLD_STATE_P4
#define SLUICE_THRESHOLD_STATE_P4

// The clock goes round, so a time is told by how long ago it was; one that comes out longer ago than this, a second less than a round, is that
// of a packet in another thread that was quicker.
#define PAST_WITHIN 0xfffffff00000

register<bit<32>>(PORTS) queue_delay_micros;
register<bit<48>>(PORTS) queue_delay_time;
register<bit<32>>(PORTS) queue_delay_target;
// The threshold that CoDel has asked for since the loop's last step; zero if it has not.
register<bit<16>>(PORTS) codel_floor;

// In egress: what the packet that just left the queue waited, and the target of the queue's CoDel, zero if it has none.
control QueueDelayReport(in port_t port, in micros_t waited, in micros_t codel_target, in bit<48> now) {
    apply {
        queue_delay_micros.write((bit<32>) port, waited);
        queue_delay_time.write((bit<32>) port, now);
        queue_delay_target.write((bit<32>) port, codel_target);
    }
}

// In egress: makes a drop verdict of CoDel a floor for the threshold, just above the least value that has left the queue since the last
// verdict. What left below the target does not count: it says what was worth least before there was too much. Values are kept
// inverted, so that zero is none.
control VerdictReport(in port_t port, in value_t value, in micros_t waited, inout aqm_metadata_t aqm) {
    register<bit<16>>(PORTS) least_inverted;

    apply {
        value_t inverted;
        value_t kept = 0;
        @atomic {
            least_inverted.read(inverted, (bit<32>) port);
            if (~value > inverted) {
                inverted = ~value;
            }
            if (waited >= aqm.target && aqm.drop == 0) {
                kept = inverted;
            }
            least_inverted.write((bit<32>) port, kept);
        }
        if (aqm.drop == 1) {
            codel_floor.write((bit<32>) port, ~inverted |+| 1);
        }
        aqm.drop = 0;
    }
}

// In ingress: takes the floor there is.
control ThresholdFloor(in port_t port, out value_t floor) {
    apply {
        @atomic {
            codel_floor.read(floor, (bit<32>) port);
            codel_floor.write((bit<32>) port, 0);
        }
    }
}

// In ingress: the last report, the delay as zero when the queue has sent nothing for longer than a packet takes.
control QueueDelay(in port_t port, in bit<48> now, in micros_t idle, out micros_t waited, out micros_t codel_target) {
    apply {
        bit<48> reported;
        queue_delay_micros.read(waited, (bit<32>) port);
        queue_delay_time.read(reported, (bit<32>) port);
        queue_delay_target.read(codel_target, (bit<32>) port);
        bit<48> since = now - reported;
        if (since > (bit<48>) idle && since < PAST_WITHIN) {
            waited = 0;
        }
    }
}

// Whether a period has passed since the loop's last step, and the delay it saw then. A port that saw no packet for a second starts
// anew: its old threshold says nothing about the present load.
control LoopClock(in port_t port, in bit<48> now, in micros_t period, in micros_t waited,
                  out bit<1> due, out bit<1> forget, out micros_t previous) {
    register<bit<48>>(PORTS) loop_time;
    register<bit<32>>(PORTS) loop_delay;

    apply {
        bit<48> last;
        due = 0;
        forget = 0;
        @atomic {
            loop_time.read(last, (bit<32>) port);
            loop_delay.read(previous, (bit<32>) port);
            bit<48> since = now - last;
            if (since >= (bit<48>) period && since < PAST_WITHIN) {
                due = 1;
                if (since >= 1048576) {
                    forget = 1;
                    previous = waited;
                }
                loop_time.write((bit<32>) port, now);
                loop_delay.write((bit<32>) port, waited);
            }
        }
    }
}

// In packet-value codes, 16.16 fixed point.
register<bit<32>>(PORTS) congestion_threshold;

// The threshold, saturating at both ends. A step begins at the floor if it was lower.
control ThresholdRegister(in port_t port, in bit<1> due, in bit<1> forget, in bit<1> idle, in bit<1> gentle, in value_t floor,
                          in int<32> step, out value_t threshold) {
    apply {
        bit<32> value;
        @atomic {
            congestion_threshold.read(value, (bit<32>) port);
            if (due == 1) {
                if (forget == 1) {
                    value = 0;
                } else if (idle == 1) {
                    // Nothing waits: let go quickly, by 1/128 or 1/1,024 a period, rather than at the pace of the integral.
                    if (gentle == 1) {
                        value = value - (value >> 10);
                    } else {
                        value = value - (value >> 7);
                    }
                } else {
                    if (value[31:16] < floor) {
                        value = floor ++ 16w0;
                    }
                    if (step >= 0) {
                        value = value |+| (bit<32>) step;
                    } else {
                        value = value |-| (bit<32>) (-step);
                    }
                }
                congestion_threshold.write((bit<32>) port, value);
            }
        }
        threshold = value[31:16];
    }
}

#endif
