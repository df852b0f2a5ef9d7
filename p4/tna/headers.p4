// Headers of the TNA program: those of p4/shared, and what its two pipelines tell each other.

#ifndef SLUICE_TNA_HEADERS_P4
#define SLUICE_TNA_HEADERS_P4

// The v1model program's struct is under another name here.
#define headers_t v1model_headers_t
#include "../shared/headers.p4"
#undef headers_t
#include "metadata.p4"
#include "sizes.p4"

// Of a port's number the lower seven bits are its place in its pipe.
#if __TARGET_TOFINO__ == 1
#define RECIRCULATION_PORT 68
#else
#define RECIRCULATION_PORT 6
#endif
#define RECIRCULATION_MASK 0x7f

// The first seven bits of what the egress pipeline gets: a packet of the ingress pipeline, or a report that it mirrored itself.
const bit<7> INTERNAL_PACKET = 0;
const bit<7> INTERNAL_REPORT = 1;
const bit<7> INTERNAL_CODEL = 2;

const MirrorType_t REPORT_MIRROR = 1;
const MirrorType_t CODEL_MIRROR = 2;
// The mirror session that the controller points at the recirculation port.
const MirrorId_t REPORT_SESSION = 1;

header bridge_t {
    bit<7>  kind;
    bit<1>  direction;
    bit<3>  pad;
    bit<1>  shape;
    bit<4>  instance;
    bit<1>  pad2;
    bit<15> slot;
    bit<16> value;
    bit<32> arrival;
}

header report_t {
    bit<7>  kind;
    bit<8>  pad;
    bit<9>  port;
    bit<32> delay;
}

// From one copy of CoDel's state to the other.
header codel_t {
    bit<7>          kind;
    bit<2>          pad;
    codel_op_t      op;
    managed_queue_t queue;
    codel_weight_t  count;
    bit<32>         until;
}

typedef bit<14> aqm_event_t;

struct headers_t {
    bridge_t       bridge;
    report_t       report;
    codel_t        codel;
    queue_tag_t    queue_tag;
    ethernet_t     ethernet;
    packet_value_t packet_value;
    vlan_tag_t     outer_tag;
    vlan_tag_t     inner_tag;
#ifdef WIRE
    mpls_t         mpls1;
    mpls_t         mpls2;
    mpls_t         mpls3;
    pppoe_t        pppoe;
    ports_t        ports;
    icmpv6_t       icmpv6;
#endif
    ipv4_t         ipv4;
    ipv6_t         ipv6;
}

#endif
