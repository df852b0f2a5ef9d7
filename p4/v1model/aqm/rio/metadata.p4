#ifndef SLUICE_RIO_METADATA_P4
#define SLUICE_RIO_METADATA_P4

struct rio_metadata_t {
    bit<6>  dscp_in;
    bit<16> limit;
    bit<8>  weight_shift;
    bit<8>  idle_shift;
    // Thresholds in 2^-16 packet, and probability per packet between them in 2^-24.
    bit<32> least;
    bit<32> most;
    bit<24> slope;
    // Of the packet.
    bit<1>  managed;
    bit<1>  in_profile;
    bit<1>  drop;
}

#endif
