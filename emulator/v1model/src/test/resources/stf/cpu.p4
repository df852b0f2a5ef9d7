/* Packets from and to the controller at port 64; others go there or where their first byte says. */
#include <core.p4>
#include <v1model.p4>

const bit<9> CPU_PORT = 64;

@controller_header("packet_in")
header from_switch_t {
    bit<9> ingress_port;
    bit<3> reason;
    bit<68> large;
}

@controller_header("packet_out")
header to_switch_t {
    bit<9> egress_port;
    bit<1> to_controller;
    bit<6> mark;
}

header first_t {
    bit<8> port;
}

struct headers_t {
    from_switch_t from_switch;
    to_switch_t to_switch;
    first_t first;
}

struct metadata_t {
}

parser P(packet_in packet, out headers_t h, inout metadata_t m, inout standard_metadata_t s) {
    state start {
        transition select(s.ingress_port) {
            CPU_PORT: from_controller;
            default: first;
        }
    }
    state from_controller {
        packet.extract(h.to_switch);
        transition first;
    }
    state first {
        packet.extract(h.first);
        transition accept;
    }
}

control Verify(inout headers_t h, inout metadata_t m) {
    apply {
    }
}

control In(inout headers_t h, inout metadata_t m, inout standard_metadata_t s) {
    apply {
        s.egress_spec = (bit<9>) h.first.port;
        if (h.to_switch.isValid()) {
            s.egress_spec = h.to_switch.egress_port;
            if (h.to_switch.to_controller == 1) {
                s.egress_spec = CPU_PORT;
            }
            h.first.port = h.first.port + (bit<8>) h.to_switch.mark;
            h.to_switch.setInvalid();
        }
    }
}

control Out(inout headers_t h, inout metadata_t m, inout standard_metadata_t s) {
    apply {
        if (s.egress_port == CPU_PORT && h.first.port != 0xff) {
            h.from_switch.setValid();
            h.from_switch.ingress_port = s.ingress_port;
            h.from_switch.reason = h.first.port[2:0];
            h.from_switch.large = (bit<68>) h.first.port << 60;
        }
    }
}

control Compute(inout headers_t h, inout metadata_t m) {
    apply {
    }
}

control Deparse(packet_out packet, in headers_t h) {
    apply {
        packet.emit(h.from_switch);
        packet.emit(h.first);
    }
}

V1Switch(P(), Verify(), In(), Out(), Compute(), Deparse()) main;
