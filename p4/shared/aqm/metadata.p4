#ifndef SLUICE_AQM_METADATA_P4
#define SLUICE_AQM_METADATA_P4

#include "../types.p4"
#include "codel/metadata.p4"

// Which algorithm keeps a queue's delay down; see codel/codel_act.p4.
enum bit<2> AqmKind_t {
    NONE = 0,
    CODEL_ACT = 1,
    P4_CODEL = 2,
    RFC8289 = 3
}

struct aqm_metadata_t {
    AqmKind_t      kind;
    bit<1>         ecn;
    micros_t       target;
    micros_t       interval;
    codel_weight_t weight;
    // The verdict.
    bit<1>         drop;
}

#endif
