// Whose packet is it: the port's role and direction, then the subscriber by address or by VLAN pair.

#ifndef SLUICE_CLASSIFIER_P4
#define SLUICE_CLASSIFIER_P4

control Classifier(in headers_t hdr, inout metadata_t md, in port_t ingress_port) {
    bit<32>  addr4 = 0;
    bit<128> addr6 = 0;
    port_t   line_port = 0;
    bit<12>  s_vid = 0;
    bit<12>  c_vid = 0;

    action set_role(PortRole_t role, Direction_t direction) {
        md.subscriber.role = role;
        md.subscriber.direction = direction;
        md.subscriber.known_port = 1;
    }

    table PortRole {
        key = { ingress_port : exact; }
        actions = { set_role; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PORTS;
    }

    action subscriber(subscriber_index_t index, policy_slot_t policy, port_t port, queue_id_t queue,
                      bit<1> shape_down, bit<1> shape_up) {
        md.subscriber.index = index;
        md.subscriber.policy = policy;
        md.subscriber.access_port = port;
        md.fpga.queue = queue;
        md.fpga.shape_down = shape_down;
        md.fpga.shape_up = shape_up;
    }

    // Paper 000, section IV: finds the subscriber and its policy; the rate is measured behind the index.
    table SubscriberRate4 {
        key = { addr4 : lpm @name("addr"); }
        actions = { subscriber; @defaultonly NoAction; }
        const default_action = NoAction();
        size = SUBSCRIBER_CAPACITY;
    }

    table SubscriberRate6 {
        key = { addr6 : lpm @name("addr"); }
        actions = { subscriber; @defaultonly NoAction; }
        const default_action = NoAction();
        size = SUBSCRIBER_CAPACITY;
    }

    table SubscriberVlan {
        key = {
            line_port : exact @name("ingress_port");
            s_vid : exact @name("s_vid");
            c_vid : exact @name("c_vid");
        }
        actions = { subscriber; @defaultonly NoAction; }
        const default_action = NoAction();
        size = VLAN_CAPACITY;
    }

    apply {
        PortRole.apply();
        if (hdr.outer_tag.isValid()) {
            s_vid = hdr.outer_tag.vid;
        }
        if (hdr.inner_tag.isValid()) {
            c_vid = hdr.inner_tag.vid;
        }
        // The line of a frame that comes back from the FPGA: see Shaping.
        line_port = md.subscriber.role == PortRole_t.SIDECAR ? hdr.ethernet.dst_addr[8:0] : ingress_port;
        // What a router must not forward (RFC 1812, 5.2.2) is not IP: another version, a header shorter than its fixed part.
        if (hdr.ipv4.isValid() && hdr.ipv4.version == 4 && hdr.ipv4.ihl >= 5) {
            md.has_ip = 1;
            md.ecn = hdr.ipv4.ecn;
            md.ttl = hdr.ipv4.ttl;
            addr4 = hdr.ipv4.dst_addr;
            if (md.subscriber.direction == Direction_t.UP) {
                addr4 = hdr.ipv4.src_addr;
            }
        } else if (hdr.ipv6.isValid() && hdr.ipv6.version == 6) {
            md.has_ip = 1;
            md.ecn = hdr.ipv6.ecn;
            addr6 = hdr.ipv6.dst_addr;
            if (md.subscriber.direction == Direction_t.UP) {
                addr6 = hdr.ipv6.src_addr;
            }
        }
        if (md.subscriber.known_port == 1 && md.has_ip == 1) {
            // The access line vouches for its VLAN pair, a packet's source address is only its sender's word.
            bool by_line = false;
            if (md.subscriber.direction == Direction_t.UP && hdr.outer_tag.isValid()) {
                by_line = SubscriberVlan.apply().hit;
            }
            if (!by_line) {
                if (hdr.ipv4.isValid()) {
                    SubscriberRate4.apply();
                } else {
                    SubscriberRate6.apply();
                }
            }
        }
        md.subscriber.direction_index = md.subscriber.index ++ (bit<1>) md.subscriber.direction;
        if (md.subscriber.direction == Direction_t.DOWN) {
            md.fpga.shape = md.fpga.shape_down;
        } else {
            md.fpga.shape = md.fpga.shape_up;
        }
    }
}

#endif
