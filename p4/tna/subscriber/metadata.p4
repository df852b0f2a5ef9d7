#ifndef SLUICE_TNA_SUBSCRIBER_METADATA_P4
#define SLUICE_TNA_SUBSCRIBER_METADATA_P4

#include "../../shared/types.p4"
#include "../../shared/subscriber/types.p4"

struct subscriber_metadata_t {
    PortRole_t    role;
    Direction_t   direction;
    bit<1>        known_port;
    bit<32>       addr4;
    bit<128>      addr6;
    port_t        line_port;
    bit<12>       s_vid;
    bit<12>       c_vid;
    // An instance of the marker's tables, and the index in it; instance 0 is traffic of no subscriber.
    bit<4>        instance;
    bit<15>       slot;
    policy_slot_t policy;
    port_t        access_port;
}

#endif
