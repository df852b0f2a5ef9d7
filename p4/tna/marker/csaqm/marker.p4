// The packet marker (paper 000, section IV, figure 2), in the fewest stages: the tables of shared/marker/csaqm/marker.p4, with the comparison of
// the packet value and the threshold in the action that finds the value.

#ifndef SLUICE_TNA_MARKER_P4
#define SLUICE_TNA_MARKER_P4

// y(rnd) = -log_a(rnd): the multiplication of the rate by a random fraction, done on logarithms.
control RandomFraction(inout metadata_t md) {
    action set_offset(rate_bin_t y) {
        md.csaqm.offset = y;
    }

    table RandomRateEstim {
        key = { md.csaqm.rnd : range @name("rnd"); }
        actions = { set_offset; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 1024;
    }

    apply {
        RandomRateEstim.apply();
    }
}

control PacketMarker(inout metadata_t md) {
    action set_bin(rate_bin_t bin) {
        md.csaqm.bin = bin |-| md.csaqm.offset;
    }

    table RateIndex {
        key = { md.csaqm.rate : ternary @name("rate"); }
        actions = { set_bin; @defaultonly NoAction; }
        const default_action = NoAction();
        size = RATE_ENTRIES;
    }

    action set_packet_value(value_t pv) {
        md.value = pv;
        md.verdict.margin = pv |-| md.dropper.threshold;
    }

    table PolicyFunction {
        key = {
            md.subscriber.policy : exact @name("policy");
            md.csaqm.bin : exact @name("bin");
        }
        actions = { set_packet_value; }
        // What no policy knows is worth nothing.
        const default_action = set_packet_value(0);
        size = POLICY_ENTRIES;
    }

#ifdef WIRE
    // Above every threshold.
    action worth_most() {
        md.value = WORTH_MOST;
        md.verdict.margin = WORTH_MOST;
    }
#endif

    apply {
        RateIndex.apply();
#ifdef WIRE
        if (md.subscriber.instance == 0 || md.wire.control_traffic == 1) {
            worth_most();
#else
        // A trunk's packets have their value already.
        if (md.subscriber.role == PortRole_t.TRUNK) {
            md.verdict.margin = md.value |-| md.dropper.threshold;
#endif
        } else {
            PolicyFunction.apply();
        }
    }
}

#endif
