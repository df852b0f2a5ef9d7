// The small metadata struct that the shared controls work on, and the sizes and widths they agree on.

#ifndef SLUICE_METADATA_P4
#define SLUICE_METADATA_P4

// Subscribers one switch holds. Index 0 is traffic of no subscriber.
#define SUBSCRIBER_CAPACITY 1048576
#define SUBSCRIBER_DIRECTIONS 2097152
#define VLAN_CAPACITY 262144
#define POLICY_SLOTS 64
#define RATE_BINS 1024
#define POLICY_ENTRIES 65536
#define ROUTES 16384
#define PORTS 512
// Queues whose delay can be managed: eight a port.
#define MANAGED_QUEUES 4096

typedef bit<9>  port_t;
typedef bit<20> subscriber_index_t;
typedef bit<21> direction_index_t;
typedef bit<8>  policy_slot_t;
typedef bit<18> queue_id_t;
typedef bit<32> rate_t;
typedef bit<10> rate_bin_t;
typedef bit<16> value_t;
typedef bit<32> micros_t;
typedef bit<3>  class_queue_t;
typedef bit<12> managed_queue_t;
typedef bit<32> codel_weight_t;
typedef bit<3>  codel_op_t;

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

// How fast the threshold loop runs on a port: the slower the line, the fewer packets tell it anything.
enum bit<2> Gain_t {
    NONE = 0,
    FAST = 1,
    MEDIUM = 2,
    SLOW = 3
}

// Which algorithm keeps a queue's delay down; see codel_act.p4.
enum bit<2> AqmKind_t {
    NONE = 0,
    CODEL_ACT = 1,
    P4_CODEL = 2,
    RFC8289 = 3
}

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

// The user metadata that a mirrored packet takes along.
#define CODEL_FIELD_LIST 1

// Why a switch dropped a packet; the index of its counter.
enum bit<4> DropReason_t {
    NONE = 0,
    UNKNOWN_PORT = 1,
    BAD_CHECKSUM = 2,
    NOT_IP = 3,
    NO_SIDECAR = 4,
    NO_ROUTE = 5,
    TTL_EXPIRED = 6,
    BELOW_THRESHOLD = 7,
    POLICED = 8
}

struct metadata_t {
    PortRole_t         role;
    Direction_t        direction;
    bit<1>             known_port;
    subscriber_index_t subscriber;
    direction_index_t  direction_index;
    policy_slot_t      policy;
    port_t             access_port;
    queue_id_t         queue;
    bit<1>             shape_down;
    bit<1>             shape_up;
    bit<1>             shape;
    bit<1>             has_ip;
    bit<2>             ecn;
    bit<8>             ttl;
    bit<16>            frame_bytes;
    port_t             egress_port;
    DropReason_t       drop;
    rate_t             rate;
    rate_bin_t         bin;
    rate_bin_t         offset;
    bit<16>            rnd;
    value_t            value;
    Gain_t             gain;
    micros_t           target;
    micros_t           overload;
    micros_t           period;
    micros_t           idle;
    micros_t           ecn_drop;
    micros_t           queue_delay;
    value_t            threshold;
    AqmKind_t          aqm;
    bit<1>             aqm_ecn;
    micros_t           aqm_target;
    micros_t           aqm_interval;
    codel_weight_t     codel_weight;
    bit<1>             codel_drop;
    @field_list(CODEL_FIELD_LIST)
    codel_op_t         codel_op;
    @field_list(CODEL_FIELD_LIST)
    managed_queue_t    managed_queue;
    @field_list(CODEL_FIELD_LIST)
    codel_weight_t     codel_count;
    @field_list(CODEL_FIELD_LIST)
    bit<32>            codel_until;
}

#endif
