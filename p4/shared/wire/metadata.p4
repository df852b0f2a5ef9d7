#ifndef SLUICE_WIRE_METADATA_P4
#define SLUICE_WIRE_METADATA_P4

#include "../subscriber/metadata.p4"

// What a frame is to a wire.
struct wire_metadata_t {
    // Behind the headers that only a wire reads, what is read is not routed; and on a wire it says nothing if its checksum is wrong.
    bit<1>             unread;
    // It came in by a wire and leaves by the other end.
    bit<1>             on;
    port_t             partner;
    // Which way the frames go that enter there.
    Direction_t        direction;
    // The index by which frames of no subscriber are measured and counted there, and whether this is one.
    subscriber_index_t nobody;
    bit<1>             unknown;
    // Protocols by which networks keep going: worth most, whoever they are of.
    bit<1>             control_traffic;
}

#endif
