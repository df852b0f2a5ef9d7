// CSFQ's estimate of a rate: r := e^-x r + (1 - e^-x) L / T, with T the time since the packet before, x that over the time constant and L the
// packet's bytes. Kept as r times the time constant, a number of bytes, each packet adds L (1 - e^-x) / x. The unit of the rate and its time
// constant are those of the rate filter of paper 000: a half-life of 65,536 us, time counted in ticks of 256 us.

#ifndef SLUICE_FLOW_ESTIMATE_P4
#define SLUICE_FLOW_ESTIMATE_P4

// A packet that does not count reads what the last one that did has left. The first of another flow than before finds nothing of that.
control FlowEstimate(in bit<16> index, in bit<16> bytes, in bit<48> now, in bit<1> counts, in bit<1> fresh, out rate_t rate)(bit<32> cells) {
    register<bit<40>>(cells) estimate_bytes;
    register<bit<32>>(cells) estimate_tick;

    bit<32> elapsed = 0;
    bit<8>  fraction = 0;
    bit<64> mantissa = 65536;
    bit<40> share = 0;

    action set_mantissa(bit<17> m) {
        mantissa = (bit<64>) m;
    }

    table Decay {
        key = { fraction : exact; }
        actions = { set_mantissa; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
#include "../csaqm/decay_fraction.inc"
        }
    }

    action set_share(bit<21> s) {
        share = (bit<40>) s;
    }

    // (1 - e^-x) / x in 1/2^20. An entry is exact in its middle and off by at most 1/128; from 537 s on the share stays.
    table GapShare {
        key = { elapsed : lpm; }
        actions = { set_share; @defaultonly NoAction; }
        const default_action = set_share(185);
        const entries = {
#include "gap_share.inc"
        }
    }

    apply {
        bit<40> count;
        estimate_bytes.read(count, (bit<32>) index);
        if (fresh == 1) {
            count = 0;
        }
        if (counts == 1) {
            bit<32> last;
            bit<32> tick = (bit<32>) (now >> 8);
            estimate_tick.read(last, (bit<32>) index);
            elapsed = tick - last;
            fraction = elapsed[7:0];
            Decay.apply();
            GapShare.apply();
            if (elapsed[31:8] > 39) {
                count = 0;
            } else {
                bit<64> decayed = (((bit<64>) count) * mantissa + 32768) >> 16;
                count = (bit<40>) (decayed >> elapsed[15:8]);
            }
            count = count |+| ((((bit<40>) bytes) * share + 2048) >> 12);
            estimate_tick.write((bit<32>) index, tick);
        }
        if (counts == 1 || fresh == 1) {
            estimate_bytes.write((bit<32>) index, count);
        }
        if (count[39:39] == 1) {
            rate = 0xffffffff;
        } else {
            rate = count[38:7];
        }
    }
}

#endif
