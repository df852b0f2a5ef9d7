// The address of a next hop that is given by its IP address, as the controller has found it. Until then, and while the next hop does not answer,
// what would go there is dropped and counted by port.

#ifndef SLUICE_NEXT_HOP_P4
#define SLUICE_NEXT_HOP_P4

control NextHops(inout headers_t hdr, in metadata_t md, inout standard_metadata_t standard_metadata) {
    counter(PORTS, CounterType.packets_and_bytes) next_hop_dropped;

    action next_hop(bit<48> mac) {
        hdr.ethernet.dst_addr = mac;
    }

    table NextHop {
        key = { md.egress_port : exact @name("egress_port"); }
        actions = { next_hop; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PORTS;
    }

    apply {
        if (!NextHop.apply().hit) {
            next_hop_dropped.count((bit<32>) md.egress_port);
            mark_to_drop(standard_metadata);
            exit;
        }
    }
}

#endif
