// The program for Tofino in a frame of v1model: a chip modelled as far as the program can tell, for where there is none.
//
// The pipelines (../pipeline.p4) are the chip's, to the last file. Of the frame are the traffic manager and the clock, which are v1model's, the
// externs (externs.p4), and the way from ingress to egress: a chip writes the bridge header in front of the frame and reads it again, here it is
// still there. A mirrored report is a clone; the recirculation port is a port behind which a packet comes back.

#define V1MODEL_VERSION 20200408
#include <core.p4>
#include <v1model.p4>

// Recirculates by port 68.
#define __TARGET_TOFINO__ 1
#include "intrinsic.p4"
#include "../headers.p4"
#include "externs.p4"
#ifdef WIRE
#include "../wire/pipeline.p4"
#else
#include "../pipeline.p4"
#endif

const bit<32> INSTANCE_TYPE_CLONE = 2;
const bit<32> INSTANCE_TYPE_RECIRCULATED = 4;

#define REPORT_FIELD_LIST 1

struct frame_t {
    metadata_t                   md;
    ingress_intrinsic_metadata_t intrinsic;
    @field_list(REPORT_FIELD_LIST)
    bit<7>                       report_kind;
    @field_list(REPORT_FIELD_LIST)
    port_t                       report_port;
    @field_list(REPORT_FIELD_LIST)
    micros_t                     report_delay;
    @field_list(REPORT_FIELD_LIST)
    codel_op_t                   codel_op;
    @field_list(REPORT_FIELD_LIST)
    managed_queue_t              codel_queue;
    @field_list(REPORT_FIELD_LIST)
    codel_weight_t               codel_count;
    @field_list(REPORT_FIELD_LIST)
    bit<32>                      codel_until;
    // v1model gives a packet that comes back no time of its own.
    @field_list(REPORT_FIELD_LIST)
    bit<48>                      departure;
}

parser ModelParser(packet_in packet, out headers_t hdr, inout frame_t frame, inout standard_metadata_t standard_metadata) {
    SluiceIngressParser() ingress_parser;

    state start {
        frame.intrinsic.ingress_port = standard_metadata.ingress_port;
        transition select(standard_metadata.instance_type) {
            INSTANCE_TYPE_RECIRCULATED : recirculated;
            default : parse;
        }
    }

    state recirculated {
        frame.intrinsic.ingress_port = RECIRCULATION_PORT;
        transition parse;
    }

    state parse {
        ingress_parser.apply(packet, hdr, frame.md, frame.intrinsic);
        transition accept;
    }
}

control ModelVerifyChecksum(inout headers_t hdr, inout frame_t frame) {
    apply {
        verify_checksum(hdr.ipv4.isValid(),
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn, hdr.ipv4.total_len, hdr.ipv4.identification, hdr.ipv4.flags,
              hdr.ipv4.frag_offset, hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.src_addr, hdr.ipv4.dst_addr },
            hdr.ipv4.hdr_checksum, HashAlgorithm.csum16);
    }
}

// The sum over what the switch leaves as it is of an IPv4 header: over all but the words that change, taken from the checksum.
control Ipv4Unchanged(in headers_t hdr, inout metadata_t md) {
    apply {
        bit<32> sum = (bit<32>) ~hdr.ipv4.hdr_checksum;
        sum = sum + (bit<32>) ~(hdr.ipv4.version ++ hdr.ipv4.ihl ++ hdr.ipv4.dscp ++ hdr.ipv4.ecn);
        sum = sum + (bit<32>) ~(hdr.ipv4.ttl ++ hdr.ipv4.protocol);
        sum = (sum & 0xffff) + (sum >> 16);
        sum = (sum & 0xffff) + (sum >> 16);
        md.ipv4_unchanged = sum[15:0];
    }
}

control Ipv4Checksum(inout headers_t hdr, in metadata_t md) {
    apply {
        bit<32> sum = (bit<32>) md.ipv4_unchanged;
        sum = sum + (bit<32>) (hdr.ipv4.version ++ hdr.ipv4.ihl ++ hdr.ipv4.dscp ++ hdr.ipv4.ecn);
        sum = sum + (bit<32>) (hdr.ipv4.ttl ++ hdr.ipv4.protocol);
        sum = (sum & 0xffff) + (sum >> 16);
        sum = (sum & 0xffff) + (sum >> 16);
        hdr.ipv4.hdr_checksum = ~sum[15:0];
    }
}

