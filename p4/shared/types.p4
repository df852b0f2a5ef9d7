// Widths and numbers that features agree on. What is one feature's own is in its folder's metadata.p4; the pipeline's metadata nests these.

#ifndef SLUICE_TYPES_P4
#define SLUICE_TYPES_P4

#define PORTS 512

typedef bit<9>  port_t;
typedef bit<16> value_t;
typedef bit<32> micros_t;

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
    POLICED = 8,
    SHAPING_BUFFER = 9
}

#endif
