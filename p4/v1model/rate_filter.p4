// The rate filter of paper 000 (Tofino's low-pass filter extern) in v1model: a byte count that decays by half every 65,536 us.
// A count that decays with time constant tau = half-life / ln 2 holds rate * tau bytes, so it is the rate in a unit of 1 byte / tau.

#ifndef SLUICE_RATE_FILTER_P4
#define SLUICE_RATE_FILTER_P4

control RateFilter(in direction_index_t index, in bit<16> bytes, in bit<48> now, out rate_t rate) {
    register<bit<40>>(SUBSCRIBER_DIRECTIONS) rate_bytes;
    register<bit<32>>(SUBSCRIBER_DIRECTIONS) rate_tick;

    bit<8>  fraction = 0;
    bit<64> mantissa = 65536;

    action set_mantissa(bit<17> m) {
        mantissa = (bit<64>) m;
    }

    // 2^(-fraction/256) in 1/65536: time counts in ticks of 256 us, and what is left of a tick is kept for the next packet.
    table DecayFraction {
        key = { fraction : exact; }
        actions = { set_mantissa; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
#include "decay_fraction.inc"
        }
    }

    apply {
        bit<40> count;
        bit<32> last;
        bit<32> tick = (bit<32>) (now >> 8);
        @atomic {
            rate_bytes.read(count, (bit<32>) index);
            rate_tick.read(last, (bit<32>) index);
            bit<32> elapsed = tick - last;
            fraction = elapsed[7:0];
            DecayFraction.apply();
            if (elapsed[31:8] > 39) {
                count = 0;
            } else {
                bit<64> decayed = (((bit<64>) count) * mantissa + 32768) >> 16;
                count = (bit<40>) (decayed >> elapsed[15:8]);
            }
            // Half of the packet now and half after it: the mean of the count before and after a packet is what a steady flow
            // has on average, while the count after it would overstate slow flows.
            bit<40> middle = count |+| (((bit<40>) bytes) << 7);
            count = count |+| (((bit<40>) bytes) << 8);
            rate_bytes.write((bit<32>) index, count);
            rate_tick.write((bit<32>) index, tick);
            if (middle[39:39] == 1) {
                rate = 0xffffffff;
            } else {
                rate = middle[38:7];
            }
        }
    }
}

#endif
