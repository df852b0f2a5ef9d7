// The value-based dropper at a bottleneck port: drops, or CE-marks when the sender understands ECN, what is worth less than the
// congestion threshold value (CTV).

#ifndef SLUICE_DROPPER_P4
#define SLUICE_DROPPER_P4

#include "threshold_loop.p4"

control ValueDropper(inout headers_t hdr, inout metadata_t md, in bit<48> now) {
    CongestionThresholdLoop() loop;

    action steer(Gain_t gain, micros_t target_micros, micros_t overload_micros, micros_t period_micros,
                 micros_t idle_micros, micros_t ecn_drop_micros) {
        md.dropper.gain = gain;
        md.dropper.target = target_micros;
        md.dropper.overload = overload_micros;
        md.dropper.period = period_micros;
        md.dropper.idle = idle_micros;
        md.dropper.ecn_drop = ecn_drop_micros;
    }

    table CongestionThreshold {
        key = { md.egress_port : exact @name("egress_port"); }
        actions = { steer; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PORTS;
    }

    apply {
        if (CongestionThreshold.apply().hit) {
            loop.apply(md, now);
            if (md.value < md.dropper.threshold) {
                // A sender that ignores its marks must not fill the queue: past ecn_drop the mark becomes a drop (RFC 3168, 7).
                if (md.ecn != ECN_NOT_ECT && md.dropper.queue_delay < md.dropper.ecn_drop) {
                    if (hdr.ipv4.isValid()) {
                        hdr.ipv4.ecn = ECN_CE;
                    } else if (hdr.ipv6.isValid()) {
                        hdr.ipv6.ecn = ECN_CE;
                    }
                } else {
                    md.drop = DropReason_t.BELOW_THRESHOLD;
                }
            }
        }
    }
}

#endif
