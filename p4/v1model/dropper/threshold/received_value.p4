// The packet value of a frame that came over a trunk; of any other port it is not believed, and the marker puts its own in its place. A wire
// leaves it where it is.

#ifndef SLUICE_RECEIVED_VALUE_P4
#define SLUICE_RECEIVED_VALUE_P4

control ReceivedValue(inout headers_t hdr, inout metadata_t md) {
    apply {
        if (hdr.packet_value.isValid() && md.wire.on == 0) {
            hdr.ethernet.ether_type = hdr.packet_value.ether_type;
            if (md.subscriber.role == PortRole_t.TRUNK) {
                md.value = hdr.packet_value.value;
            }
            hdr.packet_value.setInvalid();
        }
    }
}

#endif
