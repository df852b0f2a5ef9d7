// The metadata of the TNA program: what all features share, and a struct a feature; those of p4/shared where they are the same.

#ifndef SLUICE_TNA_METADATA_P4
#define SLUICE_TNA_METADATA_P4

#include "../shared/types.p4"
#include "../shared/limit/fpga/metadata.p4"
#include "../shared/marker/csaqm/metadata.p4"
#include "../shared/dropper/threshold/metadata.p4"
#include "../shared/aqm/metadata.p4"
#include "subscriber/metadata.p4"
#ifdef WIRE
#include "wire/headers.p4"
#endif

// The clock, in ticks of 256 ns.
typedef bit<32> tick_t;

// What was found of a packet, for the one stage that decides.
struct verdict_metadata_t {
    bit<1>  checksum_error;
    bit<1>  options;
    bit<1>  routed;
    bit<1>  expired;
    bit<1>  sidecar;
    bit<1>  spoofed;
    bit<1>  fresh;
    bit<8>  late;
    value_t margin;
}

// What a mirrored packet tells.
struct report_metadata_t {
    codel_op_t     codel_op;
    codel_weight_t codel_count;
    bit<7>         kind;
    MirrorId_t     session;
    port_t         port;
    micros_t       delay;
}

struct metadata_t {
    bit<1>                has_ip;
    bit<2>                ecn;
    // Of the tag that came, or of the DSCP of a frame without one.
    bit<3>                pcp;
    bit<1>                dei;
    port_t                egress_port;
    value_t               value;
    bit<16>               ipv4_unchanged;
    tick_t                now;
    // Of a report, until when the threshold holds; of a data packet, the latest time that can be one.
    tick_t                horizon;
    subscriber_metadata_t subscriber;
    fpga_metadata_t       fpga;
    csaqm_metadata_t      csaqm;
    dropper_metadata_t    dropper;
    aqm_metadata_t        aqm;
    codel_metadata_t      codel;
    verdict_metadata_t    verdict;
    report_metadata_t     report;
#ifdef WIRE
    wire_metadata_t       wire;
#endif
}

#endif
