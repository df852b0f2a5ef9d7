// Sluice's pipeline for v1model (bmv2, Stratum on bmv2, Sluice's emulator).
//
// Ingress: whose packet is it; if it has a rate limit and has not been held back yet, to the FPGA, or into a loop until it is due; else drop it if
// its meters say so, mark it with a packet value, forward it, and drop or CE-mark it when it is worth less than the egress port's congestion
// threshold value.
// Egress: send what waits round again; else report the queue delay to the threshold loop, drop or CE-mark where the queue's CoDel says so, or
// have the threshold raised, count what got through, rewrite the frame for the next hop.
//
// With AGGREGATE also: mark the packets of contracts with many flows (IN and OUT) before they get their value, and RIO before the queue.

#include <core.p4>
#include <v1model.p4>

#include "../shared/headers.p4"
#include "metadata.p4"
#include "parser.p4"
#include "../shared/subscriber/classifier.p4"
#include "../shared/limit/fpga/shaping.p4"
#include "limit/fpga/traffic_class.p4"
#include "../shared/limit/police/police.p4"
#include "../shared/limit/shape/limits.p4"
#include "../shared/limit/shape/scheduler.p4"
#include "limit/shape/elapsed_time.p4"
#include "limit/shape/shape.p4"
#include "subscriber/direction_policy.p4"
#include "marker/csaqm/rate_filter.p4"
#include "../shared/marker/csaqm/marker.p4"
#ifdef AGGREGATE
#include "marker/aggregate/logarithm.p4"
#include "marker/aggregate/flow_estimate.p4"
#include "marker/aggregate/state.p4"
#include "../shared/marker/aggregate/marker.p4"
#include "marker/aggregate/value_share.p4"
#endif
#include "../shared/forwarding/forwarding.p4"
#include "dropper/threshold/threshold_state.p4"
#include "../shared/dropper/threshold/dropper.p4"
#include "../shared/forwarding/options_checksum.p4"
#include "../shared/forwarding/egress_port.p4"
#include "../shared/aqm/queue_settings.p4"
#include "aqm/codel/codel_state.p4"
#include "../shared/aqm/codel/codel_act.p4"
#include "aqm/codel/codel_rfc8289.p4"
#ifdef AGGREGATE
#include "aqm/rio/rio.p4"
#endif

// In place of a policy, for a subscriber whose traffic is stopped; and the reason for that, beside those of all programs.
const policy_slot_t STOPPED = 255;
const DropReason_t SUSPENDED = (DropReason_t) 4w10;

