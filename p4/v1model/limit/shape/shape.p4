// DragonKing (paper 004) in v1model: WF2Q+ for every rate limit. A packet that is early waits in a pipe, which is a loop port, is recirculated in
// egress and judged again.

#ifndef SLUICE_SHAPE_P4
#define SLUICE_SHAPE_P4

#include "../delay/times.p4"
#include "../delay/flows.p4"

// In 1/32 ns. A packet that would start more than 1.07 s (2^30 ns) from now is not let in; a limit that seems to be more than 17 s ahead is one
// from before the clock went round.
#define HORIZON 0x800000000
#define AHEAD_WITHIN 0x8000000000
// In ns. A packet that is late by so much does not wait for those before it any more: a loop port has lost them.
#define OVERDUE 0x10000000
// The same and a tick, in 1/32 ns.
#define LATEST_AFTER 0x200008000

// Last finish times, in 1/32 ns of the switch's whole clock: a limit of 100 Gbit/s is exact to 0.1 % for the shortest packet, and none that was
// idle for seconds seems to be ahead.
register<bit<64>>(SUBSCRIBER_DIRECTIONS) subscriber_finish;
register<bit<64>>(TREE_DIRECTIONS) tree_finish;
register<bit<64>>(PORT_DIRECTIONS) port_finish;

// Packets of a flow that have been let in to wait, and that have left: they leave in that order. Flows overtake each other: a loop does not keep the
// order of what came in between, and if all packets of a limit had to, each would wait a round for the one before it. A flow has one of its two cells
// while its packets wait. With the number of turns taken are kept when the last one was, in 268 ms, and whose the cell is: the flow's other cell.
register<bit<64>>(FLOW_CELLS) turns_taken;
register<bit<32>>(FLOW_CELLS) turns_done;

// In 268 ms. What took its turn longer ago does not wait any more: a loop port has lost it.
#define TURN_ENDS_AFTER 7

// 1: packets of the pipe wait though they are due. With all but the front pipe's, packets leave by that alone, as in the paper.
register<bit<1>>(PIPES) pipe_holds;

// Bytes that wait, by the half of the clock's round in which they were let in. They have left before that half comes again, so what a loop port
// lost is forgotten then.
register<bit<32>>(2) waiting_bytes;
register<bit<1>>(1) waiting_half;

// How far a limit is ahead of now.
control Ahead(in bit<64> last_finish, in bit<64> now, inout bit<64> own, inout bit<64> most) {
    apply {
        own = last_finish - now;
        if (own >= AHEAD_WITHIN) {
            own = 0;
        }
        if (own > most) {
            most = own;
        }
    }
}

// How far a packet's limits are ahead of now, the latest of them, and its time in each; in 1/32 ns.
struct finish_times_t {
    bit<64> now;
    bit<64> ahead;
    bit<64> ahead_tree;
    bit<64> ahead_port;
    bit<64> most;
    bit<64> elapsed;
    bit<64> elapsed_tree;
    bit<64> elapsed_port;
    // 1 KiB.
    bit<64> kib;
    bit<64> kib_tree;
    bit<64> kib_port;
    bit<32> tree_index;
    bit<32> port_index;
}

#include "../delay/delay.p4"

// When a fresh packet starts and finishes.
control FinishTimes(inout metadata_t md, in limits_t limits, in bit<48> now, inout finish_times_t times) {
    ElapsedTime() subscriber_time;
    ElapsedTime() tree_time;
    ElapsedTime() port_time;
    Ahead() subscriber_ahead;
    Ahead() tree_ahead;
    Ahead() port_ahead;

    apply {
        bit<64> last;
        times.now = (((bit<64>) now) * 1000) << 5;
        subscriber_time.apply(limits.subscriber, md.frame_bytes, times.elapsed, times.kib);
        subscriber_finish.read(last, (bit<32>) md.subscriber.direction_index);
        subscriber_ahead.apply(last, times.now, times.ahead, times.most);
        if (limits.tree != 0) {
            times.tree_index = (bit<32>) (limits.port_number ++ limits.tree_number ++ (bit<1>) md.subscriber.direction);
            tree_time.apply(limits.tree, md.frame_bytes, times.elapsed_tree, times.kib_tree);
            tree_finish.read(last, times.tree_index);
            tree_ahead.apply(last, times.now, times.ahead_tree, times.most);
        }
        if (limits.port != 0) {
            times.port_index = (bit<32>) (limits.port_number ++ (bit<1>) md.subscriber.direction);
            port_time.apply(limits.port, md.frame_bytes, times.elapsed_port, times.kib_port);
            port_finish.read(last, times.port_index);
            port_ahead.apply(last, times.now, times.ahead_port, times.most);
        }
        // By the slowest of its limits.
        bit<64> longest = times.elapsed;
        if (times.elapsed_tree > longest) {
            longest = times.elapsed_tree;
        }
        if (times.elapsed_port > longest) {
            longest = times.elapsed_port;
        }
        // In whole nanoseconds, and never early.
        md.shape.start = ((times.now + times.most + 31) >> 5)[31:0];
        md.shape.finish = ((times.now + times.most + longest + 31) >> 5)[31:0];
    }
}

