// The packet marker (paper 000, section IV, figure 2): rate -> bin, minus the logarithm of a random fraction -> random bin -> packet value.

#ifndef SLUICE_MARKER_P4
#define SLUICE_MARKER_P4

control PacketMarker(inout metadata_t md) {
    action set_bin(rate_bin_t bin) {
        md.bin = bin;
    }

    table RateIndex {
        key = { md.rate : range @name("rate"); }
        actions = { set_bin; @defaultonly NoAction; }
        const default_action = NoAction();
        size = RATE_BINS;
    }

    action set_offset(rate_bin_t y) {
        md.offset = y;
    }

    // y(rnd) = -log_a(rnd / 255): the multiplication of the rate by a random fraction, done on logarithms.
    table RandomRateEstim {
        key = { md.rnd : exact @name("rnd"); }
        actions = { set_offset; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 256;
    }

    action set_packet_value(value_t pv) {
        md.value = pv;
    }

    table PolicyFunction {
        key = {
            md.policy : exact @name("policy");
            md.bin : exact @name("bin");
        }
        actions = { set_packet_value; @defaultonly NoAction; }
        const default_action = NoAction();
        size = POLICY_ENTRIES;
    }

    apply {
        RateIndex.apply();
        RandomRateEstim.apply();
        md.bin = md.bin |-| md.offset;
        PolicyFunction.apply();
    }
}

#endif
