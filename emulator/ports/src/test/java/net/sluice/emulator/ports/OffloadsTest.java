package net.sluice.emulator.ports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Each segment is checked field by field against a packet written down independently. */
class OffloadsTest {
  private static final int TCP = 6;
  private static final int UDP = 17;

  /** A packet as it comes without offloads: everything computed over the whole, the slow way. */
  private static byte[] packet(
      int tags, boolean v6, boolean tcp, int id, int seq, int flags, byte[] payload) {
    int l4 = (tcp ? 20 + 12 : 8) + payload.length;
    ByteBuffer out = ByteBuffer.allocate(12 + 4 * tags + 2 + (v6 ? 40 : 24) + l4);
    out.put(new byte[] {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2});
    for (int i = 0; i < tags; i++) {
      out.putShort((short) (i == 0 && tags == 2 ? 0x88a8 : 0x8100)).putShort((short) (100 + i));
    }
    out.putShort((short) (v6 ? 0x86dd : 0x0800));
    ByteBuffer pseudo = ByteBuffer.allocate(40 + l4);
    if (v6) {
      byte[] addresses = new byte[32];
      Arrays.fill(addresses, (byte) 0x2e);
      out.putInt(0x60000000).putShort((short) l4).put((byte) (tcp ? TCP : UDP)).put((byte) 64);
      out.put(addresses);
      pseudo.put(addresses).putInt(l4).putInt(tcp ? TCP : UDP);
    } else {
      int start = out.position();
      out.putShort((short) 0x4600).putShort((short) (24 + l4)).putShort((short) id);
      out.putShort((short) 0x4000).put((byte) 64).put((byte) (tcp ? TCP : UDP)).putShort((short) 0);
      out.putInt(0x0a000001).putInt(0x0a0000fe).putInt(0x01010101);
      out.putShort(start + 10, (short) ~sum(Arrays.copyOfRange(out.array(), start, start + 24)));
      pseudo.putInt(0x0a000001).putInt(0x0a0000fe).putShort((short) (tcp ? TCP : UDP));
      pseudo.putShort((short) l4);
    }
    int transport = out.position();
    out.putShort((short) 4000).putShort((short) 5000);
    if (tcp) {
      out.putInt(seq).putInt(77).put((byte) 0x80).put((byte) flags).putShort((short) 500);
      out.putInt(0).put(new byte[] {1, 1, 8, 10, 0, 0, 0, 9, 0, 0, 0, 8});
    } else {
      out.putShort((short) l4).putShort((short) 0);
    }
    out.put(payload);
    pseudo.put(out.array(), transport, l4);
    int checksum = ~sum(Arrays.copyOf(pseudo.array(), pseudo.position())) & 0xffff;
    out.putShort(transport + (tcp ? 16 : 6), (short) (checksum == 0 ? 0xffff : checksum));
    return out.array();
  }

  /** RFC 1071 by the modulus: the folded sum is the sum modulo 65535, and 0 only of nothing. */
  private static int sum(byte[] bytes) {
    long sum = 0;
    for (int i = 0; i < bytes.length; i++) {
      sum += (bytes[i] & 0xffL) << (i % 2 == 0 ? 8 : 0);
    }
    return (int) (sum % 0xffff == 0 && sum != 0 ? 0xffff : sum % 0xffff);
  }

  private static int transport(int tags, boolean v6) {
    return 14 + 4 * tags + (v6 ? 40 : 24);
  }

  private static List<byte[]> segments(
      byte[] frame, boolean tcp, int segmentBytes, int transport, int expectedCount) {
    List<byte[]> segments = new ArrayList<>();
    int count =
        new Offloads()
            .segment(
                frame,
                frame.length,
                tcp,
                segmentBytes,
                transport,
                (bytes, offset, length, tag, now) -> {
                  assertThat(now).isEqualTo(42);
                  segments.add(Arrays.copyOfRange(bytes, offset, offset + length));
                },
                42);
    assertThat(count).isEqualTo(expectedCount).isEqualTo(segments.size());
    return segments;
  }

  @Property(tries = 400, seed = "1")
  void everySegmentIsACompletePacket(
      @ForAll @IntRange(min = 0, max = 2) int tags,
      @ForAll boolean v6,
      @ForAll boolean tcp,
      @ForAll @IntRange(min = 1, max = 255) int flags,
      @ForAll @IntRange(min = 0, max = 0xffff) int id,
      @ForAll int seq,
      @ForAll @IntRange(min = 1, max = 1_448) int segmentBytes,
      @ForAll @IntRange(min = 1, max = 6_000) int payloadBytes,
      @ForAll long seed) {
    byte[] payload = new byte[payloadBytes];
    new Random(seed).nextBytes(payload);
    byte[] large = packet(tags, v6, tcp, id, seq, flags, payload);
    List<byte[]> expected = new ArrayList<>();
    for (int from = 0, i = 0; from < payload.length; from += segmentBytes, i++) {
      int to = Math.min(payload.length, from + segmentBytes);
      int segmentFlags = flags & (to == payload.length ? 0xff : 0xf6) & (i == 0 ? 0xff : 0x7f);
      byte[] part = Arrays.copyOfRange(payload, from, to);
      expected.add(packet(tags, v6, tcp, id + i, seq + from, segmentFlags, part));
    }
    List<byte[]> actual = segments(large, tcp, segmentBytes, transport(tags, v6), expected.size());
    for (int i = 0; i < expected.size(); i++) {
      assertThat(actual.get(i)).as("segment %d", i).isEqualTo(expected.get(i));
    }
  }

  @Property(tries = 400, seed = "1")
  void aPartialChecksumBecomesTheWholeOne(
      @ForAll boolean v6, @ForAll boolean tcp, @ForAll byte[] payload) {
    byte[] expected = packet(1, v6, tcp, 1, 2, 3, payload);
    int start = transport(1, v6);
    int field = tcp ? 16 : 6;
    // The sender has written the sum of the pseudo header.
    ByteArrayOutputStream pseudo = new ByteArrayOutputStream();
    pseudo.write(expected, v6 ? 18 + 8 : 18 + 12, v6 ? 32 : 8);
    int l4 = expected.length - start;
    pseudo.writeBytes(new byte[] {0, (byte) (tcp ? TCP : UDP), (byte) (l4 >> 8), (byte) l4});
    byte[] frame = expected.clone();
    ByteBuffer.wrap(frame).putShort(start + field, (short) sum(pseudo.toByteArray()));
    assertThat(Offloads.completeChecksum(frame, frame.length, start, field)).isTrue();
    assertThat(frame).isEqualTo(expected);
  }

  @Test
  void whatCannotBeFinishedIsRefusedUntouched() {
    byte[] frame = packet(0, false, true, 1, 2, 3, new byte[3_000]);
    byte[] before = frame.clone();
    assertThat(Offloads.completeChecksum(frame, 40, 34, 5)).isFalse();
    segments(frame, true, 0, 38, 0);
    segments(frame, true, 1_000, 30, 0);
    segments(frame, true, 1_000, frame.length - 10, 0);
    segments(Arrays.copyOf(frame, 13), true, 1_000, 38, 0);
    byte[] arp = frame.clone();
    arp[13] = 6;
    segments(arp, true, 1_000, 38, 0);
    byte[] shortHeader = frame.clone();
    shortHeader[38 + 12] = 0x40;
    segments(shortHeader, true, 1_000, 38, 0);
    assertThat(frame).isEqualTo(before);
  }
}
