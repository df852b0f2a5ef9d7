// What hangs on the port a packet came in on, and what follows from it: the packet's direction, and the address that tells its subscriber.

#ifndef SLUICE_TNA_PORTS_P4
#define SLUICE_TNA_PORTS_P4

control Ports(in headers_t hdr, inout metadata_t md, in port_t ingress_port) {
    // One action a direction, so that the address is there with the role: a Tofino has no stage to spare for it.
    action set_role_down(PortRole_t role, bit<1> drop_unknown) {
        md.subscriber.role = role;
        md.subscriber.direction = Direction_t.DOWN;
        md.subscriber.known_port = 1;
        md.subscriber.drop_unknown = drop_unknown;
        md.subscriber.addr4 = hdr.ipv4.dst_addr;
        md.subscriber.addr6 = hdr.ipv6.dst_addr;
    }

    action set_role_up(PortRole_t role, bit<1> drop_unknown) {
        md.subscriber.role = role;
        md.subscriber.direction = Direction_t.UP;
        md.subscriber.known_port = 1;
        md.subscriber.drop_unknown = drop_unknown;
        md.subscriber.addr4 = hdr.ipv4.src_addr;
        md.subscriber.addr6 = hdr.ipv6.src_addr;
    }

    table PortRole {
        key = { ingress_port : exact @name("ingress_port"); }
        actions = { set_role_down; set_role_up; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PORTS;
    }

    // The bytes to measure are those of IP: a Tofino's ingress is not told the length of the frame.
    action ipv4() {
        md.has_ip = 1;
        md.ecn = hdr.ipv4.ecn;
        md.csaqm.rate = (rate_t) hdr.ipv4.total_len;
    }

    action ipv6() {
        md.has_ip = 1;
        md.ecn = hdr.ipv6.ecn;
        md.csaqm.rate = (rate_t) hdr.ipv6.payload_len;
    }

    apply {
        PortRole.apply();
        // What a router must not forward (RFC 1812, 5.2.2) is not IP: another version, a header shorter than its fixed part.
        if (hdr.ipv4.isValid() && hdr.ipv4.version == 4 && hdr.ipv4.ihl >= 5) {
            ipv4();
        } else if (hdr.ipv6.isValid() && hdr.ipv6.version == 6) {
            ipv6();
        }
    }
}

#endif
