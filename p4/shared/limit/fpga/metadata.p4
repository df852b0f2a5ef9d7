#ifndef SLUICE_FPGA_METADATA_P4
#define SLUICE_FPGA_METADATA_P4

typedef bit<18> queue_id_t;

// Which directions of the subscriber are limited, and whether this packet is to be held back.
struct fpga_metadata_t {
    queue_id_t queue;
    bit<1>     shape_down;
    bit<1>     shape_up;
    bit<1>     shape;
}

#endif
