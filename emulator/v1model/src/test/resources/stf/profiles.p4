// Action profiles: one that two tables share, and one with a selector.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  key;
    bit<32> flow;
    bit<8>  r;
    bit<8>  ran;
}

struct headers {
    h_t h;
}

struct metadata {}

parser P(packet_in pkt, out headers h, inout metadata m, inout standard_metadata_t std) {
    state start {
        pkt.extract(h.h);
        transition accept;
    }
}

control Verify(inout headers h, inout metadata m) {
    apply {}
}

control In(inout headers h, inout metadata m, inout standard_metadata_t std) {
    action_profile(4) shared;
    action_selector(HashAlgorithm.crc32, 16, 32) picked;

    action set_r(bit<8> r) {
        h.h.r = r;
    }

    action to_port(bit<9> port, bit<8> r) {
        std.egress_spec = port;
        h.h.r = r;
    }

    action ran(bit<8> what) {
        h.h.ran = h.h.ran | what;
    }

    table choose {
        key = {
            h.h.key: exact;
            h.h.flow: selector;
        }
        actions = {
            set_r;
            to_port;
            NoAction;
        }
        size = 16;
        implementation = picked;
    }

    table first {
        key = {
            h.h.key: exact;
        }
        actions = {
            ran;
            NoAction;
        }
        implementation = shared;
        size = 8;
    }

    table second {
        key = {
            h.h.key: ternary;
        }
        actions = {
            ran;
            NoAction;
        }
        implementation = shared;
        size = 8;
    }

    apply {
        std.egress_spec = 1;
        switch (choose.apply().action_run) {
            set_r: {
                ran(0x10);
            }
            to_port: {
                ran(0x20);
            }
        }
        if (first.apply().hit) {
            ran(0x40);
        }
        second.apply();
    }
}

control Eg(inout headers h, inout metadata m, inout standard_metadata_t std) {
    apply {}
}

control Update(inout headers h, inout metadata m) {
    apply {}
}

control D(packet_out pkt, in headers h) {
    apply {
        pkt.emit(h.h);
    }
}

V1Switch(P(), Verify(), In(), Eg(), Update(), D()) main;
