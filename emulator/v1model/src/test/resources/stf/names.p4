/* Values that controllers write as strings: ports, VRFs with pairs of their own, and a type of two bits. */
#include <core.p4>
#include <v1model.p4>

const bit<9> CPU_PORT = 64;

@p4runtime_translation("", string)
type bit<9> port_id_t;

@p4runtime_translation("example.org/vrf", string)
@p4runtime_translation_mappings({{"", 0}, {"the \"first\"", 7}})
type bit<10> vrf_id_t;

@p4runtime_translation("example.org/tiny", string)
type bit<2> tiny_t;

@p4runtime_translation("example.org/label", bit<32>)
type bit<20> label_t;

@controller_header("packet_in")
header from_switch_t {
    port_id_t ingress_port;
    bit<7> padding;
}

@controller_header("packet_out")
header to_switch_t {
    port_id_t egress_port;
    label_t label;
    bit<3> padding;
}

header h_t {
    bit<8> key;
    bit<16> vrf;
    bit<16> port;
    bit<32> label;
}

struct seen_t {
    port_id_t port;
    vrf_id_t vrf;
    label_t label;
}

struct headers_t {
    from_switch_t from_switch;
    to_switch_t to_switch;
    h_t h;
}

struct metadata_t {
    vrf_id_t vrf;
    port_id_t in_port;
    tiny_t tiny;
    label_t label;
}

parser P(packet_in packet, out headers_t hdr, inout metadata_t m, inout standard_metadata_t s) {
    state start {
        m.in_port = (port_id_t) s.ingress_port;
        transition select(s.ingress_port) {
            CPU_PORT: from_controller;
            default: h;
        }
    }
    state from_controller {
        packet.extract(hdr.to_switch);
        transition h;
    }
    state h {
        packet.extract(hdr.h);
        transition accept;
    }
}

control Verify(inout headers_t hdr, inout metadata_t m) {
    apply {
    }
}

control In(inout headers_t hdr, inout metadata_t m, inout standard_metadata_t s) {
    register<vrf_id_t>(4) vrfs;
    register<label_t>(4) labels;
    action_selector(HashAlgorithm.crc32, 16, 32) picked;

    action set_vrf(vrf_id_t vrf) {
        m.vrf = vrf;
    }

    action set_label(label_t label, tiny_t tiny) {
        m.label = label;
        m.tiny = tiny;
    }

    action learn() {
        digest<seen_t>(1, { m.in_port, m.vrf, m.label });
    }

    action to(port_id_t port) {
        s.egress_spec = (bit<9>) port;
    }

    table interfaces {
        key = {
            m.in_port: exact;
            hdr.h.key: exact;
        }
        actions = {
            set_vrf;
            NoAction;
        }
        default_action = NoAction();
        size = 16;
    }

    table policies {
        key = {
            m.vrf: optional;
        }
        actions = {
            set_label;
            learn;
            NoAction;
        }
        default_action = NoAction();
        size = 16;
    }

    table routes {
        key = {
            m.vrf: exact;
        }
        actions = {
            to;
            NoAction;
        }
        default_action = NoAction();
        size = 2048;
    }

    table balanced {
        key = {
            m.tiny: exact;
            hdr.h.key: selector;
        }
        actions = {
            to;
            NoAction;
        }
        implementation = picked;
        size = 16;
    }

    apply {
        if (hdr.to_switch.isValid()) {
            s.egress_spec = (bit<9>) hdr.to_switch.egress_port;
            hdr.h.label = (bit<32>) (bit<20>) hdr.to_switch.label;
            hdr.to_switch.setInvalid();
        } else {
            interfaces.apply();
            policies.apply();
            if (!routes.apply().hit) {
                balanced.apply();
            }
            vrfs.write(0, m.vrf);
            labels.write(0, m.label);
            hdr.h.vrf = (bit<16>) (bit<10>) m.vrf;
            hdr.h.port = (bit<16>) s.egress_spec;
            hdr.h.label = (bit<32>) (bit<20>) m.label;
        }
        if (s.egress_spec == CPU_PORT) {
            hdr.from_switch.setValid();
            hdr.from_switch.ingress_port = m.in_port;
        }
    }
}

control Out(inout headers_t hdr, inout metadata_t m, inout standard_metadata_t s) {
    apply {
    }
}

control Compute(inout headers_t hdr, inout metadata_t m) {
    apply {
    }
}

control Deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.from_switch);
        packet.emit(hdr.h);
    }
}

V1Switch(P(), Verify(), In(), Out(), Compute(), Deparse()) main;
