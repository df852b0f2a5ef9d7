// The rate limits that a packet is under: its subscriber's, its tree's and its port's.

#ifndef SLUICE_LIMITS_P4
#define SLUICE_LIMITS_P4

// The rates, 0 where there is none, and where the subscriber is.
struct limits_t {
    rate_word_t subscriber;
    rate_word_t tree;
    rate_word_t port;
    tree_t      tree_number;
    bng_port_t  port_number;
}

// Paper 004, section III-B: the rate_limiter_table without the last finish times, which are in registers behind the same keys.
control Limits(inout metadata_t md, inout limits_t limits, out bool limited) {
    action limit_subscriber(rate_word_t rate, bng_port_t port, tree_t tree) {
        limits.subscriber = rate;
        limits.port_number = port;
        limits.tree_number = tree;
    }

    // The limit says itself how it keeps delay low, or a part of that; see limit/delay.
    action limit_subscriber_delay(rate_word_t rate, bng_port_t port, tree_t tree, nanos_t longest_wait, LimitAqm_t aqm, nanos_t target,
                                  micros_t interval_micros, bit<1> ecn, bit<1> l4s) {
        limit_subscriber(rate, port, tree);
        md.delay.longest_wait = longest_wait;
        md.delay.aqm = aqm;
        md.delay.target = target;
        md.delay.interval = interval_micros;
        md.delay.ecn = ecn;
        md.delay.l4s = l4s;
    }

    // Whoever is under a limit in a direction; its own rate is 0 if only its tree or port is limited.
    table RateLimiter {
        key = {
            md.subscriber.index : exact @name("index");
            md.subscriber.direction : exact @name("direction");
        }
        actions = { limit_subscriber; limit_subscriber_delay; @defaultonly NoAction; }
        const default_action = NoAction();
        size = SUBSCRIBER_DIRECTIONS;
    }

    action limit_tree(rate_word_t rate) {
        limits.tree = rate;
    }

    table TreeLimiter {
        key = {
            limits.port_number : exact @name("port");
            limits.tree_number : exact @name("tree");
            md.subscriber.direction : exact @name("direction");
        }
        actions = { limit_tree; @defaultonly NoAction; }
        const default_action = NoAction();
        size = TREE_DIRECTIONS;
    }

    action limit_port(rate_word_t rate) {
        limits.port = rate;
    }

    table PortLimiter {
        key = {
            limits.port_number : exact @name("port");
            md.subscriber.direction : exact @name("direction");
        }
        actions = { limit_port; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PORT_DIRECTIONS;
    }

    apply {
        md.delay.longest_wait = LONGEST_WAIT_OF_POLICY;
        md.delay.aqm = LimitAqm_t.OF_POLICY;
        limited = RateLimiter.apply().hit;
        if (limited) {
            TreeLimiter.apply();
            PortLimiter.apply();
        }
    }
}

#endif
