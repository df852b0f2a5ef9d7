// Parsers, deparsers and checksums in TNA.

#ifndef SLUICE_TNA_PARSER_P4
#define SLUICE_TNA_PARSER_P4

parser SluiceIngressParser(packet_in packet, out headers_t hdr, out metadata_t md, out ingress_intrinsic_metadata_t intrinsic) {
    Checksum() ipv4_verify;
    Checksum() ipv4_unchanged;

    state start {
        packet.extract(intrinsic);
        packet.advance(PORT_METADATA_SIZE);
        // Ports 68, 196, 324, 452 lead back into the pipe: what comes from there is a queue delay report of the egress pipe.
        transition select(intrinsic.ingress_port) {
            RECIRCULATION_PORT &&& RECIRCULATION_MASK : parse_report;
            default : parse_ethernet;
        }
    }

    state parse_report {
        packet.extract(hdr.report);
        md.egress_port = hdr.report.port;
        md.queue_delay = hdr.report.delay;
        transition accept;
    }

    state parse_ethernet {
        packet.extract(hdr.ethernet);
        md.line_port = intrinsic.ingress_port;
        md.s_vid = 0;
        md.c_vid = 0;
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_PACKET_VALUE : parse_packet_value;
            ETHERTYPE_S_TAG : parse_outer_tag;
            ETHERTYPE_C_TAG : parse_outer_tag;
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            default : accept;
        }
    }

    state parse_packet_value {
        packet.extract(hdr.packet_value);
        transition select(hdr.packet_value.ether_type) {
            ETHERTYPE_S_TAG : parse_outer_tag;
            ETHERTYPE_C_TAG : parse_outer_tag;
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            default : accept;
        }
    }

    state parse_outer_tag {
        packet.extract(hdr.outer_tag);
        md.s_vid = hdr.outer_tag.vid;
        transition select(hdr.outer_tag.ether_type) {
            ETHERTYPE_C_TAG : parse_inner_tag;
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            default : accept;
        }
    }

    state parse_inner_tag {
        packet.extract(hdr.inner_tag);
        md.c_vid = hdr.inner_tag.vid;
        transition select(hdr.inner_tag.ether_type) {
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            default : accept;
        }
    }

    // What the switch changes (time to live, ECN) leaves the sum over the rest of the header as it is, options included.
    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        ipv4_verify.add(hdr.ipv4);
        md.checksum_error = (bit<1>) ipv4_verify.verify();
        ipv4_unchanged.subtract({ hdr.ipv4.hdr_checksum });
        ipv4_unchanged.subtract({ hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn });
        ipv4_unchanged.subtract({ hdr.ipv4.ttl, hdr.ipv4.protocol });
        md.ipv4_unchanged = ipv4_unchanged.get();
        transition select(hdr.ipv4.ihl) {
            5 : accept;
            default : parse_ipv4_options;
        }
    }

    // Options stay in the payload, where the sum over the fixed header does not reach them.
    state parse_ipv4_options {
        md.options = 1;
        transition accept;
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition accept;
    }
}

control SluiceIngressDeparser(packet_out packet, inout headers_t hdr, in metadata_t md,
                              in ingress_intrinsic_metadata_for_deparser_t deparser) {
    Checksum() ipv4_checksum;

    apply {
        hdr.ipv4.hdr_checksum = ipv4_checksum.update({
            hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn,
            hdr.ipv4.ttl, hdr.ipv4.protocol,
            md.ipv4_unchanged });
        packet.emit(hdr.bridge);
        packet.emit(hdr.queue_tag);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.outer_tag);
        packet.emit(hdr.inner_tag);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
    }
}

parser SluiceEgressParser(packet_in packet, out headers_t hdr, out metadata_t md, out egress_intrinsic_metadata_t intrinsic) {
    state start {
        packet.extract(intrinsic);
        transition select(packet.lookahead<bit<7>>()) {
            INTERNAL_REPORT : parse_report;
            default : parse_bridge;
        }
    }

    state parse_report {
        packet.extract(hdr.report);
        transition accept;
    }

    state parse_bridge {
        packet.extract(hdr.bridge);
        transition select(hdr.bridge.shape) {
            1 : accept;
            default : parse_ethernet;
        }
    }

    state parse_ethernet {
        packet.extract(hdr.ethernet);
        transition accept;
    }
}

control SluiceEgressDeparser(packet_out packet, inout headers_t hdr, in metadata_t md,
                             in egress_intrinsic_metadata_for_deparser_t deparser) {
    Mirror(REPORT_MIRROR) mirror;

    apply {
        if (deparser.mirror_type == REPORT_MIRROR) {
            mirror.emit<report_t>(md.report_session, { md.report_kind, 0, md.report_port, md.report_delay });
        }
        packet.emit(hdr.report);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.packet_value);
    }
}

#endif
