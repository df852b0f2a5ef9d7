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

    // Whoever is under a limit in a direction; its own rate is 0 if only its tree or port is limited.
    table RateLimiter {
        key = {
            md.subscriber.index : exact @name("index");
            md.subscriber.direction : exact @name("direction");
        }
        actions = { limit_subscriber; @defaultonly NoAction; }
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
        limited = RateLimiter.apply().hit;
        if (limited) {
            TreeLimiter.apply();
            PortLimiter.apply();
        }
    }
}

#endif
