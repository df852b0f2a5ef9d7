/* Every kind of entity that P4Runtime has for v1model; a probe's first byte says what becomes of it. */
#include <core.p4>
#include <v1model.p4>

const bit<9> CPU_PORT = 64;
const bit<16> PROBE = 0x88b6;

@controller_header("packet_in")
header packet_in_t {
    bit<9> ingress_port;
    bit<7> reason;
}

@controller_header("packet_out")
header packet_out_t {
    bit<9> egress_port;
    bit<7> unused;
}

header ethernet_t {
    bit<48> dst;
    bit<48> src;
    bit<16> type;
}

header probe_t {
    bit<8> kind;
    bit<8> key;
    bit<16> word;
    bit<32> addr;
}

struct seen_t {
    bit<48> src;
    bit<9> port;
}

struct headers_t {
    packet_in_t packet_in;
    packet_out_t packet_out;
    ethernet_t ethernet;
    probe_t probe;
}

struct metadata_t {
}

parser P(packet_in packet, out headers_t hdr, inout metadata_t m, inout standard_metadata_t s) {
    value_set<bit<16>>(4) more_probes;
    state start {
        transition select(s.ingress_port) {
            CPU_PORT: from_controller;
            default: ethernet;
        }
    }
    state from_controller {
        packet.extract(hdr.packet_out);
        transition ethernet;
    }
    state ethernet {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.type) {
            PROBE: probe;
            more_probes: probe;
            default: accept;
        }
    }
    state probe {
        packet.extract(hdr.probe);
        transition accept;
    }
}

control Verify(inout headers_t hdr, inout metadata_t m) {
    apply {
    }
}

control In(inout headers_t hdr, inout metadata_t m, inout standard_metadata_t s) {
    direct_counter(CounterType.packets_and_bytes) station_counter;
    direct_meter<bit<8>>(MeterType.packets) rate_meter;
    counter(8, CounterType.packets_and_bytes) kinds;
    meter(4, MeterType.packets) colours;
    register<bit<32>>(4) last;
    action_selector(HashAlgorithm.crc32, 16, 32) picked;
    action_profile(8) shared;

    action forward(bit<9> port) {
        s.egress_spec = port;
        station_counter.count();
    }

    action to_controller(bit<7> reason) {
        hdr.packet_in.setValid();
        hdr.packet_in.ingress_port = s.ingress_port;
        hdr.packet_in.reason = reason;
        s.egress_spec = CPU_PORT;
        station_counter.count();
    }

    action learn() {
        digest<seen_t>(1, { hdr.ethernet.src, s.ingress_port });
        mark_to_drop(s);
        station_counter.count();
    }

    action flood(bit<16> group) {
        s.mcast_grp = group;
        station_counter.count();
    }

    action copy(bit<9> port, bit<32> session) {
        s.egress_spec = port;
        clone(CloneType.I2E, session);
        station_counter.count();
    }

    action answer(bit<9> port, bit<16> word) {
        s.egress_spec = port;
        hdr.probe.word = word;
    }

    action metered(bit<9> port) {
        s.egress_spec = port;
        rate_meter.read(hdr.probe.key);
    }

    action to(bit<9> port) {
        s.egress_spec = port;
    }

    table stations {
        key = {
            hdr.ethernet.dst: exact;
        }
        actions = {
            forward;
            to_controller;
            learn;
            flood;
            copy;
            @defaultonly NoAction;
        }
        default_action = NoAction();
        counters = station_counter;
        support_timeout = true;
        size = 16;
    }

    table rules {
        key = {
            hdr.probe.addr: ternary;
            hdr.probe.key: optional;
            hdr.probe.word: range;
        }
        actions = {
            answer;
            NoAction;
        }
        default_action = NoAction();
        size = 16;
    }

    table routes {
        key = {
            hdr.probe.addr: lpm;
        }
        actions = {
            metered;
            NoAction;
        }
        default_action = NoAction();
        meters = rate_meter;
        size = 16;
    }

    table balanced {
        key = {
            hdr.probe.key: exact;
            hdr.probe.word: selector;
        }
        actions = {
            to;
            NoAction;
        }
        implementation = picked;
        size = 16;
    }

    table pinned {
        key = {
            hdr.probe.key: exact;
        }
        actions = {
            to;
            NoAction;
        }
        implementation = shared;
        size = 16;
    }

    table fixed {
        key = {
            hdr.probe.key: exact;
        }
        actions = {
            answer;
            NoAction;
        }
        const entries = {
            1: answer(1, 0xc0de);
        }
    }

    apply {
        if (hdr.packet_out.isValid()) {
            s.egress_spec = hdr.packet_out.egress_port;
            hdr.packet_out.setInvalid();
        } else if (!hdr.probe.isValid()) {
            mark_to_drop(s);
        } else {
            kinds.count((bit<32>) hdr.probe.kind);
            last.write(0, hdr.probe.addr);
            mark_to_drop(s);
            if (hdr.probe.kind == 0) {
                stations.apply();
            } else if (hdr.probe.kind == 1) {
                rules.apply();
            } else if (hdr.probe.kind == 2) {
                routes.apply();
            } else if (hdr.probe.kind == 3) {
                balanced.apply();
            } else if (hdr.probe.kind == 4) {
                pinned.apply();
            } else if (hdr.probe.kind == 5) {
                fixed.apply();
            } else if (hdr.probe.kind == 6) {
                s.egress_spec = 1;
                colours.execute_meter((bit<32>) hdr.probe.key, hdr.probe.key);
            } else if (hdr.probe.kind == 7) {
                s.egress_spec = 1;
                last.read(hdr.probe.addr, 1);
            }
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
        packet.emit(hdr.packet_in);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.probe);
    }
}

V1Switch(P(), Verify(), In(), Out(), Compute(), Deparse()) main;
