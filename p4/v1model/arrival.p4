// Where and when a packet came in. One that has gone round a loop brings that along: a recirculated packet has neither.

#ifndef SLUICE_ARRIVAL_P4
#define SLUICE_ARRIVAL_P4

control Arrival(inout metadata_t md, in standard_metadata_t standard_metadata, out port_t port, out bit<48> now) {
    apply {
        md.frame_bytes = (bit<16>) standard_metadata.packet_length;
        port = standard_metadata.ingress_port;
        now = standard_metadata.ingress_global_timestamp;
        if (md.shape.waits == 1) {
            port = md.shape.port;
            now = md.shape.seen;
        }
    }
}

#endif
