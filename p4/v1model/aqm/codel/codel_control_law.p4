// CoDel's square root.

#ifndef SLUICE_CODEL_CONTROL_LAW_P4
#define SLUICE_CODEL_CONTROL_LAW_P4

// 2^22 us / sqrt(count) as a Tofino's math unit computes it: four leading bits of an even power give eight bits of the result.
// Off by 1.8 % on average and by 6 % at most.
control CodelControlLaw(in codel_weight_t count, out micros_t step) {
    action set_step(micros_t s) {
        step = s;
    }

    table ControlLaw {
        key = { count : lpm; }
        actions = { set_step; }
        const default_action = set_step(2097152);
        const entries = {
#include "codel_control_law.inc"
        }
    }

    apply {
        ControlLaw.apply();
    }
}

#endif
