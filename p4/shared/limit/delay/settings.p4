// The settings of delay that a policy has for the limits of its subscribers.

#ifndef SLUICE_DELAY_SETTINGS_P4
#define SLUICE_DELAY_SETTINGS_P4

control DelaySettings(inout metadata_t md) {
    delay_metadata_t policy = { 0, LimitAqm_t.NONE, 0, 0, 0, 0 };

    action keep_low(nanos_t longest_wait, LimitAqm_t aqm, nanos_t target, micros_t interval_micros, bit<1> ecn, bit<1> l4s) {
        policy.longest_wait = longest_wait;
        policy.aqm = aqm;
        policy.target = target;
        policy.interval = interval_micros;
        policy.ecn = ecn;
        policy.l4s = l4s;
    }

    table PolicyDelay {
        key = { md.subscriber.policy : exact @name("policy"); }
        actions = { keep_low; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 256;
    }

    apply {
        PolicyDelay.apply();
        if (md.delay.longest_wait == LONGEST_WAIT_OF_POLICY) {
            md.delay.longest_wait = policy.longest_wait;
        }
        if (md.delay.aqm == LimitAqm_t.OF_POLICY) {
            md.delay.aqm = policy.aqm;
            md.delay.target = policy.target;
            md.delay.interval = policy.interval;
            md.delay.ecn = policy.ecn;
            md.delay.l4s = policy.l4s;
        }
    }
}

#endif
