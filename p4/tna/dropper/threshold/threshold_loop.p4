// Steers a port's congestion threshold value as shared/dropper/threshold/threshold_loop.p4 does, in the stages of a Tofino.

#ifndef SLUICE_TNA_THRESHOLD_LOOP_P4
#define SLUICE_TNA_THRESHOLD_LOOP_P4

// Steps are 16.16 fixed point in packet-value codes. Shifts are constants because a Tofino cannot shift by a variable.
#define INTEGRAL_FAST 6
#define INTEGRAL_MEDIUM 2
#define PROPORTIONAL_FAST 13
#define PROPORTIONAL_MEDIUM 11
#define PROPORTIONAL_SLOW 9
// What an overload adds on top, and an idle queue takes off: 128, 64 and 32 codes a period.
#define OVERLOAD_FAST 8388608
#define OVERLOAD_MEDIUM 4194304
#define OVERLOAD_SLOW 2097152
// Longer delays count as these (131 and 524 ms), so that no step can overflow 32 bits.
#define DELAY_MAX_FAST 0x1ffff
#define DELAY_MAX 0x7ffff

control CongestionThresholdLoop(inout metadata_t md, in tick_t now) {
    LoopClock() clock;
    ThresholdWrite() threshold;

    bit<1> due = 0;
    bit<8> late = 0;
    micros_t below_overload = 0;
    micros_t below_ecn_drop = 0;
    int<32> proportional = 0;
    int<32> previous = 0;
    int<32> integral = 0;
    int<32> aim = 0;
    int<32> push = 0;
    int<32> up = 0;
    int<32> down = 0;

    // Each action is one stage of a Tofino: one operation on a field, and its result is there for the next. What does not depend on the
    // register of the previous delay is done while that is read: integral * (delay - target) + proportional * (delay - previous).
    action weigh_fast() {
        proportional = (int<32>) (md.dropper.queue_delay << PROPORTIONAL_FAST);
        integral = (int<32>) (md.dropper.queue_delay << INTEGRAL_FAST);
        aim = (int<32>) (md.dropper.target << INTEGRAL_FAST);
        push = OVERLOAD_FAST;
    }

    action weigh_medium() {
        proportional = (int<32>) (md.dropper.queue_delay << PROPORTIONAL_MEDIUM);
        integral = (int<32>) (md.dropper.queue_delay << INTEGRAL_MEDIUM);
        aim = (int<32>) (md.dropper.target << INTEGRAL_MEDIUM);
        push = OVERLOAD_MEDIUM;
    }

    action weigh_slow() {
        proportional = (int<32>) (md.dropper.queue_delay << PROPORTIONAL_SLOW);
        integral = (int<32>) (md.dropper.queue_delay >> 2);
        aim = (int<32>) (md.dropper.target >> 2);
        push = OVERLOAD_SLOW;
    }

    // Of the clock there are four in a tick of 1,024 ns.
    action to_clock() {
        md.horizon = md.dropper.idle << 2;
        md.dropper.period = md.dropper.period << 2;
    }

    action expire() {
        md.horizon = now + md.horizon;
    }

    // Two variables are compared by what is left of one: conditions know constants only.
    action compare() {
        below_overload = md.dropper.overload |-| md.dropper.queue_delay;
        below_ecn_drop = md.dropper.ecn_drop |-| md.dropper.queue_delay;
    }

    action weigh_both() {
        integral = integral + proportional;
    }

    action press() {
        aim = aim - push;
    }

    action subtract_target() {
        integral = integral - aim;
    }

    action subtract_previous() {
        up = integral - previous;
        down = previous - integral;
    }

    action let_go() {
        up = -push;
        down = push;
    }

    apply {
        if (md.dropper.gain == Gain_t.FAST && md.dropper.queue_delay > DELAY_MAX_FAST) {
            md.dropper.queue_delay = DELAY_MAX_FAST;
        } else if (md.dropper.queue_delay > DELAY_MAX) {
            md.dropper.queue_delay = DELAY_MAX;
        }
        compare();
        to_clock();
        expire();
        if (below_ecn_drop == 0) {
            late = 1;
        }
        if (md.dropper.gain == Gain_t.FAST) {
            weigh_fast();
        } else if (md.dropper.gain == Gain_t.MEDIUM) {
            weigh_medium();
        } else {
            weigh_slow();
        }
        clock.apply(md.egress_port, now, md.dropper.period, proportional, due, previous);
        weigh_both();
        if (below_overload == 0) {
            press();
        }
        subtract_target();
        if (md.dropper.queue_delay == 0) {
            // Nothing waits: let go quickly rather than at the pace of the integral.
            let_go();
        } else {
            subtract_previous();
        }
        threshold.apply(md.egress_port, due, up, down, md.horizon, late);
    }
}

// The loop of a report's port, where the port has one.
control CongestionSteering(inout metadata_t md, in tick_t now) {
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

    // Stage 0 has all the tables it can.
    @stage(1)
    table CongestionThreshold {
        key = { md.egress_port : exact @name("egress_port"); }
        actions = { steer; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PORTS;
    }

    apply {
        if (CongestionThreshold.apply().hit) {
            loop.apply(md, now);
        }
    }
}

#endif
