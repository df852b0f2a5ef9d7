// Steers a port's congestion threshold value so that its queue delay stays at the target: a proportional-integral loop that works on
// packet-value codes. The codes are logarithmic, so a step of the same size changes the accepted rate by the same ratio at any load.
// The including architecture supplies QueueDelay, ThresholdFloor, LoopClock and ThresholdRegister, one register access each.
//
// Where CoDel manages the queue it decides what is too much: its target is the loop's, and above that its drop verdicts raise the
// threshold in the place of the integral (docs/papers/002-codel-act.md). What lowers it, what damps it and what an overload adds stay.

#ifndef SLUICE_THRESHOLD_LOOP_P4
#define SLUICE_THRESHOLD_LOOP_P4

// Steps are 16.16 fixed point in packet-value codes. Shifts are constants because a Tofino cannot shift by a variable.
#define INTEGRAL_FAST 6
#define INTEGRAL_MEDIUM 2
#define PROPORTIONAL_FAST 13
#define PROPORTIONAL_MEDIUM 11
#define PROPORTIONAL_SLOW 9
// What an overload adds on top: 128, 64 and 32 codes a period.
#define OVERLOAD_FAST 8388608
#define OVERLOAD_MEDIUM 4194304
#define OVERLOAD_SLOW 2097152
// Longer delays count as these (131 and 524 ms), so that no step can overflow 32 bits.
#define DELAY_MAX_FAST 0x1ffff
#define DELAY_MAX 0x7ffff
// CoDel's targets beyond these count as these: a quarter, so that an overload can be told.
#define CODEL_TARGET_MAX_FAST 0x7fff
#define CODEL_TARGET_MAX 0x1ffff

control CongestionThresholdLoop(inout metadata_t md, in bit<48> now) {
    QueueDelay() queue_delay;
    ThresholdFloor() threshold_floor;
    LoopClock() clock;
    ThresholdRegister() threshold;

    apply {
        bit<1> due = 0;
        bit<1> forget = 0;
        bit<1> idle = 0;
        bit<1> gentle = 0;
        value_t floor = 0;
        micros_t codel_target = 0;
        micros_t previous = 0;
        int<32> step = 0;
        int<32> excess = 0;
        int<32> change = 0;

        queue_delay.apply(md.egress_port, now, md.dropper.idle, md.dropper.queue_delay, codel_target);
        if (codel_target != 0) {
            if (md.dropper.gain == Gain_t.FAST && codel_target > CODEL_TARGET_MAX_FAST) {
                codel_target = CODEL_TARGET_MAX_FAST;
            } else if (codel_target > CODEL_TARGET_MAX) {
                codel_target = CODEL_TARGET_MAX;
            }
            md.dropper.target = codel_target;
            md.dropper.overload = codel_target << 2;
            md.dropper.ecn_drop = codel_target << 1;
            // CoDel's target can be so short that chance empties the queue in the midst of an overload.
            gentle = 1;
        }
        if (md.dropper.gain == Gain_t.FAST && md.dropper.queue_delay > DELAY_MAX_FAST) {
            md.dropper.queue_delay = DELAY_MAX_FAST;
        } else if (md.dropper.queue_delay > DELAY_MAX) {
            md.dropper.queue_delay = DELAY_MAX;
        }
        clock.apply(md.egress_port, now, md.dropper.period, md.dropper.queue_delay, due, forget, previous);
        if (due == 1) {
            excess = (int<32>) md.dropper.queue_delay - (int<32>) md.dropper.target;
            change = (int<32>) md.dropper.queue_delay - (int<32>) previous;
            threshold_floor.apply(md.egress_port, floor);
            if (codel_target != 0 && excess > 0) {
                excess = 0;
            }
            if (md.dropper.gain == Gain_t.FAST) {
                step = (excess << INTEGRAL_FAST) + (change << PROPORTIONAL_FAST);
                if (md.dropper.queue_delay >= md.dropper.overload) {
                    step = step + OVERLOAD_FAST;
                }
            } else if (md.dropper.gain == Gain_t.MEDIUM) {
                step = (excess << INTEGRAL_MEDIUM) + (change << PROPORTIONAL_MEDIUM);
                if (md.dropper.queue_delay >= md.dropper.overload) {
                    step = step + OVERLOAD_MEDIUM;
                }
            } else {
                step = (excess >> 2) + (change << PROPORTIONAL_SLOW);
                if (md.dropper.queue_delay >= md.dropper.overload) {
                    step = step + OVERLOAD_SLOW;
                }
            }
            if (md.dropper.queue_delay == 0) {
                idle = 1;
            }
        }
        threshold.apply(md.egress_port, due, forget, idle, gentle, floor, step, md.dropper.threshold);
    }
}

#endif
