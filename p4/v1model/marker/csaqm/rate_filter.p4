// The rate filter of paper 000 (Tofino's low-pass filter extern) in v1model: a byte count that decays by half every 65,536 us.
// A count that decays with time constant tau = half-life / ln 2 holds rate * tau bytes, so it is the rate in a unit of 1 byte / tau.

#ifndef SLUICE_RATE_FILTER_P4
#define SLUICE_RATE_FILTER_P4

// In 1/256 byte.
register<bit<40>>(SUBSCRIBER_DIRECTIONS) rate_bytes;

control RateFilter(in direction_index_t index, in bit<16> bytes, in bit<48> now, out rate_t rate) {
    register<bit<32>>(SUBSCRIBER_DIRECTIONS) rate_tick;

    bit<32> elapsed = 0;
    bit<8>  fraction = 0;
    bit<64> mantissa = 65536;
    bit<40> weight = 0;

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

    action set_weight(bit<20> w) {
        weight = (bit<40>) w;
    }

    // How much of a packet counts in the rate that is read at it, in 1/2^20, by the ticks since the packet before: with x the gap over tau,
    // w(x) = 1/x - 1/(e^x - 1), a half for short gaps and 1/x for long ones. A steady flow finds 1/(e^x - 1) of a packet left of those before,
    // so it reads 1/x packets, its rate, whatever its gap: what CSFQ's weight of 1 - e^-x for L/T does. Of a Poisson flow the mean of one over
    // what is read is right, within 3 % at any rate, and that is what the marker accepts by. An entry is exact in its middle and changes a
    // steady flow's rate by at most 1/64 at its ends; from 537 s on the weight stays, whose packet of 1,500 bytes is less than the unit.
    table GapWeight {
        key = { elapsed : lpm; }
        actions = { set_weight; }
        const default_action = set_weight(185);
        const entries = {
#include "gap_weight.inc"
        }
    }

    apply {
        bit<40> count;
        bit<32> last;
        bit<32> tick = (bit<32>) (now >> 8);
        @atomic {
            rate_bytes.read(count, (bit<32>) index);
            rate_tick.read(last, (bit<32>) index);
            elapsed = tick - last;
            fraction = elapsed[7:0];
            DecayFraction.apply();
            GapWeight.apply();
            if (elapsed[31:8] > 39) {
                count = 0;
            } else {
                bit<64> decayed = (((bit<64>) count) * mantissa + 32768) >> 16;
                count = (bit<40>) (decayed >> elapsed[15:8]);
            }
            bit<40> read = count |+| ((((bit<40>) bytes) * weight + 2048) >> 12) |+| 64;
            count = count |+| (((bit<40>) bytes) << 8);
            rate_bytes.write((bit<32>) index, count);
            rate_tick.write((bit<32>) index, tick);
            if (read[39:39] == 1) {
                rate = 0xffffffff;
            } else {
                rate = read[38:7];
            }
        }
    }
}

#endif
