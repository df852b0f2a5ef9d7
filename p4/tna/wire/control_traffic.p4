// Whether a subscriber's packet is of a protocol that keeps networks going, by the rules of shared/wire/wire.p4. What is of no subscriber is worth
// most anyway.

#ifndef SLUICE_TNA_WIRE_CONTROL_TRAFFIC_P4
#define SLUICE_TNA_WIRE_CONTROL_TRAFFIC_P4

control ControlTraffic(in headers_t hdr, inout metadata_t md) {
    action is_of(ControlKind_t kind) {
        md.wire.kind = kind;
    }

    table ControlProtocol {
        key = {
            md.wire.protocol : ternary @name("protocol");
            hdr.ports.isValid() : ternary @name("has_ports");
            hdr.ports.src_port : ternary @name("src_port");
            hdr.ports.dst_port : ternary @name("dst_port");
            hdr.icmpv6.isValid() : ternary @name("has_icmpv6");
            hdr.icmpv6.type : ternary @name("icmpv6_type");
            hdr.ipv6.hop_limit : ternary @name("hop_limit");
        }
        actions = { is_of; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            // BGP and LDP.
            (PROTOCOL_TCP, true, _, 179, _, _, _) : is_of(ControlKind_t.ROUTING);
            (PROTOCOL_TCP, true, 179, _, _, _, _) : is_of(ControlKind_t.ROUTING);
            (PROTOCOL_TCP, true, _, 646, _, _, _) : is_of(ControlKind_t.ROUTING);
            (PROTOCOL_TCP, true, 646, _, _, _, _) : is_of(ControlKind_t.ROUTING);
            // BFD and LDP.
            (PROTOCOL_UDP, true, _, 3784, _, _, _) : is_of(ControlKind_t.ROUTING);
            (PROTOCOL_UDP, true, _, 3785, _, _, _) : is_of(ControlKind_t.ROUTING);
            (PROTOCOL_UDP, true, _, 4784, _, _, _) : is_of(ControlKind_t.ROUTING);
            (PROTOCOL_UDP, true, _, 646, _, _, _) : is_of(ControlKind_t.ROUTING);
            (PROTOCOL_UDP, true, _, 67, _, _, _) : is_of(ControlKind_t.DHCP);
            (PROTOCOL_UDP, true, _, 68, _, _, _) : is_of(ControlKind_t.DHCP);
            (PROTOCOL_UDP, true, _, 546, _, _, _) : is_of(ControlKind_t.DHCP);
            (PROTOCOL_UDP, true, _, 547, _, _, _) : is_of(ControlKind_t.DHCP);
            (PROTOCOL_OSPF, _, _, _, _, _, _) : is_of(ControlKind_t.ROUTING);
            // Neighbour discovery, types 133 to 137, which comes from the link or not at all.
            (PROTOCOL_ICMPV6, _, _, _, true, 133, 255) : is_of(ControlKind_t.DISCOVERY);
            (PROTOCOL_ICMPV6, _, _, _, true, 134 &&& 0xfe, 255) : is_of(ControlKind_t.DISCOVERY);
            (PROTOCOL_ICMPV6, _, _, _, true, 136 &&& 0xfe, 255) : is_of(ControlKind_t.DISCOVERY);
        }
        size = 16;
    }

    action on_link() {
        md.wire.on_link = 1;
    }

    table OnLink {
        key = {
            hdr.ipv4.isValid() : ternary @name("has_ipv4");
            hdr.ipv4.dst_addr : ternary @name("dst4");
            hdr.ipv6.dst_addr[127:112] : ternary @name("dst6");
        }
        actions = { on_link; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (true, 0xe0000000 &&& 0xffffff00, _) : on_link();
            (true, 0xffffffff, _) : on_link();
            (false, _, 0xff02) : on_link();
            (false, _, 0xfe80 &&& 0xffc0) : on_link();
        }
        size = 4;
    }

    action found() {
        md.wire.control_traffic = 1;
    }

    apply {
        if (md.has_ip == 1) {
            ControlProtocol.apply();
            OnLink.apply();
        }
        if (md.wire.kind != ControlKind_t.NONE && md.wire.on_link == 1) {
            found();
        } else if (md.wire.kind == ControlKind_t.DHCP && md.subscriber.direction == Direction_t.DOWN) {
            found();
        } else if (md.wire.kind == ControlKind_t.DISCOVERY) {
            found();
        }
    }
}

#endif
