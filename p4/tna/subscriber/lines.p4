// Whose line is it: the subscriber by the access port and the VLAN tags of an upstream frame, as shared/subscriber/classifier.p4 says. An access
// line vouches for its tags, a packet's source address is only its sender's word: the line goes first, and an address counts only on its port.

#ifndef SLUICE_TNA_LINES_P4
#define SLUICE_TNA_LINES_P4

// The first instance follows in the next stage. A Tofino 2 has stages to spare, and p4c fails there if it is told. On a wire, its ends are before
// its lines.
#if __TARGET_TOFINO__ == 1
#ifdef WIRE
#define IN_FIRST_STAGE @stage(1)
#else
#define IN_FIRST_STAGE @stage(0)
#endif
#else
#define IN_FIRST_STAGE
#endif

control Lines(in headers_t hdr, inout metadata_t md) {
    action subscriber(bit<4> instance, bit<15> index, policy_slot_t policy, port_t port, queue_id_t queue, bit<1> shape_down, bit<1> shape_up) {
        md.subscriber.instance = instance;
        md.subscriber.slot = index;
        md.subscriber.policy = policy;
        md.subscriber.access_port = port;
        md.fpga.queue = queue;
        md.fpga.shape_down = shape_down;
        md.fpga.shape_up = shape_up;
        md.subscriber.by_line = 1;
    }

    IN_FIRST_STAGE
    table SubscriberVlan {
        key = {
            md.subscriber.line_port : exact @name("ingress_port");
            md.subscriber.s_vid : exact @name("s_vid");
            md.subscriber.c_vid : exact @name("c_vid");
        }
        actions = { subscriber; @defaultonly NoAction; }
        const default_action = NoAction();
        size = VLAN_CAPACITY;
    }

    apply {
        if (hdr.outer_tag.isValid()) {
            SubscriberVlan.apply();
        }
    }
}

// The same by the service VLAN alone. A pair goes before it, and both are looked up in one stage: what is found waits aside for the next.
control ServiceLines(in headers_t hdr, inout metadata_t md) {
    action subscriber(bit<4> instance, bit<15> index, policy_slot_t policy, port_t port, queue_id_t queue, bit<1> shape_down, bit<1> shape_up) {
        md.subscriber.service.instance = instance;
        md.subscriber.service.slot = index;
        md.subscriber.service.policy = policy;
        md.subscriber.service.access_port = port;
        md.subscriber.service.queue = queue;
        md.subscriber.service.shape_down = shape_down;
        md.subscriber.service.shape_up = shape_up;
    }

    IN_FIRST_STAGE
    table SubscriberServiceVlan {
        key = {
            md.subscriber.line_port : exact @name("ingress_port");
            md.subscriber.s_vid : exact @name("s_vid");
        }
        actions = { subscriber; @defaultonly NoAction; }
        const default_action = NoAction();
        size = SERVICE_VLAN_CAPACITY;
    }

    apply {
        if (hdr.outer_tag.isValid()) {
            SubscriberServiceVlan.apply();
        }
    }
}

// Whether an address stands for its subscriber only on another port, or on no port: that one has a line of its own. And whether a frame says a
// line's port, as only those from the FPGA may.
control Senders(inout metadata_t md) {
    action refuse() {
        md.verdict.spoofed = 1;
    }

    apply {
        if (md.subscriber.told_line == 1 && md.subscriber.role != PortRole_t.SIDECAR) {
            refuse();
        } else if (md.subscriber.role == PortRole_t.ACCESS && md.subscriber.direction == Direction_t.UP && md.subscriber.instance != 0
            && md.subscriber.by_line == 0) {
            if (md.subscriber.has_line == 1) {
                refuse();
            } else if (md.subscriber.access_port != md.subscriber.line_port) {
                refuse();
            }
        }
    }
}

#endif