// Whether packets of a flow wait by the turns of a cell, or nobody's do.
control TurnsOf(in flow_cell_t cell, in flow_cell_t other_cell, in bit<12> now, inout bit<32> turn, out bit<1> own, out bit<1> free) {
    apply {
        bit<64> taken;
        bit<32> done;
        turns_taken.read(taken, (bit<32>) cell);
        turns_done.read(done, (bit<32>) cell);
        turn = taken[31:0];
        own = 0;
        free = 0;
        if (done == turn) {
            free = 1;
        } else if (now - taken[63:52] >= TURN_ENDS_AFTER) {
            turns_done.write((bit<32>) cell, turn);
            free = 1;
        } else if (taken[51:32] == other_cell) {
            own = 1;
        } else {
            // Positive for those who wait there: a packet with this turn lets nobody wait, and waits for nobody.
            turn = done - 1;
        }
    }
}

// Finds a fresh packet's flow. It is due if its limits let it start, and its flow has none that waits. If others' packets wait in both cells, it takes
// no turn, and its order is that of the loops.
control Turn(in headers_t hdr, inout metadata_t md, in finish_times_t times, inout flow_t flow, inout bit<1> due) {
    FindFlow() find_flow;
    TurnsOf() first_turns;
    TurnsOf() second_turns;

    apply {
        bit<64> waits;
        ticks_t tick = (ticks_t) (times.now >> TICK_BITS);
        limit_waits.read(waits, (bit<32>) md.subscriber.direction_index);
        ticks_t since = tick - waits[63:32];
        if (times.most == 0 && since[31:31] == 0) {
            due = 1;
        } else {
            bit<1> own;
            bit<1> free;
            find_flow.apply(hdr, md.subscriber.direction_index, tick, flow);
            md.shape.flow = flow.cell1;
            flow.tag = flow.cell2;
            first_turns.apply(flow.cell1, flow.cell2, times.now[44:33], md.shape.turn, own, free);
            if (own == 0 && free == 0) {
                md.shape.flow = flow.cell2;
                flow.tag = flow.cell1;
                second_turns.apply(flow.cell2, flow.cell1, times.now[44:33], md.shape.turn, own, free);
            }
            flow.behind = own;
            flow.has_turn = own | free;
            if (own == 0 && times.most == 0) {
                due = 1;
            }
        }
    }
}

// Whether a fresh packet that has to wait finds room, in which case it is counted there.
control Room(inout metadata_t md, in finish_times_t times, in bit<32> buffer_bytes, inout bit<1> room) {
    apply {
        bit<32> own_half;
        bit<32> other_half;
        bit<1> half;
        md.shape.half = (times.now >> 5)[31:31];
        waiting_half.read(half, 0);
        if (half != md.shape.half) {
            waiting_half.write(0, md.shape.half);
            waiting_bytes.write((bit<32>) md.shape.half, 0);
        }
        waiting_bytes.read(own_half, (bit<32>) md.shape.half);
        waiting_bytes.read(other_half, (bit<32>) ~md.shape.half);
        bit<32> all = own_half + other_half + (bit<32>) md.frame_bytes;
        if (times.most > HORIZON || all > buffer_bytes) {
            room = 0;
        } else {
            waiting_bytes.write((bit<32>) md.shape.half, own_half + (bit<32>) md.frame_bytes);
        }
    }
}

