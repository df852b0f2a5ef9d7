// Units and constants of what keeps a shaped limit's delay low, and what is known of a packet that comes to it.

#ifndef SLUICE_DELAY_TIMES_P4
#define SLUICE_DELAY_TIMES_P4

// Times are in 1/32 ns, like last finish times; where 32 bits have to do, in ticks of 2^15 of these, 1.024 us.
typedef bit<32> ticks_t;
#define TICK_BITS 15

// What a packet comes to.
struct pace_t {
    bit<64>     now;
    ticks_t     tick;
    // How long the packet waits for its turn, how long it takes, and how long 1 KiB does.
    bit<64>     wait;
    bit<64>     elapsed;
    bit<64>     kib;
}

#endif
