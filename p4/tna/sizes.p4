// How much one pipe holds. A build gives INSTANCES (marker instances in a pipe) and what one of them holds; the rest follows.

#ifndef SLUICE_TNA_SIZES_P4
#define SLUICE_TNA_SIZES_P4

#ifndef INSTANCES
#define INSTANCES 1
#endif
// Paper 000, section V.C: a stage has room for about 35,800 rate filters, here 17,920 subscribers with one for either direction.
#ifndef INSTANCE_SUBSCRIBERS
#define INSTANCE_SUBSCRIBERS 17920
#endif
#define INSTANCE_CELLS (2 * INSTANCE_SUBSCRIBERS)
#ifndef INSTANCE_PREFIXES6
#define INSTANCE_PREFIXES6 8192
#endif
// IPv6 prefixes have one length.
#ifndef PREFIX6_BITS
#define PREFIX6_BITS 56
#endif
#define VLAN_CAPACITY 16384
#define SERVICE_VLAN_CAPACITY 4096
#define ROUTES4 4096
#define ROUTES6 1024
// The rates of a bin are a few blocks of powers of two.
#define RATE_ENTRIES 4096

#endif
