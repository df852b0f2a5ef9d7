// The header checksum of an IPv4 packet with options, which stay unparsed in the payload: updated for the two fields that a switch
// changes, as RFC 1624 (equation 3) does it.

#ifndef SLUICE_OPTIONS_CHECKSUM_P4
#define SLUICE_OPTIONS_CHECKSUM_P4

control OptionsChecksum(inout headers_t hdr, in metadata_t md) {
    apply {
        bit<16> old_ttl_word = md.ttl ++ hdr.ipv4.protocol;
        bit<16> new_ttl_word = hdr.ipv4.ttl ++ hdr.ipv4.protocol;
        // The upper byte of the first word is the same before and after, so it cancels out.
        bit<16> old_ecn_word = 14w0 ++ md.ecn;
        bit<16> new_ecn_word = 14w0 ++ hdr.ipv4.ecn;
        bit<32> sum = (bit<32>) (~hdr.ipv4.hdr_checksum);
        sum = sum + (bit<32>) (~old_ttl_word);
        sum = sum + (bit<32>) new_ttl_word;
        sum = sum + (bit<32>) (~old_ecn_word);
        sum = sum + (bit<32>) new_ecn_word;
        sum = (sum & 0xffff) + (sum >> 16);
        sum = (sum & 0xffff) + (sum >> 16);
        hdr.ipv4.hdr_checksum = ~sum[15:0];
    }
}

#endif