// Only who is let in moves its limits on, and only who waits takes a turn.
control LetIn(in metadata_t md, in limits_t limits, in finish_times_t times, in flow_t flow, in bit<1> due) {
    apply {
        subscriber_finish.write((bit<32>) md.subscriber.direction_index, times.now + times.ahead + times.elapsed);
        if (limits.tree != 0) {
            tree_finish.write(times.tree_index, times.now + times.ahead_tree + times.elapsed_tree);
        }
        if (limits.port != 0) {
            port_finish.write(times.port_index, times.now + times.ahead_port + times.elapsed_port);
        }
        if (due == 0) {
            if (flow.has_turn == 1) {
                turns_taken.write((bit<32>) md.shape.flow, times.now[44:33] ++ flow.tag ++ (md.shape.turn + 1));
            }
            bit<64> waits;
            limit_waits.read(waits, (bit<32>) md.subscriber.direction_index);
            bit<64> until = times.now + times.most + LATEST_AFTER;
            limit_waits.write((bit<32>) md.subscriber.direction_index, until[46:15] ++ waits[31:0]);
        }
    }
}

// A packet that has gone round: it is due when its start has come and those before it have left. Once its start has come it waits for those in the
// front pipe, where little waits: in its own pipe, each would go a round after the one before it.
control JudgeAgain(in metadata_t md, inout bit<1> due, inout bit<1> started) {
    apply {
        bit<32> done;
        bit<32> waiting;
        bit<1> held;
        nanos_t late = (nanos_t) (md.shape.seen * 1000) - md.shape.start;
        turns_done.read(done, (bit<32>) md.shape.flow);
        pipe_holds.read(held, (bit<32>) md.shape.pipe);
        started = ~late[31:31] & ~held;
        // Negative while there are others before it; positive if others did not wait for it.
        bit<32> passed = done - md.shape.turn;
        if (late[31:31] == 0 && (held == 0 && passed[31:31] == 0 || late >= OVERDUE)) {
            due = 1;
            if (passed == 0 || passed[31:31] == 1) {
                turns_done.write((bit<32>) md.shape.flow, md.shape.turn + 1);
            }
            waiting_bytes.read(waiting, (bit<32>) md.shape.half);
            waiting_bytes.write((bit<32>) md.shape.half, waiting |-| (bit<32>) md.frame_bytes);
        }
    }
}

// The earliest start of what came round in a pipe lately, for the agent: also of what is late and goes now. A reading is begun anew after 8.2 us.
#define EARLIEST_WITHIN 0x2000

control EarliestStart(in pipe_t pipe, in nanos_t start, in nanos_t now) {
    register<bit<32>>(PIPES) earliest_start;
    register<bit<32>>(PIPES) earliest_since;

    apply {
        nanos_t earliest;
        nanos_t since;
        earliest_start.read(earliest, (bit<32>) pipe);
        earliest_since.read(since, (bit<32>) pipe);
        nanos_t later = start - earliest;
        if (now - since >= EARLIEST_WITHIN) {
            earliest_since.write((bit<32>) pipe, now);
            earliest_start.write((bit<32>) pipe, start);
        } else if (later[31:31] == 1) {
            earliest_start.write((bit<32>) pipe, start);
        }
    }
}

// The latest finish that waits, and the clock at the last limited packet, for the agent as well: it has no other clock of the switch.
control LatestFinish(in nanos_t finish, in nanos_t now) {
    register<bit<32>>(1) latest_finish;

    apply {
        nanos_t latest;
        latest_finish.read(latest, 0);
        nanos_t to_go = latest - now;
        nanos_t earlier = finish - latest;
        if (to_go[31:31] == 1 || earlier[31:31] == 0) {
            latest_finish.write(0, finish);
        }
    }
}

// Packets of a fast limit's flow that are closer together than a loop's round, in ns, wait in one pipe, whose round keeps their order. Over several,
// each would pass its turn a round after the one before it, so that the flow got a packet a round. It is the limit's, not the flow's: limits beside
// each other have different ones, and the lower bits of hashes of neighbouring addresses are often the same.
#define TOGETHER_WITHIN 0x2000

control Together(inout metadata_t md, in bit<1> fresh) {
    apply {
        bit<64> taken;
        bit<32> done;
        turns_taken.read(taken, (bit<32>) md.shape.flow);
        turns_done.read(done, (bit<32>) md.shape.flow);
        // A packet that is alone has no order to keep. One that is fresh has not taken its turn.
        bit<32> others = taken[31:0] - done - 1 + (bit<32>) fresh;
        if (md.shape.finish - md.shape.start < TOGETHER_WITHIN && others != 0) {
            md.shape.pipe = md.subscriber.direction_index[2:1];
        }
    }
}

// Sends what waits into its loop. Who was suspended meanwhile kept its place until its time came, or those behind it would have waited for it.
control LoopEntry(inout metadata_t md, inout standard_metadata_t standard_metadata) {
    apply {
        if (md.shape.waits == 1) {
            standard_metadata.egress_spec = md.egress_port;
            exit;
        }
        if (md.subscriber.refusal != DropReason_t.NONE) {
            md.drop = md.subscriber.refusal;
        }
    }
}

