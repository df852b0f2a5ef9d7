// The class of a packet within its subscriber's limit, by the policy's codepoints: the low bits of the queue id, which without an entry stay
// those of class 0. Keyed by what every packet brings along, so that a subscriber costs no entry.

#ifndef SLUICE_TRAFFIC_CLASS_P4
#define SLUICE_TRAFFIC_CLASS_P4

// 64 codepoints of each policy.
#define POLICY_CODEPOINTS 4096

control TrafficClasses(in headers_t hdr, inout metadata_t md, out bit<1> classed) {
    bit<6> dscp = 0;

    action set_class(class_queue_t queue_class) {
        md.fpga.queue = md.fpga.queue[17:3] ++ queue_class;
    }

    table TrafficClass {
        key = {
            md.subscriber.policy : exact @name("policy");
            dscp : exact @name("dscp");
        }
        actions = { set_class; @defaultonly NoAction; }
        const default_action = NoAction();
        size = POLICY_CODEPOINTS;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            dscp = hdr.ipv4.dscp;
        } else {
            dscp = hdr.ipv6.dscp;
        }
        classed = 0;
        if (TrafficClass.apply().hit) {
            classed = 1;
        }
    }
}

// Sends what the FPGA has to hold back there, without its share of the switch, which it is given when it comes back.
control SidecarEntry(in metadata_t md, inout standard_metadata_t standard_metadata) {
    apply {
        if (md.drop == DropReason_t.NONE) {
            standard_metadata.egress_spec = md.egress_port;
            exit;
        }
    }
}

#endif
