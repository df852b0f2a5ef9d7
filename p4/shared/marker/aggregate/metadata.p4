#ifndef SLUICE_AGGREGATE_METADATA_P4
#define SLUICE_AGGREGATE_METADATA_P4

#include "../../types.p4"

// Aggregates one switch marks, each a subscriber's direction.
#define AGGREGATES 4096
#define AGGREGATE_COLOURS 8192
// Flows whose rates are measured; those of the same hash are measured as one.
#define FLOW_RATES 65536
#define FLOW_WEIGHTS 16384

typedef bit<12> aggregate_index_t;
typedef bit<16> flow_index_t;
// 1,024 times the logarithm to base 2.
typedef bit<16> log_t;
// The logarithm of 2^16, by which a random number of 16 bits is a fraction.
const log_t LOG_RANDOM = 16384;
// Of 1.01, rounded down: a correction of the fair rate is less than 1 %.
const log_t LOG_CORRECTION = 14;

typedef bit<3> marker_kind_t;
const marker_kind_t MARKER_NONE = 0;
const marker_kind_t MARKER_TOKEN_BUCKET = 1;
const marker_kind_t MARKER_TSW2CM = 2;
const marker_kind_t MARKER_PAM = 3;
const marker_kind_t MARKER_F_SAM = 4;

struct aggregate_metadata_t {
    marker_kind_t     kind;
    aggregate_index_t index;
    // Whose contract it is, by which it is told from another that had its number before.
    bit<32>           holder;
    bit<6>            dscp_in;
    bit<6>            dscp_out;
    // Tokens and burst in 2^-20 bit; what flows in per microsecond.
    bit<40>           fill;
    bit<52>           burst;
    // The committed rate in the unit of the rate filter, and its logarithm.
    bit<32>           cir_rate;
    log_t             cir_log;
    // Halvings of the filters' clock for the rates of the aggregate.
    bit<8>            time_shift;
    micros_t          window;
    // PAM: thresholds of the averaged tokens, bits; log of their distance over the greatest probability; weight of a packet, 2^-shift.
    bit<32>           least;
    bit<32>           most;
    log_t             scale_log;
    bit<8>            average_shift;
    // Of the packet.
    log_t             weight_log;
    // The first of its contract: what the registers have is another's.
    bit<1>            fresh;
    bit<1>            out_of_profile;
}

#endif
