// Whether a frame came in by a wire, where it leaves, and what of it says whose it is.

#ifndef SLUICE_TNA_WIRE_ENDS_P4
#define SLUICE_TNA_WIRE_ENDS_P4

control WireEnd(in headers_t hdr, inout metadata_t md, in port_t ingress_port, in bit<16> parser_err) {
    // An action a direction, so that the address is there with the partner. Lines are those of the access end, both ways.
    action wire_down(port_t partner) {
        md.subscriber.known_port = 1;
        md.subscriber.direction = Direction_t.DOWN;
        md.egress_port = partner;
        md.subscriber.line_port = partner;
        md.subscriber.addr4 = hdr.ipv4.dst_addr;
        md.subscriber.addr6 = hdr.ipv6.dst_addr;
    }

    action wire_up(port_t partner) {
        md.subscriber.known_port = 1;
        md.subscriber.direction = Direction_t.UP;
        md.egress_port = partner;
        md.subscriber.line_port = ingress_port;
        md.subscriber.addr4 = hdr.ipv4.src_addr;
        md.subscriber.addr6 = hdr.ipv6.src_addr;
    }

    table Wire {
        key = { ingress_port : exact @name("ingress_port"); }
        actions = { wire_down; wire_up; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PORTS;
    }

    action ipv4() {
        md.has_ip = 1;
        md.ecn = hdr.ipv4.ecn;
        md.wire.protocol = hdr.ipv4.protocol;
        md.csaqm.rate = (rate_t) hdr.ipv4.total_len;
    }

    action ipv6() {
        md.has_ip = 1;
        md.ecn = hdr.ipv6.ecn;
        md.wire.protocol = hdr.ipv6.next_hdr;
        md.csaqm.rate = (rate_t) hdr.ipv6.payload_len;
    }

    apply {
        Wire.apply();
        // A header that is wrong or cut off says nothing of whose the packet is. A chip that is asked for the parser's errors drops none of what has
        // one.
        if (parser_err == 0) {
            if (hdr.ipv4.isValid() && hdr.ipv4.version == 4 && hdr.ipv4.ihl >= 5 && (md.verdict.checksum_error == 0 || md.verdict.options == 1)) {
                ipv4();
            } else if (hdr.ipv6.isValid() && hdr.ipv6.version == 6) {
                ipv6();
            }
        }
    }
}

// What its line does not vouch for passes and is of no subscriber.
control WireSenders(inout metadata_t md) {
    action disown() {
        md.subscriber.instance = 0;
    }

    apply {
        if (UNVOUCHED && md.subscriber.has_line == 1) {
            disown();
        } else if (UNVOUCHED && md.subscriber.access_port != md.subscriber.line_port) {
            disown();
        }
    }
}

#endif
