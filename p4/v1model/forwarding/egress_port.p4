// What a port does to a leaving frame: next-hop addresses, the frame's priority in a tag of VLAN 0 where the port keeps it, and the packet value
// kept only towards a switch that believes it.

#ifndef SLUICE_EGRESS_PORT_P4
#define SLUICE_EGRESS_PORT_P4

control EgressRewrite(inout headers_t hdr, inout metadata_t md, inout standard_metadata_t standard_metadata) {
    NextHops() next_hops;
    bit<1> by_address = 0;

    action rewrite(bit<48> src_mac, bit<48> dst_mac, bit<1> keep_pv, bit<1> priority_tag) {
        hdr.ethernet.src_addr = src_mac;
        hdr.ethernet.dst_addr = dst_mac;
        if (priority_tag == 1) {
            hdr.outer_tag.setValid();
            hdr.outer_tag.pcp = md.pcp;
            hdr.outer_tag.dei = md.dei;
            hdr.outer_tag.vid = 0;
            hdr.outer_tag.ether_type = hdr.ethernet.ether_type;
            hdr.ethernet.ether_type = ETHERTYPE_C_TAG;
        }
        if (keep_pv == 1) {
            hdr.packet_value.setValid();
            hdr.packet_value.value = md.value;
            hdr.packet_value.ether_type = hdr.ethernet.ether_type;
            hdr.ethernet.ether_type = ETHERTYPE_PACKET_VALUE;
        }
    }

    // The next hop is given by its IP address: see NextHop.
    action rewrite_to_next_hop(bit<48> src_mac, bit<1> keep_pv, bit<1> priority_tag) {
        rewrite(src_mac, 0, keep_pv, priority_tag);
        by_address = 1;
    }

    table EgressPort {
        key = { md.egress_port : exact @name("egress_port"); }
        actions = { rewrite; rewrite_to_next_hop; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PORTS;
    }

    apply {
        EgressPort.apply();
        if (by_address == 1) {
            next_hops.apply(hdr, md, standard_metadata);
        }
    }
}

#endif
