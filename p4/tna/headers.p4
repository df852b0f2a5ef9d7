// Headers and metadata of the TNA program: those of p4/shared, and what its two pipelines tell each other.

#ifndef SLUICE_TNA_HEADERS_P4
#define SLUICE_TNA_HEADERS_P4

// The sizes and structs of the v1model program are under other names here: this program's are below and in sizes.p4.
#define headers_t v1model_headers_t
#define metadata_t v1model_metadata_t
#include "../shared/headers.p4"
#include "../shared/metadata.p4"
#undef headers_t
#undef metadata_t
#undef SUBSCRIBER_CAPACITY
#undef VLAN_CAPACITY
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

// The clock, in ticks of 256 ns.
typedef bit<32> tick_t;

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
    ipv4_t         ipv4;
    ipv6_t         ipv6;
}

struct metadata_t {
    PortRole_t      role;
    Direction_t     direction;
    bit<1>          known_port;
    bit<1>          checksum_error;
    bit<1>          options;
    bit<1>          has_ip;
    bit<1>          routed;
    bit<1>          expired;
    bit<1>          shape_down;
    bit<1>          shape_up;
    bit<1>          shape;
    bit<1>          sidecar;
    bit<1>          fresh;
    bit<8>          late;
    bit<2>          ecn;
    bit<32>         addr4;
    bit<128>        addr6;
    port_t          line_port;
    bit<12>         s_vid;
    bit<12>         c_vid;
    bit<4>          instance;
    bit<15>         slot;
    policy_slot_t   policy;
    port_t          access_port;
    port_t          egress_port;
    queue_id_t      queue;
    rate_t          rate;
    rate_bin_t      bin;
    rate_bin_t      offset;
    bit<16>         rnd;
    value_t         value;
    value_t         threshold;
    value_t         margin;
    bit<16>         ipv4_unchanged;
    tick_t          now;
    // Of a report, until when the threshold holds; of a data packet, the latest time that can be one.
    tick_t          horizon;
    Gain_t          gain;
    micros_t        target;
    micros_t        overload;
    micros_t        period;
    micros_t        idle;
    micros_t        ecn_drop;
    micros_t        queue_delay;
    // Of a managed queue.
    AqmKind_t       aqm;
    bit<1>          aqm_ecn;
    micros_t        aqm_target;
    micros_t        aqm_interval;
    codel_weight_t  codel_weight;
    managed_queue_t managed_queue;
    codel_op_t      codel_op;
    codel_weight_t  codel_count;
    bit<32>         codel_until;
    // What a mirrored packet tells.
    codel_op_t      codel_told;
    codel_weight_t  codel_found;
    bit<7>          report_kind;
    MirrorId_t      report_session;
    port_t          report_port;
    micros_t        report_delay;
}

#endif
