#ifndef SLUICE_DROPPER_METADATA_P4
#define SLUICE_DROPPER_METADATA_P4

#include "../../types.p4"

// How fast the threshold loop runs on a port: the slower the line, the fewer packets tell it anything.
enum bit<2> Gain_t {
    NONE = 0,
    FAST = 1,
    MEDIUM = 2,
    SLOW = 3
}

struct dropper_metadata_t {
    Gain_t   gain;
    micros_t target;
    micros_t overload;
    micros_t period;
    micros_t idle;
    micros_t ecn_drop;
    micros_t queue_delay;
    value_t  threshold;
}

#endif
