#ifndef SLUICE_SHAPE_METADATA_P4
#define SLUICE_SHAPE_METADATA_P4

#include "../../subscriber/metadata.p4"
#include "types.p4"

// Flows are told apart by a hash.
#define FLOW_CELLS 1048576
typedef bit<20> flow_cell_t;

// What a packet takes along while it waits in a loop.
struct shape_metadata_t {
    bit<1>            waits;
    pipe_t            pipe;
    // The half of its second in which it was let in; see Buffer.
    bit<1>            half;
    // What marks it afterwards: the policy of its direction.
    policy_slot_t     policy;
    // Where it came in, and when it was last seen: a recirculated packet has neither.
    port_t            port;
    bit<48>           seen;
    // The flow whose order it keeps, and its place in it.
    flow_cell_t       flow;
    bit<32>           turn;
    nanos_t           start;
    nanos_t           finish;
}

#endif
