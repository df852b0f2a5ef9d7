// Headers of the TNA program for wires, and its metadata beside that of the program that routes.

#ifndef SLUICE_TNA_WIRE_HEADERS_P4
#define SLUICE_TNA_WIRE_HEADERS_P4

#include "../../shared/wire/headers.p4"

// The beginning of TCP and of UDP.
header ports_t {
    bit<16> src_port;
    bit<16> dst_port;
}

// Which protocols that keep networks going a packet may be of.
enum bit<2> ControlKind_t {
    NONE = 0,
    ROUTING = 1,
    DHCP = 2,
    DISCOVERY = 3
}

struct wire_metadata_t {
    bit<8>        protocol;
    ControlKind_t kind;
    // To a link-local group or address.
    bit<1>        on_link;
    bit<1>        control_traffic;
    bit<1>        marked;
}

#endif
