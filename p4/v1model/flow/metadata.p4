#ifndef SLUICE_FLOW_METADATA_P4
#define SLUICE_FLOW_METADATA_P4

#include "../../shared/aqm/metadata.p4"

// What a policy says of its subscribers' flows.
struct flow_metadata_t {
    // Whether light flows go before heavy ones, and the class whose queue at the FPGA is theirs; 0 if all share those of their classes.
    bit<1>        light_first;
    class_queue_t light_class;
}

#endif
