#ifndef SLUICE_LIMIT_METADATA_P4
#define SLUICE_LIMIT_METADATA_P4

// Eight BNG ports with 64 trees each, and two directions.
#define TREE_DIRECTIONS 1024
#define PORT_DIRECTIONS 16

typedef bit<3> bng_port_t;
typedef bit<6> tree_t;

#endif
