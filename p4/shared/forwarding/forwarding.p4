// Layer 3 forwarding: to a subscriber by its access port, to everyone else by the longest matching route.

#ifndef SLUICE_FORWARDING_P4
#define SLUICE_FORWARDING_P4

#define ROUTES 16384

control Forwarding(inout headers_t hdr, inout metadata_t md) {
    action route(port_t port) {
        md.egress_port = port;
        md.drop = DropReason_t.NONE;
    }

    table Routing4 {
        key = { hdr.ipv4.dst_addr : lpm @name("dst"); }
        actions = { route; @defaultonly NoAction; }
        const default_action = NoAction();
        size = ROUTES;
    }

    table Routing6 {
        key = { hdr.ipv6.dst_addr : lpm @name("dst"); }
        actions = { route; @defaultonly NoAction; }
        const default_action = NoAction();
        size = ROUTES;
    }

    action push_single(bit<12> s_vid) {
        hdr.outer_tag.setValid();
        hdr.outer_tag.pcp = md.pcp;
        hdr.outer_tag.dei = md.dei;
        hdr.outer_tag.vid = s_vid;
        hdr.outer_tag.ether_type = hdr.ethernet.ether_type;
        hdr.ethernet.ether_type = ETHERTYPE_C_TAG;
    }

    action push_double(bit<12> s_vid, bit<12> c_vid) {
        hdr.inner_tag.setValid();
        hdr.inner_tag.pcp = md.pcp;
        hdr.inner_tag.dei = md.dei;
        hdr.inner_tag.vid = c_vid;
        hdr.inner_tag.ether_type = hdr.ethernet.ether_type;
        hdr.outer_tag.setValid();
        hdr.outer_tag.pcp = md.pcp;
        hdr.outer_tag.dei = md.dei;
        hdr.outer_tag.vid = s_vid;
        hdr.outer_tag.ether_type = ETHERTYPE_C_TAG;
        hdr.ethernet.ether_type = ETHERTYPE_S_TAG;
    }

    table SubscriberEncap {
        key = { md.subscriber.index : exact @name("index"); }
        actions = { push_single; push_double; @defaultonly NoAction; }
        const default_action = NoAction();
        size = VLAN_CAPACITY;
    }

    apply {
        md.drop = DropReason_t.NO_ROUTE;
        // First, so that a packet whose time is over is told of as it came.
        if (hdr.ipv4.isValid()) {
            if (hdr.ipv4.ttl <= 1) {
                md.drop = DropReason_t.TTL_EXPIRED;
            } else {
                hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
            }
        } else if (hdr.ipv6.isValid()) {
            if (hdr.ipv6.hop_limit <= 1) {
                md.drop = DropReason_t.TTL_EXPIRED;
            } else {
                hdr.ipv6.hop_limit = hdr.ipv6.hop_limit - 1;
            }
        }
        if (md.drop == DropReason_t.NO_ROUTE) {
            if (hdr.inner_tag.isValid()) {
                hdr.ethernet.ether_type = hdr.inner_tag.ether_type;
                hdr.inner_tag.setInvalid();
                hdr.outer_tag.setInvalid();
            } else if (hdr.outer_tag.isValid()) {
                hdr.ethernet.ether_type = hdr.outer_tag.ether_type;
                hdr.outer_tag.setInvalid();
            }
            if (md.subscriber.direction == Direction_t.DOWN && md.subscriber.index != 0) {
                md.egress_port = md.subscriber.access_port;
                md.drop = DropReason_t.NONE;
                SubscriberEncap.apply();
            } else if (hdr.ipv4.isValid()) {
                Routing4.apply();
            } else if (hdr.ipv6.isValid()) {
                Routing6.apply();
            }
        }
    }
}

#endif
