// Whose a packet is, as every architecture tells it. Index 0 is traffic of no subscriber.

#ifndef SLUICE_SUBSCRIBER_TYPES_P4
#define SLUICE_SUBSCRIBER_TYPES_P4

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

#endif
