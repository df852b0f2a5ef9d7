#ifndef SLUICE_CODEL_METADATA_P4
#define SLUICE_CODEL_METADATA_P4

// Queues whose delay can be managed: eight a port.
#define MANAGED_QUEUES 4096

typedef bit<3>  class_queue_t;
typedef bit<12> managed_queue_t;
typedef bit<32> codel_weight_t;
typedef bit<3>  codel_op_t;

// What a packet does to the state of its queue.
const codel_op_t CODEL_IDLE = 0;
// The first packet at or above the target: begins a cycle.
const codel_op_t CODEL_START = 1;
// A later packet of the cycle: dropped when a drop is due.
const codel_op_t CODEL_RUN = 2;
// The first packet below the target again: ends the cycle.
const codel_op_t CODEL_END = 3;
// The packet mirrored at the start: the update copy takes over the count to begin with.
const codel_op_t CODEL_LOAD = 4;
// The packet mirrored at the end: the init copy takes over what the cycle has found.
const codel_op_t CODEL_KEEP = 5;

// What a mirrored packet takes along.
struct codel_metadata_t {
    codel_op_t      op;
    managed_queue_t queue;
    codel_weight_t  count;
    bit<32>         until;
}

#endif
