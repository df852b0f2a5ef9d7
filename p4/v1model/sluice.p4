// Sluice's pipeline for v1model (bmv2, Stratum on bmv2, Sluice's emulator): the steps of a packet, in the order in which it takes them. A step
// that drops it says why in md.drop, and the steps behind it pass it over.
//
// The program with contracts of many flows (AGGREGATE) has the same steps: plain.p4 leaves those empty that only contracts have.

#include <core.p4>
#include <v1model.p4>

// The headers that a wire reads.
#define WIRES
#include "../shared/headers.p4"
#include "metadata.p4"
#include "parser.p4"
#include "arrival.p4"
#include "../shared/wire/wire.p4"
#include "../shared/subscriber/classifier.p4"
#include "neighbour/telling.p4"
#include "subscriber/unknown.p4"
#include "subscriber/admission.p4"
#include "../shared/limit/fpga/shaping.p4"
#include "limit/fpga/traffic_class.p4"
#include "../shared/limit/police/police.p4"
#include "../shared/limit/shape/limits.p4"
#include "../shared/limit/shape/scheduler.p4"
#include "limit/shape/elapsed_time.p4"
#include "aqm/codel/codel_control_law.p4"
#include "../shared/aqm/ce_mark.p4"
#include "limit/shape/shape.p4"
#include "subscriber/direction_policy.p4"
#include "flow/policy_flows.p4"
#include "dropper/threshold/received_value.p4"
#include "marker/csaqm/rate_filter.p4"
#include "../shared/marker/csaqm/marker.p4"
#include "../shared/forwarding/forwarding.p4"
#include "dropper/threshold/threshold_state.p4"
#include "flow/light_part.p4"
#include "../shared/dropper/threshold/dropper.p4"
#include "../shared/forwarding/options_checksum.p4"
#include "neighbour/next_hop.p4"
#include "forwarding/egress_port.p4"
#include "../shared/aqm/queue_settings.p4"
#include "aqm/codel/codel_state.p4"
#include "../shared/aqm/codel/codel_act.p4"
#include "aqm/codel/codel_rfc8289.p4"
#include "neighbour/neighbours.p4"
#include "departure.p4"
#include "aqm/verdict.p4"
#ifdef AGGREGATE
#include "aggregate.p4"
#else
#include "plain.p4"
#endif

control SluiceIngress(inout headers_t hdr, inout metadata_t md, inout standard_metadata_t standard_metadata) {
    Arrival() arrival;
    WireEnd() wire_end;
    Neighbours() neighbours;
    Classifier() classifier;
    UnknownTraffic() unknown_traffic;
    UnknownInWire() unknown_in_wire;
    ControlTraffic() control_traffic;
    Admission() admission;
    Shape() shape;
    LoopEntry() loop_entry;
    ReceivedValue() received_value;
    DirectionPolicies() direction_policies;
    PolicyFlow() policy_flow;
    TrafficClasses() traffic_classes;
    LightAtFpga() light_at_fpga;
    Shaping() shaping;
    SidecarEntry() sidecar_entry;
    Police() police;
    RateFilter() rate_filter;
    LightAtPort() light_at_port;
    ContractMarking() contract_marking;
    PacketMarker() marker;
    WireValue() wire_value;
    Forwarding() forwarding;
    ValueDropper() dropper;
    Rio() rio;
    OptionsChecksum() options_checksum;
    Departure() departure;

    apply {
        port_t ingress_port;
        bit<48> now;

        // Whose packet it is, and whether it may go on.
        arrival.apply(md, standard_metadata, ingress_port, now);
        wire_end.apply(md, ingress_port, standard_metadata.checksum_error);
        if (md.neighbour.look == 1 && md.wire.on == 0) {
            neighbours.apply(hdr, md, standard_metadata, ingress_port, now);
        }
        classifier.apply(hdr, md, ingress_port);
        if (md.subscriber.index == 0 && md.has_ip == 1 && md.subscriber.known_port == 1 && standard_metadata.checksum_error == 0
            && (md.subscriber.role == PortRole_t.ACCESS || md.subscriber.role == PortRole_t.CORE)) {
            unknown_traffic.apply(md, ingress_port, now);
        }
        if (md.wire.on == 1) {
            unknown_in_wire.apply(md, ingress_port);
            control_traffic.apply(hdr, md);
        }
        admission.apply(md, standard_metadata.checksum_error);
        if (md.drop == DropReason_t.NONE && md.subscriber.role != PortRole_t.TRUNK) {
            if (md.shape.waits == 0) {
                direction_policies.apply(md);
            } else {
                md.subscriber.policy = md.shape.policy;
            }
            policy_flow.apply(md);
        }

        // Its limits, which come before its share: the switch's own, the FPGA's, or meters.
        if (md.drop == DropReason_t.NONE && md.fpga.shape == 0) {
            shape.apply(hdr, md, ingress_port, now);
            loop_entry.apply(md, standard_metadata);
        }
        received_value.apply(hdr, md);
        if (md.drop == DropReason_t.NONE && md.fpga.shape == 1) {
            bit<1> classed;
            traffic_classes.apply(hdr, md, classed);
            if (classed == 0) {
                light_at_fpga.apply(hdr, md, now);
            }
            shaping.apply(hdr, md, ingress_port);
            sidecar_entry.apply(md, standard_metadata);
        }
        if (md.drop == DropReason_t.NONE) {
            police.apply(md, ingress_port);
        }

        // Where it goes.
        if (md.wire.on == 1) {
            md.egress_port = md.wire.partner;
        } else if (md.drop == DropReason_t.NONE) {
            forwarding.apply(hdr, md);
        }

        // What it is worth, and whether that is enough to wait there. Over a trunk it brings its value along.
        if (md.drop == DropReason_t.NONE && md.subscriber.role != PortRole_t.TRUNK) {
            rate_filter.apply(md.subscriber.direction_index, md.frame_bytes, now, md.csaqm.rate);
            random<bit<16>>(md.csaqm.rnd, 0, 65535);
            if (md.flow.light_first == 1 && md.has_ip == 1) {
                light_at_port.apply(hdr, md, now);
            }
            contract_marking.apply(hdr, md, now);
            marker.apply(md);
            if (md.wire.on == 1) {
                wire_value.apply(md);
            }
        }
        if (md.drop == DropReason_t.NONE) {
            dropper.apply(hdr, md, now);
        }
        if (md.drop == DropReason_t.NONE) {
            rio.apply(hdr, md, standard_metadata, now);
        }
        bit<1> unsummed = 0;
        if (md.wire.on == 0) {
            if (hdr.ipv4.isValid() && hdr.ipv4.ihl != 5) {
                unsummed = 1;
            }
        } else if (hdr.ipv4.isValid() && md.has_ip == 1 && hdr.ipv4.ecn != md.ecn) {
            unsummed = 1;
        }
        if (unsummed == 1) {
            options_checksum.apply(hdr, md);
        }
        departure.apply(hdr, md, standard_metadata, ingress_port, now);
    }
}

