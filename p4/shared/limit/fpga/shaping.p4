// The detour to the FPGA that holds a rate-limited subscriber's packets back: limits come before shares, so a packet is marked only
// when it has come back.

#ifndef SLUICE_SHAPING_P4
#define SLUICE_SHAPING_P4

control Shaping(inout headers_t hdr, inout metadata_t md, in port_t ingress_port) {
    action to_sidecar(port_t port) {
        md.egress_port = port;
        md.drop = DropReason_t.NONE;
        hdr.queue_tag.setValid();
        hdr.queue_tag.queue_id = (bit<32>) md.fpga.queue;
    }

    table ShapingSidecar {
        key = { md.subscriber.direction : exact @name("direction"); }
        actions = { to_sidecar; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 2;
    }

    apply {
        // A limit that cannot be enforced must not be passed over: without a sidecar the packet is dropped.
        md.drop = DropReason_t.NO_SIDECAR;
        ShapingSidecar.apply();
        // A line is a port and its tags, but the frame comes back on the FPGA's port: the port it came in on waits in the destination
        // address, which the way out overwrites. Every tagged frame carries it, or a sender could pass for a line of another port.
        if (md.subscriber.direction == Direction_t.UP && hdr.outer_tag.isValid()) {
            hdr.ethernet.dst_addr = LINE_PORT_ADDRESS ++ 7w0 ++ ingress_port;
        }
    }
}

#endif
