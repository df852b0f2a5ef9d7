#ifndef SLUICE_SUBSCRIBER_METADATA_P4
#define SLUICE_SUBSCRIBER_METADATA_P4

#include "../types.p4"
#include "types.p4"

// Subscribers one switch holds.
#define SUBSCRIBER_CAPACITY 1048576
#define SUBSCRIBER_DIRECTIONS 2097152
#define VLAN_CAPACITY 262144
#define SERVICE_VLAN_CAPACITY 262144

typedef bit<20> subscriber_index_t;
typedef bit<21> direction_index_t;

struct subscriber_metadata_t {
    PortRole_t         role;
    Direction_t        direction;
    bit<1>             known_port;
    bit<1>             drop_unknown;
    bit<1>             has_line;
    subscriber_index_t index;
    direction_index_t  direction_index;
    policy_slot_t      policy;
    port_t             access_port;
    // Why the port does not take the packet; NONE if it does.
    DropReason_t       refusal;
}

#endif