control SluiceEgress(inout headers_t hdr, inout metadata_t md, inout standard_metadata_t standard_metadata) {
    NextRound() next_round;
    RioDeparture() rio_departure;
    QueueSettings() queue_settings;
    QueueDelayReport() queue_delay_report;
    CodelRfc8289() codel_rfc8289;
    CodelAct() codel_act;
    VerdictReport() verdict_report;
    AqmVerdict() aqm_verdict;
    UnknownCopy() unknown_copy;
    EgressRewrite() egress_rewrite;

    counter(SUBSCRIBER_DIRECTIONS, CounterType.packets_and_bytes) subscriber_out;

    apply {
        bit<48> now = standard_metadata.egress_global_timestamp;

        if (standard_metadata.instance_type == INSTANCE_TYPE_INGRESS_CLONE) {
            unknown_copy.apply(hdr, md);
            exit;
        }
        // The queue that it has left; a clone has come for the state in it alone.
        next_round.apply(md, standard_metadata);
        if (standard_metadata.instance_type != INSTANCE_TYPE_EGRESS_CLONE) {
            rio_departure.apply(md, standard_metadata);
            md.codel.queue = standard_metadata.egress_port ++ standard_metadata.priority;
            queue_settings.apply(md, standard_metadata.egress_port, standard_metadata.priority);
            queue_delay_report.apply(standard_metadata.egress_port, standard_metadata.deq_timedelta, md.aqm.target, now);
        }

        // Whether it waited too long there.
        bit<1> short_queue = 0;
        if (standard_metadata.deq_qdepth <= 1) {
            short_queue = 1;
        }
        if (md.aqm.kind == AqmKind_t.RFC8289) {
            codel_rfc8289.apply(md, standard_metadata.deq_timedelta, short_queue, now);
        } else if (md.aqm.kind != AqmKind_t.NONE || md.codel.op != CODEL_IDLE) {
            codel_act.apply(md, standard_metadata.deq_timedelta, short_queue, now[31:0], now[41:10]);
        }
        // A port that drops by value: not what is at hand has to go, but what is worth least.
        if (md.dropper.gain != Gain_t.NONE && md.aqm.kind != AqmKind_t.NONE) {
            verdict_report.apply(standard_metadata.egress_port, md.value, standard_metadata.deq_timedelta, md.aqm);
        }
        aqm_verdict.apply(hdr, md, standard_metadata);

        // What a port does to it, or that it has no next hop; to the FPGA it goes as it is.
        if (md.fpga.shape == 0) {
            if (md.wire.on == 0) {
                egress_rewrite.apply(hdr, md, standard_metadata);
            }
            subscriber_out.count((bit<32>) md.subscriber.direction_index);
        }
    }
}

V1Switch(SluiceParser(), SluiceVerifyChecksum(), SluiceIngress(), SluiceEgress(), SluiceComputeChecksum(), SluiceDeparser()) main;
