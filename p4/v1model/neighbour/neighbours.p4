// The addresses that ports have: requests for them are answered out of the port that they came in by, and what a next hop answers goes to the
// controller. Only ARP and neighbour discovery, and what the controller sends, come here.

#ifndef SLUICE_NEIGHBOURS_P4
#define SLUICE_NEIGHBOURS_P4

#define NEIGHBOURS 4096

// Hands a packet as it came in to the controller, unless that has had enough of the port: then it is dropped.
control ToController(inout headers_t hdr, inout metadata_t md, inout standard_metadata_t standard_metadata, in port_t ingress_port, in bit<48> now,
                     in bit<7> reason) {
    Telling() telling;

    apply {
        bit<1> may;
        telling.apply(ingress_port, now, may);
        mark_to_drop(standard_metadata);
        if (may == 1) {
            hdr.packet_in.setValid();
            hdr.packet_in.port = ingress_port;
            hdr.packet_in.reason = reason;
            standard_metadata.egress_spec = CONTROLLER_PORT;
        }
        // It leaves unchanged and counts for no subscriber.
        md.wire.on = 1;
        md.subscriber.direction_index = 0;
    }
}

control Neighbours(inout headers_t hdr, inout metadata_t md, inout standard_metadata_t standard_metadata, in port_t ingress_port, in bit<48> now) {
    ToController() to_controller;
    bit<32>  addr4 = 0;
    bit<128> addr6 = 0;
    bit<48>  own_mac = 0;
    bit<1>   is_own = 0;
    bit<1>   is_next_hop = 0;

    action own(bit<48> mac) {
        is_own = 1;
        own_mac = mac;
    }

    action of_next_hop() {
        is_next_hop = 1;
    }

    table Neighbour4 {
        key = {
            ingress_port : exact @name("ingress_port");
            addr4 : exact @name("addr");
        }
        actions = { own; of_next_hop; @defaultonly NoAction; }
        const default_action = NoAction();
        size = NEIGHBOURS;
    }

    table Neighbour6 {
        key = {
            ingress_port : exact @name("ingress_port");
            addr6[127:96] : exact @name("addr0");
            addr6[95:64] : exact @name("addr1");
            addr6[63:32] : exact @name("addr2");
            addr6[31:0] : exact @name("addr3");
        }
        actions = { own; of_next_hop; @defaultonly NoAction; }
        const default_action = NoAction();
        size = NEIGHBOURS;
    }

    // Leaves as it is, before what is worth less.
    action depart(port_t port) {
        standard_metadata.egress_spec = port;
        md.wire.on = 1;
        md.value = WORTH_MOST;
    }

    apply {
        if (hdr.packet_out.isValid()) {
            depart(hdr.packet_out.port);
            hdr.packet_out.setInvalid();
            exit;
        } else if (hdr.arp.isValid()) {
            if (hdr.arp.format == ARP_FORMAT) {
                // Who is asked for; of an answer, who answers.
                addr4 = hdr.arp.target_addr;
                if (hdr.arp.operation == ARP_REPLY) {
                    addr4 = hdr.arp.sender_addr;
                }
                Neighbour4.apply();
                // It may also tell of itself unasked (RFC 5227, 3); who else asks for it is no news.
                if (hdr.arp.operation == ARP_REQUEST && hdr.arp.sender_addr != addr4) {
                    is_next_hop = 0;
                }
            }
            if (is_own == 1 && hdr.arp.operation == ARP_REQUEST) {
                hdr.ethernet.dst_addr = hdr.arp.sender_mac;
                hdr.ethernet.src_addr = own_mac;
                hdr.arp.operation = ARP_REPLY;
                hdr.arp.target_mac = hdr.arp.sender_mac;
                hdr.arp.sender_mac = own_mac;
                hdr.arp.target_addr = hdr.arp.sender_addr;
                hdr.arp.sender_addr = addr4;
                depart(ingress_port);
                exit;
            }
        } else if (md.wire.unread == 0 && hdr.ipv6.hop_limit == 255 && hdr.icmpv6.code == 0) {
            addr6 = hdr.neighbour_discovery.target_addr;
            Neighbour6.apply();
            if (is_own == 1 && hdr.icmpv6.type == ICMPV6_SOLICITATION) {
                // Solicitations have one option or none; what has more is left to the rest of the pipeline.
                bit<16> sum = 0xffff;
                if (hdr.neighbour_option.isValid()) {
                    hash(sum, HashAlgorithm.csum16, 16w0, { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, 16w0, hdr.ipv6.payload_len, 24w0, hdr.ipv6.next_hdr,
                        hdr.icmpv6.type, hdr.icmpv6.code, hdr.icmpv6.checksum, hdr.neighbour_discovery.flags, hdr.neighbour_discovery.target_addr,
                        hdr.neighbour_option.type, hdr.neighbour_option.length, hdr.neighbour_option.mac }, 32w65536);
                } else if (hdr.ipv6.payload_len == 24) {
                    hash(sum, HashAlgorithm.csum16, 16w0, { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, 16w0, hdr.ipv6.payload_len, 24w0, hdr.ipv6.next_hdr,
                        hdr.icmpv6.type, hdr.icmpv6.code, hdr.icmpv6.checksum, hdr.neighbour_discovery.flags,
                        hdr.neighbour_discovery.target_addr }, 32w65536);
                }
                // A wrong sum is an asker's mistake that may not be answered (RFC 4861, 7.1.1).
                if (sum == 0) {
                    hdr.neighbour_discovery.flags = 0xe0000000;
                    hdr.ethernet.dst_addr = hdr.ethernet.src_addr;
                    if (hdr.ipv6.src_addr == 0) {
                        // Somebody is about to take the address: all have to hear that it is taken (RFC 4861, 7.2.4).
                        hdr.neighbour_discovery.flags = 0xa0000000;
                        hdr.ipv6.src_addr = 0xff020000000000000000000000000001;
                        hdr.ethernet.dst_addr = 0x333300000001;
                    }
                    hdr.ethernet.src_addr = own_mac;
                    hdr.ipv6.dst_addr = hdr.ipv6.src_addr;
                    hdr.ipv6.src_addr = addr6;
                    hdr.ipv6.payload_len = 32;
                    hdr.icmpv6.type = ICMPV6_ADVERTISEMENT;
                    hdr.neighbour_option.setValid();
                    hdr.neighbour_option.type = 2;
                    hdr.neighbour_option.length = 1;
                    hdr.neighbour_option.mac = own_mac;
                    hash(hdr.icmpv6.checksum, HashAlgorithm.csum16, 16w0, { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, 16w0, hdr.ipv6.payload_len, 24w0,
                        hdr.ipv6.next_hdr, hdr.icmpv6.type, hdr.icmpv6.code, hdr.neighbour_discovery.flags, hdr.neighbour_discovery.target_addr,
                        hdr.neighbour_option.type, hdr.neighbour_option.length, hdr.neighbour_option.mac }, 32w65536);
                    depart(ingress_port);
                    exit;
                }
            } else if (hdr.icmpv6.type == ICMPV6_SOLICITATION) {
                is_next_hop = 0;
            }
        }
        if (is_next_hop == 1) {
            to_controller.apply(hdr, md, standard_metadata, ingress_port, now, FROM_NEXT_HOP);
            exit;
        }
    }
}

// A packet whose time is over (RFC 1812, 5.3.1): the controller tells its sender, if the port that it came in by has an address to tell it from.
control TimeExceeded(inout headers_t hdr, inout metadata_t md, inout standard_metadata_t standard_metadata, in port_t ingress_port, in bit<48> now) {
    ToController() to_controller;

    action report() {
    }

    table ErrorReport {
        key = { ingress_port : exact @name("ingress_port"); }
        actions = { report; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PORTS;
    }

    apply {
        if (ErrorReport.apply().hit) {
            to_controller.apply(hdr, md, standard_metadata, ingress_port, now, TIME_EXCEEDED);
        }
    }
}

#endif
