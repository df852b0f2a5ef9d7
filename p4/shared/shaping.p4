// The detour to the FPGA that holds a rate-limited subscriber's packets back: limits come before shares, so a packet is marked only
// when it has come back.

#ifndef SLUICE_SHAPING_P4
#define SLUICE_SHAPING_P4

control Shaping(inout headers_t hdr, inout metadata_t md) {
    action to_sidecar(port_t port) {
        md.egress_port = port;
        md.drop = DropReason_t.NONE;
        hdr.queue_tag.setValid();
        hdr.queue_tag.queue_id = (bit<32>) md.queue;
    }

    table ShapingSidecar {
        key = { md.direction : exact @name("direction"); }
        actions = { to_sidecar; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 2;
    }

    apply {
        // A limit that cannot be enforced must not be passed over: without a sidecar the packet is dropped.
        md.drop = DropReason_t.NO_SIDECAR;
        ShapingSidecar.apply();
    }
}

#endif
