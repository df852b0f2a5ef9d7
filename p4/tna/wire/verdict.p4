// Whether a frame of a wire is dropped or CE-marked because it is worth no more than the threshold of its egress port, or sent, as ../verdict.p4.

#ifndef SLUICE_TNA_WIRE_VERDICT_P4
#define SLUICE_TNA_WIRE_VERDICT_P4

control WireVerdict(inout headers_t hdr, inout metadata_t md, inout bit<3> drop_ctl, inout PortId_t egress_port) {
    COUNTER(bit<64>, bit<4>, 16) dropped;

    action send() {
        egress_port = md.egress_port;
    }

    action mark() {
        hdr.ipv4.ecn = ECN_CE;
        hdr.ipv6.ecn = ECN_CE;
        md.wire.marked = 1;
        egress_port = md.egress_port;
    }

    action discard(bit<4> reason) {
        drop_ctl = 1;
        dropped.count(reason);
    }

    table Outcome {
        key = {
            md.subscriber.known_port : ternary @name("known_port");
            md.verdict.margin : ternary @name("margin");
            md.dropper.threshold : ternary @name("threshold");
            md.verdict.fresh : ternary @name("fresh");
            md.ecn : ternary @name("ecn");
            md.verdict.late : ternary @name("late");
        }
        actions = { send; mark; discard; }
        const default_action = send();
        const entries = {
            (0, _, _, _, _, _) : discard(DropReason_t.UNKNOWN_PORT);
            (_, _, 0, _, _, _) : send();
            (_, _, _, 0, _, _) : send();
            (_, 0, _, _, ECN_NOT_ECT, _) : discard(DropReason_t.BELOW_THRESHOLD);
            (_, 0, _, _, _, 1) : discard(DropReason_t.BELOW_THRESHOLD);
            (_, 0, _, _, _, _) : mark();
        }
        size = 8;
    }

    apply {
        Outcome.apply();
    }
}

#endif
