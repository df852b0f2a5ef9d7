// RIO (Clark and Fang 1998) in v1model: RED with thresholds of its own for packets within their contract (IN) and without (OUT), before the
// queue. An IN packet is judged by the averaged number of IN packets that wait, an OUT packet by that of all. Ingress counts what goes to the
// queue and egress what leaves it; a queue that empties begins anew, so that nothing that was lost on the way stays counted.

#ifndef SLUICE_RIO_P4
#define SLUICE_RIO_P4

register<bit<32>>(MANAGED_QUEUES) rio_waiting;
register<bit<32>>(MANAGED_QUEUES) rio_waiting_in;
register<bit<48>>(MANAGED_QUEUES) rio_empty_since;

// The drop probability and its two further states of one of the two classes; RED's count spreads drops evenly.
control RedVerdict(in managed_queue_t queue, in bit<32> average, in bit<32> least, in bit<32> most, in bit<24> slope, out bit<1> drop) {
    register<bit<16>>(MANAGED_QUEUES) passed;

    apply {
        bit<16> count;
        bit<24> rnd;
        drop = 0;
        passed.read(count, (bit<32>) queue);
        random<bit<24>>(rnd, 0, 0xffffff);
        if (average < least) {
            count = 0;
        } else if (average >= most) {
            drop = 1;
            count = 0;
        } else {
            bit<64> probability = ((bit<64>) (average - least) * (bit<64>) slope) >> 16;
            // p / (1 - count p) is above a random fraction u if p (1 + count u) is.
            if (probability * (16777216 + (bit<64>) count[7:0] * (bit<64>) rnd) > ((bit<64>) rnd << 24)) {
                drop = 1;
                count = 0;
            } else if (count < 255) {
                count = count + 1;
            }
        }
        passed.write((bit<32>) queue, count);
    }
}

// 2^-weight of what waits is averaged in with each packet; a queue that was empty loses half of the average every 2^idle_shift us.
control RedAverage(in managed_queue_t queue, in bit<32> waiting, in bit<8> weight_shift, in bit<8> idle_shift, in bit<48> idle,
                   out bit<32> average) {
    register<bit<32>>(MANAGED_QUEUES) average_waiting;

    apply {
        average_waiting.read(average, (bit<32>) queue);
        bit<48> halvings = idle >> idle_shift;
        if (halvings > 31) {
            average = 0;
        } else {
            average = average >> halvings[7:0];
        }
        average = average - (average >> weight_shift) + ((waiting << 16) >> weight_shift);
        average_waiting.write((bit<32>) queue, average);
    }
}

control Rio(in headers_t hdr, inout metadata_t md, inout standard_metadata_t standard_metadata, in bit<48> now) {
    RedAverage() average_all;
    RedAverage() average_in;
    RedVerdict() verdict_out;
    RedVerdict() verdict_in;

    counter(MANAGED_QUEUES * 4, CounterType.packets_and_bytes) rio_events;

    bit<32> in_least = 0;
    bit<32> in_most = 0;
    bit<24> in_slope = 0;

    action rio(bit<6> dscp_in, bit<16> limit, bit<8> weight_shift, bit<8> idle_shift, bit<32> least_in, bit<32> most_in, bit<24> slope_in,
               bit<32> least_out, bit<32> most_out, bit<24> slope_out) {
        md.rio.managed = 1;
        md.rio.dscp_in = dscp_in;
        md.rio.limit = limit;
        md.rio.weight_shift = weight_shift;
        md.rio.idle_shift = idle_shift;
        md.rio.least = least_out;
        md.rio.most = most_out;
        md.rio.slope = slope_out;
        in_least = least_in;
        in_most = most_in;
        in_slope = slope_in;
    }

    table QueueRio {
        key = {
            md.egress_port : exact @name("egress_port");
            standard_metadata.priority : exact @name("queue");
        }
        actions = { rio; @defaultonly NoAction; }
        const default_action = NoAction();
        size = MANAGED_QUEUES;
    }

    apply {
        if (QueueRio.apply().hit) {
            managed_queue_t queue = md.egress_port ++ standard_metadata.priority;
            bit<32> waiting;
            bit<32> waiting_in;
            bit<32> average;
            bit<48> since;
            bit<48> idle = 0;
            bit<6> dscp = hdr.ipv6.dscp;
            if (hdr.ipv4.isValid()) {
                dscp = hdr.ipv4.dscp;
            }
            if (dscp == md.rio.dscp_in) {
                md.rio.in_profile = 1;
            }
            rio_waiting.read(waiting, (bit<32>) queue);
            rio_waiting_in.read(waiting_in, (bit<32>) queue);
            rio_empty_since.read(since, (bit<32>) queue);
            if (waiting == 0) {
                idle = now - since;
            }
            average_all.apply(queue, waiting, md.rio.weight_shift, md.rio.idle_shift, idle, average);
            if (md.rio.in_profile == 1) {
                average_in.apply(queue, waiting_in, md.rio.weight_shift, md.rio.idle_shift, idle, average);
                verdict_in.apply(queue, average, in_least, in_most, in_slope, md.rio.drop);
            } else {
                verdict_out.apply(queue, average, md.rio.least, md.rio.most, md.rio.slope, md.rio.drop);
            }
            if (waiting >= (bit<32>) md.rio.limit) {
                md.rio.drop = 1;
            }
            rio_events.count((bit<32>) (queue ++ md.rio.in_profile ++ md.rio.drop));
            if (md.rio.drop == 1) {
                mark_to_drop(standard_metadata);
                exit;
            }
            rio_waiting.write((bit<32>) queue, waiting + 1);
            rio_waiting_in.write((bit<32>) queue, waiting_in + (bit<32>) md.rio.in_profile);
        }
    }
}

// In egress: a packet has left the queue.
control RioDeparture(in metadata_t md, in standard_metadata_t standard_metadata) {
    apply {
        if (md.rio.managed == 1) {
            managed_queue_t queue = md.egress_port ++ standard_metadata.priority;
            bit<32> waiting;
            bit<32> waiting_in;
            rio_waiting.read(waiting, (bit<32>) queue);
            rio_waiting_in.read(waiting_in, (bit<32>) queue);
            waiting = waiting |-| 1;
            waiting_in = waiting_in |-| (bit<32>) md.rio.in_profile;
            if (standard_metadata.deq_qdepth == 0) {
                waiting = 0;
                waiting_in = 0;
            }
            rio_waiting.write((bit<32>) queue, waiting);
            rio_waiting_in.write((bit<32>) queue, waiting_in);
            rio_empty_since.write((bit<32>) queue, standard_metadata.egress_global_timestamp);
        }
    }
}

#endif
