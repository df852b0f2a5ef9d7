// How a frame gets from a Tofino's ingress pipeline through its queues to its egress pipeline, and out.

#ifndef SLUICE_TNA_DEPARSER_P4
#define SLUICE_TNA_DEPARSER_P4

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
#ifdef CODEL
            INTERNAL_CODEL : parse_codel;
#endif
            default : parse_bridge;
        }
    }

    state parse_report {
        packet.extract(hdr.report);
        transition accept;
    }

#ifdef CODEL
    state parse_codel {
        packet.extract(hdr.codel);
        transition accept;
    }
#endif

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
#ifdef CODEL
    Mirror(CODEL_MIRROR) codel_mirror;
#endif

    apply {
        if (deparser.mirror_type == REPORT_MIRROR) {
            mirror.emit<report_t>(md.report.session, { md.report.kind, 0, md.report.port, md.report.delay });
        }
#ifdef CODEL
        if (deparser.mirror_type == CODEL_MIRROR) {
            codel_mirror.emit<codel_t>(md.report.session,
                                       { md.report.kind, 0, md.report.codel_op, md.codel.queue, md.report.codel_count, md.codel.until });
        }
#endif
        packet.emit(hdr.report);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.packet_value);
    }
}

#endif
