// Layer 3 forwarding in TNA, in parts: routes are looked up while the subscriber is, then its access port goes before them. The tables are
// those of shared/forwarding/forwarding.p4.

#ifndef SLUICE_TNA_FORWARDING_P4
#define SLUICE_TNA_FORWARDING_P4

control Routes(inout headers_t hdr, inout metadata_t md) {
    action route(port_t port) {
        md.egress_port = port;
        md.verdict.routed = 1;
    }

    // Stage 0 has all the tables it can.
    @stage(3)
    table Routing4 {
        key = { hdr.ipv4.dst_addr : lpm @name("dst"); }
        actions = { route; @defaultonly NoAction; }
        const default_action = NoAction();
        size = ROUTES4;
    }

    @stage(3)
    table Routing6 {
        key = { hdr.ipv6.dst_addr : lpm @name("dst"); }
        actions = { route; @defaultonly NoAction; }
        const default_action = NoAction();
        size = ROUTES6;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            Routing4.apply();
        } else if (hdr.ipv6.isValid()) {
            Routing6.apply();
        }
    }
}

// To a subscriber by its access port, whatever the routes say.
control Delivery(inout metadata_t md) {
    action deliver() {
        md.egress_port = md.subscriber.access_port;
        md.verdict.routed = 1;
    }

    apply {
        if (md.subscriber.direction == Direction_t.DOWN && md.subscriber.instance != 0) {
            deliver();
        }
    }
}

// A packet whose time is over is dropped.
control TimeToLive(in headers_t hdr, inout metadata_t md) {
    apply {
        if (hdr.ipv4.isValid() && hdr.ipv4.ttl <= 1) {
            md.verdict.expired = 1;
        } else if (hdr.ipv6.isValid() && hdr.ipv6.hop_limit <= 1) {
            md.verdict.expired = 1;
        }
    }
}

// What changes of a packet that goes on: one hop less to live, without the tags it came with.
control Unwrap(inout headers_t hdr, inout metadata_t md) {
    apply {
        if (md.fpga.shape == 0 && hdr.ipv4.isValid()) {
            hdr.ipv4.ttl = hdr.ipv4.ttl |-| 1;
        } else if (md.fpga.shape == 0 && hdr.ipv6.isValid()) {
            hdr.ipv6.hop_limit = hdr.ipv6.hop_limit |-| 1;
        }
        if (md.fpga.shape == 0 && hdr.inner_tag.isValid()) {
            md.pcp = hdr.outer_tag.pcp;
            md.dei = hdr.outer_tag.dei;
            hdr.ethernet.ether_type = hdr.inner_tag.ether_type;
            hdr.inner_tag.setInvalid();
            hdr.outer_tag.setInvalid();
        } else if (md.fpga.shape == 0 && hdr.outer_tag.isValid()) {
            md.pcp = hdr.outer_tag.pcp;
            md.dei = hdr.outer_tag.dei;
            hdr.ethernet.ether_type = hdr.outer_tag.ether_type;
            hdr.outer_tag.setInvalid();
        } else if (hdr.ipv4.isValid()) {
            md.pcp = CLASS_SELECTOR(hdr.ipv4.dscp);
        } else if (hdr.ipv6.isValid()) {
            md.pcp = CLASS_SELECTOR(hdr.ipv6.dscp);
        }
    }
}

control Encapsulation(inout headers_t hdr, inout metadata_t md) {
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
        key = {
            md.subscriber.instance : exact @name("instance");
            md.subscriber.slot : exact @name("index");
        }
        actions = { push_single; push_double; @defaultonly NoAction; }
        const default_action = NoAction();
        size = VLAN_CAPACITY;
    }

    apply {
        if (md.fpga.shape == 0 && md.subscriber.direction == Direction_t.DOWN && md.subscriber.instance != 0) {
            SubscriberEncap.apply();
        }
    }
}

#endif