// In egress: sends what waits round again.
control NextRound(inout metadata_t md, in standard_metadata_t standard_metadata) {
    apply {
        if (md.shape.waits == 1) {
            md.shape.seen = standard_metadata.egress_global_timestamp;
            recirculate_preserving_field_list(SHAPE_FIELD_LIST);
            exit;
        }
    }
}

control Shape(inout headers_t hdr, inout metadata_t md, in port_t ingress_port, in bit<48> now) {
    Limits() limits_of;
    FinishTimes() finish_times;
    Turn() turn;
    CalmDown() calm_down;
    Delay() delay;
    CountWait() count_wait;
    JudgeAgain() judge_again;
    Gate() gate;
    Together() together;
    LoopPorts() loop_ports;
    Room() room_for;
    LetIn() let_in;
    Scheduler() scheduler;
    EarliestStart() earliest_start;
    LatestFinish() latest_finish;

    register<bit<32>>(1) shape_clock;

    counter(PIPES * 4, CounterType.packets_and_bytes) pipe_events;
    counter(SUBSCRIBER_DIRECTIONS, CounterType.packets_and_bytes) subscriber_overflowed;

    apply {
        limits_t limits = { 0, 0, 0, 0, 0 };
        finish_times_t times = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
        flow_t flow = { 0, 0, 0, 0, 0, 0, 0, 0 };
        bool limited = false;
        bit<1> fresh = ~md.shape.waits;
        bit<1> due = 0;
        bit<1> room = 1;
        bit<1> missed = 0;
        bit<1> first = 0;
        bit<1> started = 0;
        DropReason_t reason = DropReason_t.NONE;
        pipe_t pipe = md.shape.pipe;
        @atomic {
            if (fresh == 0) {
                limited = true;
                judge_again.apply(md, due, started);
            } else {
                limits_of.apply(md, limits, limited);
                if (limited) {
                    md.shape.port = ingress_port;
                    md.shape.policy = md.subscriber.policy;
                    finish_times.apply(md, limits, now, times);
                    turn.apply(hdr, md, times, flow, due);
                    if (times.most == 0) {
                        started = 1;
                    }
                    if (due == 1) {
                        calm_down.apply(md.subscriber.direction_index);
                    } else {
                        delay.apply(hdr, md, limits, times, flow, now, first, reason);
                    }
                    if (first == 1) {
                        due = 1;
                    } else if (reason != DropReason_t.NONE) {
                        room = 0;
                    }
                }
            }
            if (limited) {
                shape_clock.write(0, (nanos_t) (now * 1000));
                if (due == 0 && room == 1) {
                    bit<32> buffer_bytes;
                    gate.apply(md.shape.finish, md.shape.pipe, missed);
                    if (started == 1) {
                        md.shape.pipe = FRONT_PIPE;
                    }
                    together.apply(md, fresh);
                    loop_ports.apply(md.shape.pipe, md.egress_port, buffer_bytes);
                    if (fresh == 1) {
                        room_for.apply(md, times, buffer_bytes, room);
                    }
                    if (missed == 1) {
                        pipe_events.count((bit<32>) (md.shape.pipe ++ PIPE_MISSED));
                    }
                }
                scheduler.apply(md, due, room);
                if (md.shape.waits == 1) {
                    earliest_start.apply(md.shape.pipe, md.shape.start, (nanos_t) (now * 1000));
                } else if (fresh == 0) {
                    earliest_start.apply(pipe, md.shape.start, (nanos_t) (now * 1000));
                }
                if (fresh == 1 && room == 1) {
                    let_in.apply(md, limits, times, flow, due);
                    if (first == 1) {
                        times.most = 0;
                    }
                    count_wait.apply(md.subscriber.direction_index, times.most);
                }
                if (md.shape.waits == 1) {
                    pipe_events.count((bit<32>) (md.shape.pipe ++ 1w0 ++ ~fresh));
                    latest_finish.apply(md.shape.finish, (nanos_t) (now * 1000));
                } else if (room == 1) {
                    pipe_events.count((bit<32>) (pipe ++ PIPE_SENT));
                } else if (reason != DropReason_t.NONE) {
                    md.drop = reason;
                }
                if (room == 0 && reason != LIMIT_CODEL) {
                    subscriber_overflowed.count((bit<32>) md.subscriber.direction_index);
                }
            }
        }
    }
}

#endif
