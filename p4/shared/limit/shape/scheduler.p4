// Where a limited packet waits and when it goes on (paper 004, section III-B).

#ifndef SLUICE_SCHEDULER_P4
#define SLUICE_SCHEDULER_P4

#define PIPES 4
const pipe_t FRONT_PIPE = 0;
const pipe_t LAST_PIPE = 3;

// The counted events of a pipe: the lower two bits of an index into their counters. 0 is a packet that enters, 1 one that goes round again.
const bit<2> PIPE_SENT = 2;
const bit<2> PIPE_MISSED = 3;

// Which pipe a packet waits in: windows of virtual finish times, which an agent beside the switch moves on. Without one all wait in the last.
control Gate(in nanos_t finish, out pipe_t pipe, out bit<1> missed) {
    action set_pipe(pipe_t p) {
        pipe = p;
    }

    // Two entries where a window spans the end of the clock's round, and those of the windows before, which go when the new ones are in.
    table GateTable {
        key = { finish : range @name("finish"); }
        actions = { set_pipe; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 32;
    }

    apply {
        pipe = LAST_PIPE;
        missed = 1;
        if (GateTable.apply().hit) {
            missed = 0;
        }
    }
}

// The port that a pipe's packets go round by, and the bytes that may wait in all pipes when another is let into this one.
control LoopPorts(in pipe_t pipe, inout port_t port, out bit<32> buffer_bytes) {
    action loop(port_t p, bit<32> bytes) {
        port = p;
        buffer_bytes = bytes;
    }

    table LoopPort {
        key = { pipe : exact @name("pipe"); }
        actions = { loop; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PIPES;
    }

    apply {
        buffer_bytes = 0;
        LoopPort.apply();
    }
}

// What becomes of a packet. Whichever pipe it is in, it goes as soon as it is due: the pipes are for those that are not.
control Scheduler(inout metadata_t md, in bit<1> due, in bit<1> room) {
    action send() {
        md.shape.waits = 0;
    }

    action recirculate_packet() {
        md.shape.waits = 1;
    }

    action drop() {
        md.shape.waits = 0;
        md.drop = DropReason_t.SHAPING_BUFFER;
    }

    table SchedulerTable {
        key = {
            md.shape.pipe : ternary @name("pipe");
            due : exact @name("due");
            room : exact @name("room");
        }
        actions = { send; recirculate_packet; drop; }
        const default_action = drop();
        const entries = {
            (_, 1, 1) : send();
            (_, 0, 1) : recirculate_packet();
        }
    }

    apply {
        SchedulerTable.apply();
    }
}

#endif
