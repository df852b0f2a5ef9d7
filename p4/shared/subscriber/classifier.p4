// Whose packet is it: the port's role and direction, then the subscriber.
//
// Downstream the destination address says it. Upstream the first of these does:
//
//   tags (S, C) that are declared as a pair on the port             SubscriberVlan
//   S that is declared alone on the port, with any C or none        SubscriberServiceVlan
//   the source address                                              SubscriberRate4, SubscriberRate6
//
// On a wire frames have the tags of their line both ways, so that these tell the subscriber downstream, too.
//
// The line vouches for its tags; a source address is only the sender's word. So on an access port an address names a subscriber only if that
// one has no line of its own and is declared on this port: else the packet is dropped as spoofed. What belongs to no subscriber is dropped
// unless the port's entry says otherwise. VLAN 0 is no tag (IEEE 802.1Q, 6.9), and a C of 0 is none.

#ifndef SLUICE_CLASSIFIER_P4
#define SLUICE_CLASSIFIER_P4

control Classifier(in headers_t hdr, inout metadata_t md, in port_t ingress_port) {
    bit<32>  addr4 = 0;
    bit<128> addr6 = 0;
    port_t   line_port = 0;
    bit<12>  s_vid = 0;
    bit<12>  c_vid = 0;

    action set_role(PortRole_t role, Direction_t direction, bit<1> drop_unknown) {
        md.subscriber.role = role;
        md.subscriber.direction = direction;
        md.subscriber.known_port = 1;
        md.subscriber.drop_unknown = drop_unknown;
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

    // Upstream, its tags alone tell it.
    action tagged_subscriber(subscriber_index_t index, policy_slot_t policy, port_t port, queue_id_t queue,
                             bit<1> shape_down, bit<1> shape_up) {
        subscriber(index, policy, port, queue, shape_down, shape_up);
        md.subscriber.has_line = 1;
    }

    // Paper 000, section IV: finds the subscriber and its policy; the rate is measured behind the index.
    table SubscriberRate4 {
        key = { addr4 : lpm @name("addr"); }
        actions = { subscriber; tagged_subscriber; @defaultonly NoAction; }
        const default_action = NoAction();
        size = SUBSCRIBER_CAPACITY;
    }

    table SubscriberRate6 {
        key = { addr6 : lpm @name("addr"); }
        actions = { subscriber; tagged_subscriber; @defaultonly NoAction; }
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

    table SubscriberServiceVlan {
        key = {
            line_port : exact @name("ingress_port");
            s_vid : exact @name("s_vid");
        }
        actions = { subscriber; @defaultonly NoAction; }
        const default_action = NoAction();
        size = SERVICE_VLAN_CAPACITY;
    }

    apply {
        if (md.wire.on == 0) {
            PortRole.apply();
        } else {
            md.subscriber.known_port = 1;
            md.subscriber.direction = md.wire.direction;
        }
        if (hdr.outer_tag.isValid()) {
            s_vid = hdr.outer_tag.vid;
            md.pcp = hdr.outer_tag.pcp;
            md.dei = hdr.outer_tag.dei;
        } else if (hdr.ipv4.isValid()) {
            md.pcp = CLASS_SELECTOR(hdr.ipv4.dscp);
        } else if (hdr.ipv6.isValid()) {
            md.pcp = CLASS_SELECTOR(hdr.ipv6.dscp);
        }
        if (hdr.inner_tag.isValid()) {
            c_vid = hdr.inner_tag.vid;
        }
        // The line of a frame that comes back from the FPGA: see Shaping.
        line_port = md.subscriber.role == PortRole_t.SIDECAR ? hdr.ethernet.dst_addr[8:0] : ingress_port;
        if (md.wire.on == 1 && md.wire.direction == Direction_t.DOWN) {
            line_port = md.wire.partner;
        }
        // What a router must not forward (RFC 1812, 5.2.2) is not IP: another version, a header shorter than its fixed part.
        if (md.wire.unread == 0 && hdr.ipv4.isValid() && hdr.ipv4.version == 4 && hdr.ipv4.ihl >= 5) {
            md.has_ip = 1;
            md.ecn = hdr.ipv4.ecn;
            md.ttl = hdr.ipv4.ttl;
            addr4 = hdr.ipv4.dst_addr;
            if (md.subscriber.direction == Direction_t.UP) {
                addr4 = hdr.ipv4.src_addr;
            }
        } else if (md.wire.unread == 0 && hdr.ipv6.isValid() && hdr.ipv6.version == 6) {
            md.has_ip = 1;
            md.ecn = hdr.ipv6.ecn;
            addr6 = hdr.ipv6.dst_addr;
            if (md.subscriber.direction == Direction_t.UP) {
                addr6 = hdr.ipv6.src_addr;
            }
        }
        if (md.subscriber.known_port == 1 && md.has_ip == 1) {
            bool by_line = false;
            if ((md.subscriber.direction == Direction_t.UP || md.wire.on == 1) && s_vid != 0) {
                by_line = SubscriberVlan.apply().hit;
                if (!by_line) {
                    by_line = SubscriberServiceVlan.apply().hit;
                }
            }
            if (!by_line) {
                if (hdr.ipv4.isValid()) {
                    SubscriberRate4.apply();
                } else {
                    SubscriberRate6.apply();
                }
                // What comes back from the FPGA has been let in, and over a trunk the other switch has looked.
                if (md.subscriber.role == PortRole_t.ACCESS && md.subscriber.direction == Direction_t.UP && md.subscriber.index != 0
                    && (md.subscriber.has_line == 1 || md.subscriber.access_port != ingress_port)) {
                    md.subscriber.refusal = SPOOFED_SOURCE;
                } else if (md.subscriber.drop_unknown == 1 && md.subscriber.index == 0) {
                    md.subscriber.refusal = NO_SUBSCRIBER;
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
