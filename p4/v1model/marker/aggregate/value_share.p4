// F-SAM on packet values, the future work of paper 003: which part of its subscriber's rate a packet of a contract stands for. What is within the
// contract (IN) is worth what the policy gives the lowest rates, and the rest (OUT) what it gives to those above, so that all packets together have
// the values that they would have without the contract, and a port that drops by value takes OUT first and is shared with single subscribers.

#ifndef SLUICE_VALUE_SHARE_P4
#define SLUICE_VALUE_SHARE_P4

control ValueShare(inout metadata_t md, in bit<48> now) {
    AggregateRate() rate_within;

    apply {
        if (md.aggregate.kind != MARKER_NONE) {
            rate_t within;
            bit<1> in_profile = ~md.aggregate.out_of_profile;
            rate_within.apply(md, now, in_profile, within);
            if (in_profile == 1) {
                md.csaqm.rate = within;
            } else {
                // The random fraction is of the rates above, so none of it is left for the marker to take off.
                bit<48> above = ((bit<48>) (md.csaqm.rate |-| within) * (bit<48>) md.csaqm.rnd) >> 16;
                md.csaqm.rate = within |+| above[31:0];
                md.csaqm.rnd = 65535;
            }
        }
    }
}

#endif
