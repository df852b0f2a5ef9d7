// One instance of the marker's per-subscriber tables (paper 000, section V.C, figure 7): whose packet is it by address, and how fast does
// its subscriber send. The rate filters of one instance fill what a stage has for them, so instances follow each other, a stage each.

#ifndef SLUICE_TNA_INSTANCE_P4
#define SLUICE_TNA_INSTANCE_P4

// UNVOUCHED: upstream from an access port, by its source address. MEASURED: not on its way to the FPGA, and not by another switch.
#ifdef WIRE
#define UNVOUCHED md.subscriber.direction == Direction_t.UP && md.subscriber.by_line == 0
#define MEASURED md.subscriber.known_port == 1
#else
#define UNVOUCHED md.subscriber.role == PortRole_t.ACCESS && md.subscriber.direction == Direction_t.UP && md.subscriber.by_line == 0
#define MEASURED md.subscriber.role == PortRole_t.SIDECAR || (md.subscriber.told_line == 0 && md.subscriber.role != PortRole_t.TRUNK \
                    && ((md.subscriber.direction == Direction_t.DOWN && md.fpga.shape_down == 0) \
                        || (md.subscriber.direction == Direction_t.UP && md.fpga.shape_up == 0)))
#endif

control MarkerInstance(in headers_t hdr, inout metadata_t md)(bit<4> instance) {
    RATE_FILTER(rate_t, bit<16>, INSTANCE_CELLS, rate_filter)

    action addressed_subscriber(bit<15> index, policy_slot_t policy, port_t port, queue_id_t queue, bit<1> shape_down, bit<1> shape_up,
                                bit<1> has_line) {
        md.subscriber.instance = instance;
        md.subscriber.slot = index;
        md.subscriber.policy = policy;
        md.subscriber.access_port = port;
        md.fpga.queue = queue;
        md.fpga.shape_down = shape_down;
        md.fpga.shape_up = shape_up;
        md.subscriber.has_line = has_line;
    }

    table SubscriberRate4 {
        key = { md.subscriber.addr4 : exact @name("addr"); }
        actions = { addressed_subscriber; @defaultonly NoAction; }
        const default_action = NoAction();
        size = INSTANCE_SUBSCRIBERS;
    }

    table SubscriberRate6 {
        key = { md.subscriber.addr6[127:128 - PREFIX6_BITS] : exact @name("addr"); }
        actions = { addressed_subscriber; @defaultonly NoAction; }
        const default_action = NoAction();
        size = INSTANCE_PREFIXES6;
    }

    // In the stage of the first instance, whose tables are not looked up then.
    action take_service() {
        md.subscriber.instance = md.subscriber.service.instance;
        md.subscriber.slot = md.subscriber.service.slot;
        md.subscriber.policy = md.subscriber.service.policy;
        md.subscriber.access_port = md.subscriber.service.access_port;
        md.fpga.queue = md.subscriber.service.queue;
        md.fpga.shape_down = md.subscriber.service.shape_down;
        md.fpga.shape_up = md.subscriber.service.shape_up;
        md.subscriber.by_line = 1;
    }

    action measure() {
        FILTER(rate_filter, md.csaqm.rate, md.subscriber.slot ++ (bit<1>) md.subscriber.direction, md.now);
    }

    apply {
        if (md.subscriber.instance == 0) {
            if (instance == 1 && md.subscriber.service.instance != 0) {
                take_service();
            } else if (hdr.ipv4.isValid()) {
                SubscriberRate4.apply();
            } else if (hdr.ipv6.isValid()) {
                SubscriberRate6.apply();
            }
        }
        // What Senders refuses is not measured: it would lower the value of what the subscriber sends itself.
        if (md.subscriber.instance == instance) {
            if (UNVOUCHED && md.subscriber.has_line == 1) {
            } else if (UNVOUCHED && md.subscriber.access_port != md.subscriber.line_port) {
            } else if (MEASURED) {
                measure();
            }
        }
    }
}

#endif
