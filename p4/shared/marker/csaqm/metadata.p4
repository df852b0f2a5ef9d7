#ifndef SLUICE_CSAQM_METADATA_P4
#define SLUICE_CSAQM_METADATA_P4

#define RATE_BINS 1024
#define POLICY_ENTRIES 65536

typedef bit<32> rate_t;
typedef bit<10> rate_bin_t;

struct csaqm_metadata_t {
    rate_t     rate;
    rate_bin_t bin;
    rate_bin_t offset;
    bit<16>    rnd;
}

#endif
