// A direction of a subscriber whose packets have another policy than the subscriber has.

#ifndef SLUICE_DIRECTION_POLICY_P4
#define SLUICE_DIRECTION_POLICY_P4

control DirectionPolicies(inout metadata_t md) {
    action set_policy(policy_slot_t policy) {
        md.subscriber.policy = policy;
    }

    table DirectionPolicy {
        key = {
            md.subscriber.index : exact @name("index");
            md.subscriber.direction : exact @name("direction");
        }
        actions = { set_policy; @defaultonly NoAction; }
        const default_action = NoAction();
        size = SUBSCRIBER_CAPACITY;
    }

    apply {
        DirectionPolicy.apply();
    }
}

#endif
