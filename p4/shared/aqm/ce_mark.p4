// Congestion Experienced (RFC 3168): what a queue that grows does to packets of senders that understand it, in place of dropping them.

#ifndef SLUICE_CE_MARK_P4
#define SLUICE_CE_MARK_P4

#include "../forwarding/options_checksum.p4"

// Marks a packet of a sender that understands ECN instead of dropping it.
control CeMark(inout headers_t hdr, inout metadata_t md) {
    OptionsChecksum() options_checksum;

    apply {
        if (hdr.ipv4.isValid()) {
            md.ttl = hdr.ipv4.ttl;
            md.ecn = hdr.ipv4.ecn;
            hdr.ipv4.ecn = ECN_CE;
            if (hdr.ipv4.ihl != 5 || md.wire.on == 1) {
                options_checksum.apply(hdr, md);
            }
        } else if (hdr.ipv6.isValid()) {
            hdr.ipv6.ecn = ECN_CE;
        }
    }
}

#endif
