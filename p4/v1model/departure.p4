// The end of a packet's way through ingress: to its port's queue, or dropped for the reason that a step has found.

#ifndef SLUICE_DEPARTURE_P4
#define SLUICE_DEPARTURE_P4

control Departure(inout headers_t hdr, inout metadata_t md, inout standard_metadata_t standard_metadata, in port_t ingress_port, in bit<48> now) {
    TimeExceeded() time_exceeded;

    counter(16, CounterType.packets_and_bytes) dropped;
    counter(SUBSCRIBER_DIRECTIONS, CounterType.packets_and_bytes) subscriber_suspended;

    apply {
        if (md.drop == DropReason_t.NONE) {
            standard_metadata.egress_spec = md.egress_port;
        } else {
            dropped.count((bit<32>) (bit<4>) md.drop);
            if (md.drop == SUSPENDED) {
                subscriber_suspended.count((bit<32>) md.subscriber.direction_index);
            }
            mark_to_drop(standard_metadata);
            if (md.drop == DropReason_t.TTL_EXPIRED) {
                time_exceeded.apply(hdr, md, standard_metadata, ingress_port, now);
            }
        }
    }
}

#endif
