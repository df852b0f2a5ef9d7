// Wires: two ports between which every frame passes as it is. Frames of subscribers are known, limited and marked as in routing; what is no
// subscriber's is one sender, with a policy and a limit of its own if it has any.

#ifndef SLUICE_WIRE_P4
#define SLUICE_WIRE_P4

// Whether the frame came in by a wire.
control WireEnd(inout metadata_t md, in port_t ingress_port, in bit<1> checksum_error) {
    action wire(port_t partner, Direction_t direction, subscriber_index_t nobody) {
        md.wire.on = 1;
        md.wire.unread = checksum_error;
        md.wire.partner = partner;
        md.wire.direction = direction;
        md.wire.nobody = nobody;
    }

    table Wire {
        key = { ingress_port : exact @name("ingress_port"); }
        actions = { wire; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PORTS;
    }

    apply {
        Wire.apply();
    }
}

// What no subscriber's frame is measured, marked and counted by. A source that its line does not vouch for makes nobody pay, but the frame passes.
control UnknownInWire(inout metadata_t md, in port_t ingress_port) {
    action set_unknown_policy(policy_slot_t policy) {
        md.subscriber.policy = policy;
    }

    table UnknownPolicy {
        key = { ingress_port : exact @name("ingress_port"); }
        actions = { set_unknown_policy; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PORTS;
    }

    apply {
        // No FPGA: a frame comes back from it without its port and destination address.
        md.fpga.shape = 0;
        if (md.subscriber.index == 0 || md.subscriber.refusal != DropReason_t.NONE) {
            md.wire.unknown = 1;
            md.subscriber.refusal = DropReason_t.NONE;
            md.subscriber.index = md.wire.nobody;
            md.subscriber.direction_index = md.wire.nobody ++ (bit<1>) md.wire.direction;
            md.subscriber.policy = 0;
            UnknownPolicy.apply();
        }
    }
}

// Whether a frame is of a protocol that keeps networks going. A subscriber's own packets are not, however they look, or it could send whatever it likes
// that way: but for those that stay on its line, and answers of DHCP.
control ControlTraffic(in headers_t hdr, inout metadata_t md) {
    apply {
        bit<16> type = 0;
        bit<16> source_port = 0;
        bit<16> port = 0;
        bit<8> protocol = 0;
        bit<1> on_link = 0;
        bit<1> routing = 0;
        bit<1> dhcp = 0;

        if (hdr.inner_tag.isValid()) {
            type = hdr.inner_tag.ether_type;
        } else if (hdr.outer_tag.isValid()) {
            type = hdr.outer_tag.ether_type;
        } else if (hdr.packet_value.isValid()) {
            type = hdr.packet_value.ether_type;
        } else if (hdr.ethernet.isValid()) {
            type = hdr.ethernet.ether_type;
        }

        if (md.has_ip == 1) {
            if (hdr.ipv4.isValid()) {
                protocol = hdr.ipv4.protocol;
                if (hdr.ipv4.dst_addr[31:8] == 0xe00000 || hdr.ipv4.dst_addr == 0xffffffff) {
                    on_link = 1;
                }
            } else {
                protocol = hdr.ipv6.next_hdr;
                if (hdr.ipv6.dst_addr[127:112] == 0xff02 || hdr.ipv6.dst_addr[127:118] == 0x3fa) {
                    on_link = 1;
                }
            }
            if (hdr.tcp.isValid()) {
                source_port = hdr.tcp.src_port;
                port = hdr.tcp.dst_port;
                // BGP and LDP.
                if (port == 179 || source_port == 179 || port == 646 || source_port == 646) {
                    routing = 1;
                }
            } else if (hdr.udp.isValid()) {
                port = hdr.udp.dst_port;
                // BFD and LDP.
                if (port == 3784 || port == 3785 || port == 4784 || port == 646) {
                    routing = 1;
                } else if (port == 67 || port == 68 || port == 546 || port == 547) {
                    dhcp = 1;
                }
            } else if (protocol == PROTOCOL_OSPF) {
                routing = 1;
            }
            if (md.wire.unknown == 1) {
                md.wire.control_traffic = routing | dhcp | on_link;
            } else if (dhcp == 1 && md.wire.direction == Direction_t.DOWN) {
                md.wire.control_traffic = 1;
            } else {
                md.wire.control_traffic = (routing | dhcp) & on_link;
            }
            // Neighbour discovery, which comes from the link or not at all.
            if (hdr.icmpv6.isValid() && hdr.icmpv6.type >= 133 && hdr.icmpv6.type <= 137 && hdr.ipv6.hop_limit == 255) {
                md.wire.control_traffic = 1;
            }
        } else if (hdr.pppoe.isValid()) {
            // LCP, authentication and the control protocols of what PPP carries.
            md.wire.control_traffic = hdr.pppoe.protocol[15:15];
        } else if (type == ETHERTYPE_ARP || type == ETHERTYPE_PPPOE_DISCOVERY || type == ETHERTYPE_LLDP || type == ETHERTYPE_SLOW) {
            md.wire.control_traffic = 1;
        } else if (hdr.ethernet.isValid() && (hdr.ethernet.dst_addr[47:8] == 0x0180c20000
                   || type < ETHERTYPE_LEAST && hdr.ethernet.dst_addr[40:40] == 1)) {
            md.wire.control_traffic = 1;
        }
    }
}

// The value of control traffic, and of what has no policy: a wire takes nothing away from what it does not know, unless it is told to.
control WireValue(inout metadata_t md) {
    apply {
        if (md.wire.control_traffic == 1 || md.wire.unknown == 1 && md.subscriber.policy == 0) {
            md.value = WORTH_MOST;
        }
    }
}

#endif
