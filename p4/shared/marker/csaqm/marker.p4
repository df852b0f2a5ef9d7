// The packet marker (paper 000, section IV, figure 2): rate -> bin, minus the logarithm of a random fraction -> random bin -> packet value.

#ifndef SLUICE_MARKER_P4
#define SLUICE_MARKER_P4

control PacketMarker(inout metadata_t md) {
    action set_offset(rate_bin_t y) {
        md.csaqm.offset = y;
    }

    // y(rnd) = -log_a(fraction): the multiplication of the rate by a random fraction, done on logarithms. An entry is the range of random
    // numbers that take off the same number of bins: with 16 bits there are fewer of these than bins.
    table RandomRateEstim {
        key = { md.csaqm.rnd : range @name("rnd"); }
        actions = { set_offset; @defaultonly NoAction; }
        const default_action = NoAction();
        size = RATE_BINS;
    }

    action set_bin(rate_bin_t bin) {
        md.csaqm.bin = bin |-| md.csaqm.offset;
    }

    table RateIndex {
        key = { md.csaqm.rate : range @name("rate"); }
        actions = { set_bin; @defaultonly NoAction; }
        const default_action = NoAction();
        size = RATE_BINS;
    }

    action set_packet_value(value_t pv) {
        md.value = pv;
    }

    table PolicyFunction {
        key = {
            md.subscriber.policy : exact @name("policy");
            md.csaqm.bin : exact @name("bin");
        }
        actions = { set_packet_value; @defaultonly NoAction; }
        const default_action = NoAction();
        size = POLICY_ENTRIES;
    }

    // The random number does not depend on the rate, so its table comes first and RateIndex's action subtracts: one stage less on a Tofino.
    apply {
        RandomRateEstim.apply();
        RateIndex.apply();
        PolicyFunction.apply();
    }
}

#endif
