#ifndef SLUICE_QUEUE_SETTINGS_P4
#define SLUICE_QUEUE_SETTINGS_P4

// What happened to a managed queue; the lowest two bits of the index of its counter.
const bit<2> AQM_DROPPED = 0;
const bit<2> AQM_MARKED = 1;
const bit<2> AQM_CYCLE = 2;
const bit<2> AQM_SYNCHRONISED = 3;

// Which algorithm manages the queue, and with what settings.
control QueueSettings(inout metadata_t md, in port_t egress_port, in class_queue_t queue) {
    action manage(AqmKind_t kind, micros_t target_micros, micros_t interval_micros, codel_weight_t weight, bit<1> ecn) {
        md.aqm.kind = kind;
        md.aqm.target = target_micros;
        md.aqm.interval = interval_micros;
        md.aqm.weight = weight;
        md.aqm.ecn = ecn;
    }

    table QueueAqm {
        key = {
            egress_port : exact @name("egress_port");
            queue : exact @name("queue");
        }
        actions = { manage; @defaultonly NoAction; }
        const default_action = NoAction();
        size = MANAGED_QUEUES;
    }

    apply {
        QueueAqm.apply();
    }
}

#endif
