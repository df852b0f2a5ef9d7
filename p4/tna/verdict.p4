// What becomes of a packet, decided in one stage: dropped for the reason that was found, dropped or CE-marked because it is worth no more than
// the threshold of its egress port, or sent. The same as shared/dropper/threshold/dropper.p4 and what follows it in the v1model program.

#ifndef SLUICE_TNA_VERDICT_P4
#define SLUICE_TNA_VERDICT_P4

control Verdict(inout headers_t hdr, in metadata_t md, inout bit<3> drop_ctl, inout PortId_t egress_port) {
    COUNTER(bit<64>, bit<4>, 16) dropped;

    action send() {
        egress_port = md.egress_port;
    }

    action mark() {
        hdr.ipv4.ecn = ECN_CE;
        hdr.ipv6.ecn = ECN_CE;
        egress_port = md.egress_port;
    }

    action discard(bit<4> reason) {
        drop_ctl = 1;
        dropped.count(reason);
    }

    table Outcome {
        key = {
            md.subscriber.known_port : ternary @name("known_port");
            md.verdict.checksum_error : ternary @name("checksum_error");
            md.verdict.options : ternary @name("options");
            md.has_ip : ternary @name("has_ip");
            md.verdict.spoofed : ternary @name("spoofed");
            md.subscriber.drop_unknown : ternary @name("drop_unknown");
            md.subscriber.instance : ternary @name("instance");
            md.fpga.shape : ternary @name("shape");
            md.verdict.sidecar : ternary @name("sidecar");
            md.verdict.expired : ternary @name("expired");
            md.verdict.routed : ternary @name("routed");
            md.verdict.margin : ternary @name("margin");
            md.dropper.threshold : ternary @name("threshold");
            md.verdict.fresh : ternary @name("fresh");
            md.ecn : ternary @name("ecn");
            md.verdict.late : ternary @name("late");
        }
        actions = { send; mark; discard; }
        const default_action = send();
        // A sender that ignores its marks must not fill the queue: when it is late the mark becomes a drop (RFC 3168, 7).
        const entries = {
            (0, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _) : discard(DropReason_t.UNKNOWN_PORT);
            (_, 1, 0, _, _, _, _, _, _, _, _, _, _, _, _, _) : discard(DropReason_t.BAD_CHECKSUM);
            (_, _, _, 0, _, _, _, _, _, _, _, _, _, _, _, _) : discard(DropReason_t.NOT_IP);
            (_, _, _, _, 1, _, _, _, _, _, _, _, _, _, _, _) : discard(SPOOFED_SOURCE);
            (_, _, _, _, _, 1, 0, _, _, _, _, _, _, _, _, _) : discard(NO_SUBSCRIBER);
            (_, _, _, _, _, _, _, 1, 0, _, _, _, _, _, _, _) : discard(DropReason_t.NO_SIDECAR);
            (_, _, _, _, _, _, _, 1, _, _, _, _, _, _, _, _) : send();
            (_, _, _, _, _, _, _, _, _, 1, _, _, _, _, _, _) : discard(DropReason_t.TTL_EXPIRED);
            (_, _, _, _, _, _, _, _, _, _, 0, _, _, _, _, _) : discard(DropReason_t.NO_ROUTE);
            (_, _, _, _, _, _, _, _, _, _, _, _, 0, _, _, _) : send();
            (_, _, _, _, _, _, _, _, _, _, _, _, _, 0, _, _) : send();
            (_, _, _, _, _, _, _, _, _, _, _, 0, _, _, ECN_NOT_ECT, _) : discard(DropReason_t.BELOW_THRESHOLD);
            (_, _, _, _, _, _, _, _, _, _, _, 0, _, _, _, 1) : discard(DropReason_t.BELOW_THRESHOLD);
            (_, _, _, _, _, _, _, _, _, _, _, 0, _, _, _, _) : mark();
        }
        size = 16;
    }

    apply {
        Outcome.apply();
    }
}

#endif
