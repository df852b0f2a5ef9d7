// The metadata of the v1model program: what all features share, and a struct a feature.

#ifndef SLUICE_V1MODEL_METADATA_P4
#define SLUICE_V1MODEL_METADATA_P4

#include "../shared/types.p4"
#include "../shared/subscriber/metadata.p4"
#include "../shared/limit/metadata.p4"
#include "../shared/limit/fpga/metadata.p4"
#include "../shared/limit/shape/metadata.p4"
#include "../shared/limit/delay/metadata.p4"
#include "flow/metadata.p4"
#include "../shared/marker/csaqm/metadata.p4"
#include "../shared/dropper/threshold/metadata.p4"
#include "../shared/aqm/metadata.p4"
#include "../shared/wire/metadata.p4"
#include "neighbour/metadata.p4"
#ifdef AGGREGATE
#include "../shared/marker/aggregate/metadata.p4"
#include "aqm/rio/metadata.p4"
#endif

// The user metadata that a mirrored packet takes along.
#define CODEL_FIELD_LIST 1
// That of a packet that waits for its time in a loop.
#define SHAPE_FIELD_LIST 2
// That of a copy of a packet of no subscriber.
#define UNKNOWN_FIELD_LIST 3

struct unknown_metadata_t {
    port_t port;
}

struct metadata_t {
    bit<1>                has_ip;
    bit<2>                ecn;
    bit<8>                ttl;
    // Priority and drop eligibility (IEEE 802.1Q) that tags of the leaving frame get.
    bit<3>                pcp;
    bit<1>                dei;
    bit<16>               frame_bytes;
    port_t                egress_port;
    DropReason_t          drop;
    // A marker sets it, or the frame brings it; droppers compare it.
    value_t               value;
    subscriber_metadata_t subscriber;
    wire_metadata_t       wire;
    neighbour_metadata_t  neighbour;
    fpga_metadata_t       fpga;
    @field_list(SHAPE_FIELD_LIST)
    shape_metadata_t      shape;
    delay_metadata_t      delay;
    flow_metadata_t       flow;
    csaqm_metadata_t      csaqm;
    dropper_metadata_t    dropper;
    aqm_metadata_t        aqm;
#ifdef AGGREGATE
    aggregate_metadata_t  aggregate;
    rio_metadata_t        rio;
#endif
    @field_list(CODEL_FIELD_LIST)
    codel_metadata_t      codel;
    @field_list(UNKNOWN_FIELD_LIST)
    unknown_metadata_t    unknown;
}

#endif
