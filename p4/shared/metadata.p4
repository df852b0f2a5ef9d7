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

typedef bit<9>  port_t;
typedef bit<20> subscriber_index_t;
typedef bit<21> direction_index_t;
typedef bit<8>  policy_slot_t;
typedef bit<18> queue_id_t;
typedef bit<32> rate_t;
typedef bit<10> rate_bin_t;
typedef bit<16> value_t;
typedef bit<32> micros_t;

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

// Why a switch dropped a packet; the index of its counter.
enum bit<4> DropReason_t {
    NONE = 0,
    UNKNOWN_PORT = 1,
    BAD_CHECKSUM = 2,
    NOT_IP = 3,
    NO_SIDECAR = 4,
    NO_ROUTE = 5,
    TTL_EXPIRED = 6,
    BELOW_THRESHOLD = 7
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
    bit<8>             rnd;
    value_t            value;
    Gain_t             gain;
    micros_t           target;
    micros_t           overload;
    micros_t           period;
    micros_t           idle;
    micros_t           ecn_drop;
    micros_t           queue_delay;
    value_t            threshold;
}

#endif
