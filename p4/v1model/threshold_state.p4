// The threshold loop's state in v1model: registers that ingress and egress share, indexed by port.

#ifndef SLUICE_THRESHOLD_STATE_P4
#define SLUICE_THRESHOLD_STATE_P4

register<bit<32>>(PORTS) queue_delay_micros;
register<bit<48>>(PORTS) queue_delay_time;

// In egress: what the packet that just left the queue waited.
control QueueDelayReport(in port_t port, in micros_t waited, in bit<48> now) {
    apply {
        queue_delay_micros.write((bit<32>) port, waited);
        queue_delay_time.write((bit<32>) port, now);
    }
}

// In ingress: the last report, or zero when the queue has sent nothing for longer than a packet takes.
control QueueDelay(in port_t port, in bit<48> now, in micros_t idle, out micros_t waited) {
    apply {
        bit<48> reported;
        queue_delay_micros.read(waited, (bit<32>) port);
        queue_delay_time.read(reported, (bit<32>) port);
        if (now > reported && now - reported > (bit<48>) idle) {
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
            if (now >= last && now - last >= (bit<48>) period) {
                due = 1;
                if (now - last >= 1048576) {
                    forget = 1;
                    previous = waited;
                }
                loop_time.write((bit<32>) port, now);
                loop_delay.write((bit<32>) port, waited);
            }
        }
    }
}

// The threshold, 16.16 fixed point in packet-value codes, saturating at both ends.
control ThresholdRegister(in port_t port, in bit<1> due, in bit<1> forget, in bit<1> idle, in int<32> step, out value_t threshold) {
    register<bit<32>>(PORTS) congestion_threshold;

    apply {
        bit<32> value;
        @atomic {
            congestion_threshold.read(value, (bit<32>) port);
            if (due == 1) {
                if (forget == 1) {
                    value = 0;
                } else if (idle == 1) {
                    // Nothing waits: let go quickly, by 1/128 a period, rather than at the pace of the integral.
                    value = value - (value >> 7);
                } else if (step >= 0) {
                    value = value |+| (bit<32>) step;
                } else {
                    value = value |-| (bit<32>) (-step);
                }
                congestion_threshold.write((bit<32>) port, value);
            }
        }
        threshold = value[31:16];
    }
}

#endif
