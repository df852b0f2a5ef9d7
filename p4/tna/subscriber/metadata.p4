#ifndef SLUICE_TNA_SUBSCRIBER_METADATA_P4
#define SLUICE_TNA_SUBSCRIBER_METADATA_P4

#include "../../shared/types.p4"
#include "../../shared/subscriber/types.p4"

// The subscriber of a service VLAN, until the first instance is looked up.
struct line_metadata_t {
    bit<4>        instance;
    bit<15>       slot;
    policy_slot_t policy;
    port_t        access_port;
    queue_id_t    queue;
    bit<1>        shape_down;
    bit<1>        shape_up;
}

struct subscriber_metadata_t {
    PortRole_t    role;
    Direction_t   direction;
    bit<1>        known_port;
    bit<1>        drop_unknown;
    bit<32>       addr4;
    bit<128>      addr6;
    port_t        line_port;
    // Whether line_port is from the frame, not the port it came in on.
    bit<1>        told_line;
    bit<12>       s_vid;
    bit<12>       c_vid;
    // An instance of the marker's tables, and the index in it; instance 0 is traffic of no subscriber.
    bit<4>        instance;
    bit<15>       slot;
    policy_slot_t policy;
    port_t        access_port;
    // How it was found: by the line, or by the address of one that has a line of its own.
    bit<1>        by_line;
    bit<1>        has_line;
    line_metadata_t service;
}

#endif