control ModelIngress(inout headers_t hdr, inout frame_t frame, inout standard_metadata_t standard_metadata) {
    // Its tables have the names that they have on a chip.
    @name(".SluiceIngress") SluiceIngress() ingress;
    Ipv4Unchanged() ipv4_unchanged;
    Ipv4Checksum() ipv4_checksum;

    apply {
        ingress_intrinsic_metadata_from_parser_t from_parser;
        ingress_intrinsic_metadata_for_deparser_t for_deparser;
        ingress_intrinsic_metadata_for_tm_t for_tm;
        // v1model counts microseconds, a Tofino nanoseconds.
        from_parser.global_tstamp = 1000 * standard_metadata.ingress_global_timestamp;
        if (standard_metadata.instance_type == INSTANCE_TYPE_RECIRCULATED) {
            from_parser.global_tstamp = 1000 * frame.departure;
        }
        for_deparser.drop_ctl = 0;
        for_tm.ucast_egress_port = 0;
        from_parser.parser_err = 0;
        if (standard_metadata.parser_error != error.NoError) {
            from_parser.parser_err = 1;
        }
        // A Tofino drops what its parser does not get through, before a pipeline could count it, unless a pipeline asks for the error.
#ifdef WIRE
        bool is_read = true;
#else
        bool is_read = from_parser.parser_err == 0;
#endif
        if (!is_read) {
            for_deparser.drop_ctl = 1;
        } else {
            frame.md.verdict.checksum_error = standard_metadata.checksum_error;
            ipv4_unchanged.apply(hdr, frame.md);
            ingress.apply(hdr, frame.md, frame.intrinsic, from_parser, for_deparser, for_tm);
#ifdef WIRE
            if (frame.md.wire.marked == 1) {
                ipv4_checksum.apply(hdr, frame.md);
            }
#else
            ipv4_checksum.apply(hdr, frame.md);
#endif
        }
        if (for_deparser.drop_ctl[0:0] == 1) {
            mark_to_drop(standard_metadata);
        } else {
            standard_metadata.egress_spec = for_tm.ucast_egress_port;
        }
    }
}

control ModelEgress(inout headers_t hdr, inout frame_t frame, inout standard_metadata_t standard_metadata) {
    @name(".SluiceEgress") SluiceEgress() egress;

    apply {
        // Metadata does not get through the queues.
        metadata_t md = {...};
        egress_intrinsic_metadata_t intrinsic;
        egress_intrinsic_metadata_from_parser_t from_parser;
        egress_intrinsic_metadata_for_deparser_t for_deparser;
        egress_intrinsic_metadata_for_output_port_t for_port;
        intrinsic.egress_port = standard_metadata.egress_port;
        intrinsic.egress_qid = (bit<5>) standard_metadata.priority;
#ifdef CODEL
        intrinsic.deq_qdepth = FRAME_CELLS * standard_metadata.deq_qdepth;
#endif
        from_parser.global_tstamp = 1000 * standard_metadata.egress_global_timestamp;
        for_deparser.mirror_type = 0;
        for_deparser.drop_ctl = 0;
        for_port.capture_tstamp_on_tx = 0;
        if (standard_metadata.instance_type == INSTANCE_TYPE_CLONE) {
            // The frame itself has left.
            hdr.bridge.setInvalid();
            if (frame.report_kind == INTERNAL_CODEL) {
                hdr.codel.setValid();
                hdr.codel.kind = frame.report_kind;
                hdr.codel.pad = 0;
                hdr.codel.op = frame.codel_op;
                hdr.codel.queue = frame.codel_queue;
                hdr.codel.count = frame.codel_count;
                hdr.codel.until = frame.codel_until;
            } else {
                hdr.report.setValid();
                hdr.report.kind = frame.report_kind;
                hdr.report.pad = 0;
                hdr.report.port = frame.report_port;
                hdr.report.delay = frame.report_delay;
            }
        }
        egress.apply(hdr, md, intrinsic, from_parser, for_deparser, for_port);
        if (for_deparser.mirror_type != 0) {
            frame.report_kind = md.report.kind;
            frame.report_port = md.report.port;
            frame.report_delay = md.report.delay;
            frame.codel_op = md.report.codel_op;
            frame.codel_queue = md.codel.queue;
            frame.codel_count = md.report.codel_count;
            frame.codel_until = md.codel.until;
            clone_preserving_field_list(CloneType.E2E, (bit<32>) md.report.session, REPORT_FIELD_LIST);
        }
        if (for_deparser.drop_ctl[0:0] == 1) {
            mark_to_drop(standard_metadata);
        } else if ((standard_metadata.egress_port & RECIRCULATION_MASK) == RECIRCULATION_PORT) {
            frame.departure = standard_metadata.egress_global_timestamp;
            recirculate_preserving_field_list(REPORT_FIELD_LIST);
        }
    }
}

control ModelComputeChecksum(inout headers_t hdr, inout frame_t frame) {
    apply {
    }
}

control ModelDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.report);
        packet.emit(hdr.queue_tag);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.packet_value);
        packet.emit(hdr.outer_tag);
        packet.emit(hdr.inner_tag);
#ifdef WIRE
        packet.emit(hdr.mpls1);
        packet.emit(hdr.mpls2);
        packet.emit(hdr.mpls3);
        packet.emit(hdr.pppoe);
#endif
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
#ifdef WIRE
        packet.emit(hdr.ports);
        packet.emit(hdr.icmpv6);
#endif
    }
}

V1Switch(ModelParser(), ModelVerifyChecksum(), ModelIngress(), ModelEgress(), ModelComputeChecksum(), ModelDeparser()) main;
