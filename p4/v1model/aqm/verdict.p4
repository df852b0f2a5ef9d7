// What a queue's AQM has decided: a packet is dropped, marked, or goes on; and the clones that carried state of it end here.

#ifndef SLUICE_AQM_VERDICT_P4
#define SLUICE_AQM_VERDICT_P4

control AqmVerdict(inout headers_t hdr, inout metadata_t md, inout standard_metadata_t standard_metadata) {
    CeMark() ce_mark;

    counter(MANAGED_QUEUES * 4, CounterType.packets_and_bytes) aqm_events;

    apply {
        if (standard_metadata.instance_type == INSTANCE_TYPE_EGRESS_CLONE) {
            aqm_events.count((bit<32>) (md.codel.queue ++ AQM_SYNCHRONISED));
            mark_to_drop(standard_metadata);
            exit;
        } else if (md.aqm.drop == 1 && (md.aqm.ecn == 0 || md.ecn == ECN_NOT_ECT)) {
            aqm_events.count((bit<32>) (md.codel.queue ++ AQM_DROPPED));
            mark_to_drop(standard_metadata);
            exit;
        } else if (md.aqm.drop == 1) {
            aqm_events.count((bit<32>) (md.codel.queue ++ AQM_MARKED));
            ce_mark.apply(hdr, md);
        } else if (md.codel.op == CODEL_START || md.codel.op == CODEL_LOAD) {
            aqm_events.count((bit<32>) (md.codel.queue ++ AQM_CYCLE));
        }
    }
}

#endif