control SluiceIngress(inout headers_t hdr, inout metadata_t md, inout standard_metadata_t standard_metadata) {
    Classifier() classifier;
    TrafficClasses() traffic_classes;
    Shaping() shaping;
    Shape() shape;
    Police() police;
    DirectionPolicies() direction_policies;
    RateFilter() rate_filter;
    PacketMarker() marker;
    Forwarding() forwarding;
    ValueDropper() dropper;
    OptionsChecksum() options_checksum;
#ifdef AGGREGATE
    AggregateMarker() aggregate_marker;
    ValueShare() value_share;
    Rio() rio;
#endif

    counter(SUBSCRIBER_DIRECTIONS, CounterType.packets_and_bytes) subscriber_in;
    counter(16, CounterType.packets_and_bytes) dropped;
    counter(SUBSCRIBER_DIRECTIONS, CounterType.packets_and_bytes) subscriber_suspended;

    apply {
        md.frame_bytes = (bit<16>) standard_metadata.packet_length;
        port_t ingress_port = standard_metadata.ingress_port;
        bit<48> now = standard_metadata.ingress_global_timestamp;
        if (md.shape.waits == 1) {
            ingress_port = md.shape.port;
            now = md.shape.seen;
        }
        classifier.apply(hdr, md, ingress_port);
        // A packet that waits in a loop goes on as it began, though its limit may be the FPGA's by now.
        md.fpga.shape = md.subscriber.role == PortRole_t.SIDECAR || md.shape.waits == 1 ? (bit<1>) 0 : md.fpga.shape;
        DropReason_t refusal = md.subscriber.refusal;
        if (refusal == DropReason_t.NONE && md.subscriber.policy == STOPPED) {
            refusal = SUSPENDED;
        }

        if (md.subscriber.known_port == 0) {
            md.drop = DropReason_t.UNKNOWN_PORT;
        } else if (standard_metadata.checksum_error == 1) {
            md.drop = DropReason_t.BAD_CHECKSUM;
        } else if (md.has_ip == 0) {
            md.drop = DropReason_t.NOT_IP;
        } else if (refusal != DropReason_t.NONE && md.shape.waits == 0) {
            md.drop = refusal;
        } else {
            if (md.subscriber.role != PortRole_t.SIDECAR && md.shape.waits == 0) {
                subscriber_in.count((bit<32>) md.subscriber.direction_index);
            }
            if (md.fpga.shape == 0) {
                shape.apply(md, ingress_port, now);
                // What waits keeps its place until its time comes, or those behind it would wait for it.
                if (refusal != DropReason_t.NONE && md.shape.waits == 0) {
                    md.drop = refusal;
                }
            }
            if (hdr.packet_value.isValid() && md.shape.waits == 0) {
                hdr.ethernet.ether_type = hdr.packet_value.ether_type;
                md.value = hdr.packet_value.value;
                hdr.packet_value.setInvalid();
            }
            if (md.drop == DropReason_t.NONE && md.shape.waits == 0 && md.subscriber.role != PortRole_t.TRUNK) {
                direction_policies.apply(md);
            }
            if (md.fpga.shape == 1) {
                traffic_classes.apply(hdr, md);
                shaping.apply(hdr, md, ingress_port);
            } else if (md.drop == DropReason_t.NONE && md.shape.waits == 0) {
                police.apply(md);
                if (md.drop == DropReason_t.NONE) {
                    if (md.subscriber.role != PortRole_t.TRUNK) {
                        md.value = 0;
                        rate_filter.apply(md.subscriber.direction_index, md.frame_bytes, now, md.csaqm.rate);
                        random<bit<16>>(md.csaqm.rnd, 0, 65535);
#ifdef AGGREGATE
                        bit<16> rnd;
                        random<bit<16>>(rnd, 0, 65535);
                        aggregate_marker.apply(hdr, md, rnd, now);
                        value_share.apply(md, now);
#endif
                        marker.apply(md);
                    }
                    forwarding.apply(hdr, md);
                    if (md.drop == DropReason_t.NONE) {
                        dropper.apply(hdr, md, now);
                    }
#ifdef AGGREGATE
                    if (md.drop == DropReason_t.NONE) {
                        rio.apply(hdr, md, standard_metadata.priority, now);
                    }
#endif
                    if (hdr.ipv4.isValid() && hdr.ipv4.ihl != 5) {
                        options_checksum.apply(hdr, md);
                    }
                }
            }
        }

        if (md.drop != DropReason_t.NONE) {
            dropped.count((bit<32>) (bit<4>) md.drop);
            if (md.drop == SUSPENDED) {
                subscriber_suspended.count((bit<32>) md.subscriber.direction_index);
            }
            mark_to_drop(standard_metadata);
#ifdef AGGREGATE
        } else if (md.rio.drop == 1) {
            mark_to_drop(standard_metadata);
#endif
        } else {
            standard_metadata.egress_spec = md.egress_port;
        }
    }
}

