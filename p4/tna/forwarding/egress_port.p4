// What a port does to a leaving frame, as v1model/forwarding/egress_port.p4: a Tofino's action has no condition, so the packet value follows the
// table.

#ifndef SLUICE_TNA_EGRESS_PORT_P4
#define SLUICE_TNA_EGRESS_PORT_P4

control EgressRewrite(inout headers_t hdr, inout metadata_t md) {
    bit<1> keep = 0;

    action rewrite(bit<48> src_mac, bit<48> dst_mac, bit<1> keep_pv) {
        hdr.ethernet.src_addr = src_mac;
        hdr.ethernet.dst_addr = dst_mac;
        keep = keep_pv;
    }

    @stage(2)
    table EgressPort {
        key = { md.egress_port : exact @name("egress_port"); }
        actions = { rewrite; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PORTS;
    }

    apply {
        EgressPort.apply();
        if (keep == 1) {
            hdr.packet_value.setValid();
            hdr.packet_value.value = md.value;
            hdr.packet_value.ether_type = hdr.ethernet.ether_type;
            hdr.ethernet.ether_type = ETHERTYPE_PACKET_VALUE;
        }
    }
}

#endif
