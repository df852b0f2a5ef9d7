// Steers a port's congestion threshold value so that its queue delay stays at the target: a proportional-integral loop that works on
// packet-value codes. The codes are logarithmic, so a step of the same size changes the accepted rate by the same ratio at any load.
// The including architecture supplies QueueDelay, LoopClock and ThresholdRegister, one register access each.

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

control CongestionThresholdLoop(inout metadata_t md, in bit<48> now) {
    QueueDelay() queue_delay;
    LoopClock() clock;
    ThresholdRegister() threshold;

    apply {
        bit<1> due = 0;
        bit<1> forget = 0;
        bit<1> idle = 0;
        micros_t previous = 0;
        int<32> step = 0;
        int<32> excess = 0;
        int<32> change = 0;

        queue_delay.apply(md.egress_port, now, md.idle, md.queue_delay);
        if (md.gain == Gain_t.FAST && md.queue_delay > DELAY_MAX_FAST) {
            md.queue_delay = DELAY_MAX_FAST;
        } else if (md.queue_delay > DELAY_MAX) {
            md.queue_delay = DELAY_MAX;
        }
        clock.apply(md.egress_port, now, md.period, md.queue_delay, due, forget, previous);
        if (due == 1) {
            excess = (int<32>) md.queue_delay - (int<32>) md.target;
            change = (int<32>) md.queue_delay - (int<32>) previous;
            if (md.gain == Gain_t.FAST) {
                step = (excess << INTEGRAL_FAST) + (change << PROPORTIONAL_FAST);
                if (md.queue_delay >= md.overload) {
                    step = step + OVERLOAD_FAST;
                }
            } else if (md.gain == Gain_t.MEDIUM) {
                step = (excess << INTEGRAL_MEDIUM) + (change << PROPORTIONAL_MEDIUM);
                if (md.queue_delay >= md.overload) {
                    step = step + OVERLOAD_MEDIUM;
                }
            } else {
                step = (excess >> 2) + (change << PROPORTIONAL_SLOW);
                if (md.queue_delay >= md.overload) {
                    step = step + OVERLOAD_SLOW;
                }
            }
            if (md.queue_delay == 0) {
                idle = 1;
            }
        }
        threshold.apply(md.egress_port, due, forget, idle, step, md.threshold);
    }
}

#endif