control SluiceEgress(inout headers_t hdr, inout metadata_t md, inout standard_metadata_t standard_metadata) {
    QueueDelayReport() queue_delay_report;
    VerdictReport() verdict_report;
    QueueSettings() queue_settings;
    CodelAct() codel_act;
    CodelRfc8289() codel_rfc8289;
    CeMark() ce_mark;
    EgressRewrite() egress_rewrite;
#ifdef AGGREGATE
    RioDeparture() rio_departure;
#endif

    counter(SUBSCRIBER_DIRECTIONS, CounterType.packets_and_bytes) subscriber_out;
    counter(MANAGED_QUEUES * 4, CounterType.packets_and_bytes) aqm_events;

    apply {
        if (md.shape.waits == 1) {
            md.shape.seen = standard_metadata.egress_global_timestamp;
            recirculate_preserving_field_list(SHAPE_FIELD_LIST);
            exit;
        }
        bit<1> short_queue = 0;
#ifdef AGGREGATE
        bit<1> last = 0;
        if (standard_metadata.deq_qdepth == 0) {
            last = 1;
        }
        if (standard_metadata.instance_type != INSTANCE_TYPE_EGRESS_CLONE) {
            rio_departure.apply(md, standard_metadata.priority, last, standard_metadata.egress_global_timestamp);
        }
#endif
        if (standard_metadata.instance_type != INSTANCE_TYPE_EGRESS_CLONE) {
            md.codel.queue = standard_metadata.egress_port ++ standard_metadata.priority;
            queue_settings.apply(md, standard_metadata.egress_port, standard_metadata.priority);
            queue_delay_report.apply(standard_metadata.egress_port, standard_metadata.deq_timedelta, md.aqm.target,
                                     standard_metadata.egress_global_timestamp);
        }
        if (standard_metadata.deq_qdepth <= 1) {
            short_queue = 1;
        }
        if (md.aqm.kind == AqmKind_t.RFC8289) {
            codel_rfc8289.apply(md, standard_metadata.deq_timedelta, short_queue, standard_metadata.egress_global_timestamp);
        } else if (md.aqm.kind != AqmKind_t.NONE || md.codel.op != CODEL_IDLE) {
            codel_act.apply(md, standard_metadata.deq_timedelta, short_queue, standard_metadata.egress_global_timestamp[31:0],
                            standard_metadata.egress_global_timestamp[41:10]);
        }

        if (md.dropper.gain != Gain_t.NONE && md.aqm.kind != AqmKind_t.NONE) {
            // A port that drops by value: not what is at hand has to go, but what is worth least.
            bit<1> above = 0;
            if (standard_metadata.deq_timedelta >= md.aqm.target) {
                above = 1;
            }
            verdict_report.apply(standard_metadata.egress_port, md.value, above, md.aqm.drop);
            md.aqm.drop = 0;
        }

        if (standard_metadata.instance_type == INSTANCE_TYPE_EGRESS_CLONE) {
            // It came for the state in it; the packet itself has left.
            aqm_events.count((bit<32>) (md.codel.queue ++ AQM_SYNCHRONISED));
            mark_to_drop(standard_metadata);
        } else if (md.aqm.drop == 1 && (md.aqm.ecn == 0 || md.ecn == ECN_NOT_ECT)) {
            aqm_events.count((bit<32>) (md.codel.queue ++ AQM_DROPPED));
            mark_to_drop(standard_metadata);
        } else {
            if (md.aqm.drop == 1) {
                aqm_events.count((bit<32>) (md.codel.queue ++ AQM_MARKED));
                ce_mark.apply(hdr, md);
            } else if (md.codel.op == CODEL_START || md.codel.op == CODEL_LOAD) {
                aqm_events.count((bit<32>) (md.codel.queue ++ AQM_CYCLE));
            }
            if (md.fpga.shape == 0) {
                subscriber_out.count((bit<32>) md.subscriber.direction_index);
                egress_rewrite.apply(hdr, md);
            }
        }
    }
}

V1Switch(SluiceParser(), SluiceVerifyChecksum(), SluiceIngress(), SluiceEgress(), SluiceComputeChecksum(), SluiceDeparser()) main;
