// Limits by the switch's own meters (RFC 2698), for v1model: what is above a rate is dropped, nothing is held back. A subscriber's limit, its
// tree's and its port's are a meter each. A packet asks them in that order and the first that is red drops it, so that what a subscriber sends
// beyond its own limit takes nothing from the others'.

#ifndef SLUICE_POLICE_P4
#define SLUICE_POLICE_P4

typedef bit<2> colour_t;

const colour_t COLOUR_GREEN = 0;
const colour_t COLOUR_RED = 2;

// Where a policed subscriber is, and what the meters say of its packet.
struct police_t {
    bng_port_t port;
    tree_t     tree;
    colour_t   colour;
}

control Police(inout metadata_t md, in port_t ingress_port) {
    police_t police = { 0, 0, COLOUR_GREEN };

    direct_meter<colour_t>(MeterType.bytes) subscriber_meter;
    direct_meter<colour_t>(MeterType.bytes) tree_meter;
    direct_meter<colour_t>(MeterType.bytes) port_meter;
    direct_meter<colour_t>(MeterType.bytes) unknown_meter;

    counter(SUBSCRIBER_DIRECTIONS, CounterType.packets_and_bytes) subscriber_policed;

    action meter_subscriber(bng_port_t port, tree_t tree) {
        subscriber_meter.read(police.colour);
        police.port = port;
        police.tree = tree;
    }

    // Whoever is under a limit in a direction: by its own meter, which has no rates if only its tree or port is limited.
    table SubscriberMeter {
        key = {
            md.subscriber.index : exact @name("index");
            md.subscriber.direction : exact @name("direction");
        }
        actions = { meter_subscriber; @defaultonly NoAction; }
        const default_action = NoAction();
        meters = subscriber_meter;
        size = SUBSCRIBER_DIRECTIONS;
    }

    action meter_tree() {
        tree_meter.read(police.colour);
    }

    table TreeMeter {
        key = {
            police.port : exact @name("port");
            police.tree : exact @name("tree");
            md.subscriber.direction : exact @name("direction");
        }
        actions = { meter_tree; @defaultonly NoAction; }
        const default_action = NoAction();
        meters = tree_meter;
        size = TREE_DIRECTIONS;
    }

    action meter_port() {
        port_meter.read(police.colour);
    }

    table PortMeter {
        key = {
            police.port : exact @name("port");
            md.subscriber.direction : exact @name("direction");
        }
        actions = { meter_port; @defaultonly NoAction; }
        const default_action = NoAction();
        meters = port_meter;
        size = PORT_DIRECTIONS;
    }

    action meter_unknown() {
        unknown_meter.read(police.colour);
    }

    // What no subscriber sends into a wire.
    table UnknownMeter {
        key = { ingress_port : exact @name("ingress_port"); }
        actions = { meter_unknown; @defaultonly NoAction; }
        const default_action = NoAction();
        meters = unknown_meter;
        size = PORTS;
    }

    apply {
        if (md.wire.unknown == 1) {
            if (md.wire.control_traffic == 0) {
                UnknownMeter.apply();
            }
        } else if (SubscriberMeter.apply().hit) {
            if (police.colour != COLOUR_RED) {
                TreeMeter.apply();
            }
            if (police.colour != COLOUR_RED) {
                PortMeter.apply();
            }
        }
        if (police.colour == COLOUR_RED) {
            md.drop = DropReason_t.POLICED;
            subscriber_policed.count((bit<32>) md.subscriber.direction_index);
        }
    }
}

#endif
