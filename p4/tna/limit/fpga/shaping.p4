// The detour to the FPGA in TNA: the same as shared/limit/fpga/shaping.p4, without a sequence of stages that the rest would have to wait for.

#ifndef SLUICE_TNA_SHAPING_P4
#define SLUICE_TNA_SHAPING_P4

control Shaping(inout headers_t hdr, inout metadata_t md, in port_t ingress_port) {
    action to_sidecar(port_t port) {
        md.egress_port = port;
        md.verdict.sidecar = 1;
        hdr.queue_tag.setValid();
        hdr.queue_tag.queue_id = (bit<32>) md.fpga.queue;
    }

    table ShapingSidecar {
        key = { md.subscriber.direction : exact @name("direction"); }
        actions = { to_sidecar; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 2;
    }

    action tell_line() {
        hdr.ethernet.dst_addr = LINE_PORT_ADDRESS ++ 7w0 ++ ingress_port;
    }

    apply {
        if (md.fpga.shape == 1) {
            ShapingSidecar.apply();
        }
        if (md.fpga.shape == 1 && md.subscriber.direction == Direction_t.UP && hdr.outer_tag.isValid()) {
            tell_line();
        }
    }
}

#endif
