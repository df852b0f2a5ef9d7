// How much a port may tell the controller, and why.

#ifndef SLUICE_TELLING_P4
#define SLUICE_TELLING_P4

const bit<7> FROM_NEXT_HOP = 1;
const bit<7> TIME_EXCEEDED = 2;
const bit<7> OF_NO_SUBSCRIBER = 3;

// What a port may give the controller to do, of each kind: 100 packets a second, ten of them at once.
const bit<48> TELLING_MICROS = 10000;
const bit<48> TELLING_BURST_MICROS = 100000;

control Telling(in port_t ingress_port, in bit<48> now, out bit<1> may) {
    // Per port: when all that was told would have been told at the rate that is allowed.
    register<bit<48>>(PORTS) told_until;

    apply {
        bit<48> until;
        bit<32> cell = (bit<32>) ingress_port;
        told_until.read(until, cell);
        if (until < now) {
            until = now;
        }
        may = 0;
        if (until - now < TELLING_BURST_MICROS) {
            told_until.write(cell, until + TELLING_MICROS);
            may = 1;
        }
    }
}

#endif
