// Packets of addresses that no subscriber has: counted by port, and the controller gets a copy of some of them, from which it learns the addresses.

#ifndef SLUICE_UNKNOWN_P4
#define SLUICE_UNKNOWN_P4

// The clone session of the copies; a switch without it makes none.
#define UNKNOWN_CLONE_SESSION 2
#define INSTANCE_TYPE_INGRESS_CLONE 1

control UnknownTraffic(inout metadata_t md, in port_t ingress_port, in bit<48> now) {
    Telling() telling;

    counter(PORTS, CounterType.packets_and_bytes) unknown;

    apply {
        unknown.count((bit<32>) ingress_port);
        // One in eight by chance, so that what a port tells the controller is of its senders in proportion, also when it may tell no more.
        bit<3> chance;
        random<bit<3>>(chance, 0, 7);
        if (chance == 0) {
            bit<1> may;
            telling.apply(ingress_port, now, may);
            if (may == 1) {
                md.unknown.port = ingress_port;
                clone_preserving_field_list(CloneType.I2E, UNKNOWN_CLONE_SESSION, UNKNOWN_FIELD_LIST);
            }
        }
    }
}

// The copy leaves as the packet came in.
control UnknownCopy(inout headers_t hdr, inout metadata_t md) {
    apply {
        hdr.packet_in.setValid();
        hdr.packet_in.port = md.unknown.port;
        hdr.packet_in.reason = OF_NO_SUBSCRIBER;
        md.wire.on = 1;
    }
}

#endif
