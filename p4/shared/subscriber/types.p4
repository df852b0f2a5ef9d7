// Whose a packet is, as every architecture tells it. Index 0 is traffic of no subscriber.

#ifndef SLUICE_SUBSCRIBER_TYPES_P4
#define SLUICE_SUBSCRIBER_TYPES_P4

#include "../types.p4"

typedef bit<8> policy_slot_t;

// What hangs on a port. Only a trunk's packet values are believed.
enum bit<8> PortRole_t {
    ACCESS = 0,
    CORE = 1,
    TRUNK = 2,
    SIDECAR = 3
}

enum bit<1> Direction_t {
    DOWN = 0,
    UP = 1
}

// Reasons for which a packet is dropped beside those of all programs.
const DropReason_t NO_SUBSCRIBER = (DropReason_t) 4w11;
const DropReason_t SPOOFED_SOURCE = (DropReason_t) 4w12;

// The priority of a frame without a tag: the class selector of its DSCP (RFC 2474, 4.2.2).
#define CLASS_SELECTOR(dscp) dscp[5:3]

#endif
