#ifndef SLUICE_NEIGHBOUR_METADATA_P4
#define SLUICE_NEIGHBOUR_METADATA_P4

// What a frame is between neighbours.
struct neighbour_metadata_t {
    // ARP, neighbour discovery, or from the controller: the only frames that the step looks at.
    bit<1> look;
}

#endif
