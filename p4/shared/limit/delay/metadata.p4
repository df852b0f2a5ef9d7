#ifndef SLUICE_DELAY_METADATA_P4
#define SLUICE_DELAY_METADATA_P4

#include "../../types.p4"
#include "../shape/types.p4"

// What decides on the packets that wait under a limit.
enum bit<2> LimitAqm_t {
    NONE = 0,
    CODEL = 1,
    // What the policy says.
    OF_POLICY = 2
}

// How a shaped limit keeps delay low. What it does not say itself, its subscriber's policy does.
struct delay_metadata_t {
    // A packet that would wait longer is dropped, unless eight full packets take longer at the limit's rate; 0: as long as the clock allows.
    nanos_t    longest_wait;
    // CoDel decides on the wait, with what target and interval, and whether it marks those that understand ECN.
    LimitAqm_t aqm;
    nanos_t    target;
    micros_t   interval;
    bit<1>     ecn;
    // Whether packets of scalable senders take the low-latency way (RFC 9331).
    bit<1>     l4s;
}

const nanos_t LONGEST_WAIT_OF_POLICY = 0xffffffff;

#endif
