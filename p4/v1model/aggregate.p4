// The steps that only the program with contracts of many flows has: marks within a contract, and RIO before the queue, which goes by them.

#ifndef SLUICE_AGGREGATE_P4
#define SLUICE_AGGREGATE_P4

#include "marker/aggregate/logarithm.p4"
#include "marker/aggregate/flow_estimate.p4"
#include "marker/aggregate/state.p4"
#include "../shared/marker/aggregate/marker.p4"
#include "marker/aggregate/value_share.p4"
#include "aqm/rio/rio.p4"

control ContractMarking(inout headers_t hdr, inout metadata_t md, in bit<48> now) {
    AggregateMarker() marker;
    ValueShare() value_share;

    apply {
        bit<16> rnd;
        random<bit<16>>(rnd, 0, 65535);
        marker.apply(hdr, md, rnd, now);
        value_share.apply(md, now);
    }
}

#endif
