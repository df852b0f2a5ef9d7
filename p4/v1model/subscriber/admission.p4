// Whether the switch takes a packet at all, and whether the FPGA still has to hold it back.

#ifndef SLUICE_ADMISSION_P4
#define SLUICE_ADMISSION_P4

// In place of a policy, for a subscriber whose traffic is stopped; and the reason for that, beside those of all programs.
const policy_slot_t STOPPED = 255;
const DropReason_t SUSPENDED = (DropReason_t) 4w10;

control Admission(inout metadata_t md, in bit<1> checksum_error) {
    counter(SUBSCRIBER_DIRECTIONS, CounterType.packets_and_bytes) subscriber_in;

    apply {
        // What comes from the FPGA has been held back. A packet that waits in a loop goes on as it began, though its limit may be the FPGA's by now.
        if (md.subscriber.role == PortRole_t.SIDECAR || md.shape.waits == 1) {
            md.fpga.shape = 0;
        }
        if (md.subscriber.refusal == DropReason_t.NONE && md.subscriber.policy == STOPPED) {
            md.subscriber.refusal = SUSPENDED;
        }
        if (md.subscriber.known_port == 0) {
            md.drop = DropReason_t.UNKNOWN_PORT;
        } else if (md.wire.on == 0 && md.wire.unread == 0 && checksum_error == 1) {
            md.drop = DropReason_t.BAD_CHECKSUM;
        } else if (md.wire.on == 0 && md.has_ip == 0) {
            md.drop = DropReason_t.NOT_IP;
        } else if (md.shape.waits == 0) {
            md.drop = md.subscriber.refusal;
        }
        if (md.drop == DropReason_t.NONE && md.subscriber.role != PortRole_t.SIDECAR && md.shape.waits == 0) {
            subscriber_in.count((bit<32>) md.subscriber.direction_index);
        }
    }
}

#endif
