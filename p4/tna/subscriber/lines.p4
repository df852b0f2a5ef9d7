// Whose line is it: the subscriber by the access port and the VLAN tags of an upstream frame. An access line vouches for its tags, a packet's
// source address is only its sender's word: the line goes first.

#ifndef SLUICE_TNA_LINES_P4
#define SLUICE_TNA_LINES_P4

control Lines(in headers_t hdr, inout metadata_t md) {
    action subscriber(bit<4> instance, bit<15> index, policy_slot_t policy, port_t port, queue_id_t queue, bit<1> shape_down, bit<1> shape_up) {
        md.subscriber.instance = instance;
        md.subscriber.slot = index;
        md.subscriber.policy = policy;
        md.subscriber.access_port = port;
        md.fpga.queue = queue;
        md.fpga.shape_down = shape_down;
        md.fpga.shape_up = shape_up;
    }

    // The first instance follows in the next stage.
    @stage(0)
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

#endif
