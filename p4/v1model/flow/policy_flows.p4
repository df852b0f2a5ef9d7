// In what order the flows of a policy's subscribers go: as they come, unless it has an entry.

#ifndef SLUICE_POLICY_FLOWS_P4
#define SLUICE_POLICY_FLOWS_P4

control PolicyFlow(inout metadata_t md) {
    action light_first(class_queue_t light_class) {
        md.flow.light_first = 1;
        md.flow.light_class = light_class;
    }

    table PolicyFlows {
        key = { md.subscriber.policy : exact @name("policy"); }
        actions = { light_first; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 256;
    }

    apply {
        PolicyFlows.apply();
    }
}

#endif
