package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.sluice.emulator.netsim.Prng;
import org.junit.jupiter.api.Test;

class TcpSegmentTest {

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  @Test
  void aSynWithAllOptionsIsTheseBytes() {
    TcpSegment segment = new TcpSegment();
    segment.clear();
    segment.sourcePort = 0xc000;
    segment.destinationPort = 80;
    segment.sequence = 0x01020304;
    segment.flags = TcpSegment.SYN | TcpSegment.ECE | TcpSegment.CWR;
    segment.window = 0xffff;
    segment.mss = 1_460;
    segment.sackPermitted = true;
    segment.hasTimestamps = true;
    segment.timestamp = 0x0a0b0c0d;
    segment.windowScale = 7;
    byte[] bytes = new byte[50];
    assertThat(segment.write(bytes, 2)).isEqualTo(44);
    assertThat(Arrays.copyOfRange(bytes, 2, 46))
        .isEqualTo(
            hex(
                "c0000050 01020304 00000000 b0c2ffff 00000000"
                    + "020405b4 01010402 0101080a 0a0b0c0d 00000000 01030307"));
  }

  @Test
  void anAcknowledgementWithSackIsTheseBytes() {
    TcpSegment segment = new TcpSegment();
    segment.clear();
    segment.sourcePort = 80;
    segment.destinationPort = 0xc000;
    segment.flags = TcpSegment.ACK;
    segment.acknowledgement = 9;
    segment.sackBlocks = 2;
    segment.sackLeft[0] = 20;
    segment.sackRight[0] = 30;
    segment.sackLeft[1] = -1;
    segment.sackRight[1] = 5;
    byte[] bytes = new byte[60];
    int length = segment.write(bytes, 0);
    assertThat(Arrays.copyOf(bytes, length))
        .isEqualTo(
            hex(
                "0050c000 00000000 00000009 a0100000 00000000"
                    + "01010512 00000014 0000001e ffffffff 00000005"));
  }

  @Property(tries = 300, seed = "1")
  void whatIsWrittenIsRead(
      @ForAll long seed,
      @ForAll @IntRange(max = 4) int blocks,
      @ForAll boolean timestamps,
      @ForAll boolean syn,
      @ForAll @IntRange(max = 100) int data) {
    Prng random = new Prng(seed);
    TcpSegment segment = new TcpSegment();
    segment.clear();
    segment.sourcePort = (int) random.nextLong(65_536);
    segment.destinationPort = (int) random.nextLong(65_536);
    segment.sequence = (int) random.nextLong();
    segment.acknowledgement = (int) random.nextLong();
    segment.flags = (int) random.nextLong(256);
    segment.window = (int) random.nextLong(65_536);
    segment.hasTimestamps = timestamps;
    if (timestamps) {
      segment.timestamp = (int) random.nextLong();
      segment.timestampEcho = (int) random.nextLong();
    }
    if (syn) {
      segment.mss = 1 + (int) random.nextLong(65_535);
      segment.windowScale = (int) random.nextLong(15);
      segment.sackPermitted = true;
    } else {
      segment.sackBlocks = timestamps ? Math.min(3, blocks) : blocks;
      for (int i = 0; i < segment.sackBlocks; i++) {
        segment.sackLeft[i] = (int) random.nextLong();
        segment.sackRight[i] = (int) random.nextLong();
      }
    }
    byte[] bytes = new byte[200];
    int header = segment.write(bytes, 10);
    assertThat(header).isEqualTo(segment.headerBytes()).isLessThanOrEqualTo(60);
    TcpSegment read = new TcpSegment();
    assertThat(read.parse(bytes, 10, header + data)).isTrue();
    byte[] again = new byte[200];
    assertThat(read.write(again, 10)).isEqualTo(header);
    assertThat(again).isEqualTo(bytes);
    assertThat(read.sourcePort).isEqualTo(segment.sourcePort);
    assertThat(read.window).isEqualTo(segment.window);
    assertThat(read.timestampEcho).isEqualTo(segment.timestampEcho);
    assertThat(read.sackBlocks).isEqualTo(segment.sackBlocks);
    assertThat(read.windowScale).isEqualTo(segment.windowScale);
    assertThat(read.dataOffset).isEqualTo(10 + header);
    assertThat(read.dataLength).isEqualTo(data);
    assertThat(read.sequenceLength())
        .isEqualTo(data + Integer.bitCount(read.flags & (TcpSegment.SYN | TcpSegment.FIN)));
  }

  /** Whatever comes in, parsing stays within its bytes and says yes or no. */
  @Property(tries = 500, seed = "1")
  void rubbishIsNoTrouble(@ForAll @Size(max = 80) byte[] bytes, @ForAll boolean plausible) {
    byte[] exact = bytes.clone();
    if (plausible && exact.length > 20) {
      exact[12] = (byte) (Math.min(15, exact.length / 4) << 4);
    }
    TcpSegment segment = new TcpSegment();
    if (segment.parse(exact, 0, exact.length)) {
      assertThat(segment.dataOffset).isBetween(20, exact.length);
      assertThat(segment.dataOffset + segment.dataLength).isEqualTo(exact.length);
      assertThat(segment.sackBlocks).isBetween(0, 4);
      assertThat(segment.windowScale).isBetween(-1, 14);
    }
  }

  private static boolean parses(String options) {
    byte[] option = hex(options);
    byte[] bytes = new byte[20 + option.length];
    bytes[12] = (byte) ((bytes.length / 4) << 4);
    System.arraycopy(option, 0, bytes, 20, option.length);
    return new TcpSegment().parse(bytes, 0, bytes.length);
  }

  @Test
  void refusesImpossibleOptions() {
    assertThat(parses("020405b4")).isTrue();
    assertThat(parses("fd04beef")).as("unknown").isTrue();
    assertThat(parses("00ffffff")).as("after the end").isTrue();
    assertThat(parses("01010101")).isTrue();
    assertThat(parses("02030501")).as("MSS of three bytes").isFalse();
    assertThat(parses("02040000")).as("MSS 0").isFalse();
    assertThat(parses("fd00beef")).as("length 0").isFalse();
    assertThat(parses("fd01beef")).as("length 1").isFalse();
    assertThat(parses("fd05beef")).as("longer than the header").isFalse();
    assertThat(parses("010101fd")).as("no length").isFalse();
    assertThat(parses("03040707")).as("scale of four bytes").isFalse();
    assertThat(parses("01040301")).as("SACK permitted of three bytes").isFalse();
    assertThat(parses("0809" + "00".repeat(7) + "010101")).as("timestamps of nine").isFalse();
    assertThat(parses("050b" + "00".repeat(9) + "01")).as("SACK of eleven").isFalse();
    assertThat(parses("0502" + "0101")).as("SACK without blocks").isTrue();
    byte[] shortOne = new byte[20];
    shortOne[12] = 0x50;
    assertThat(new TcpSegment().parse(shortOne, 0, 20)).isTrue();
    assertThat(new TcpSegment().parse(shortOne, 0, 19)).isFalse();
    shortOne[12] = 0x40;
    assertThat(new TcpSegment().parse(shortOne, 0, 20)).isFalse();
    shortOne[12] = 0x60;
    assertThat(new TcpSegment().parse(shortOne, 0, 20)).isFalse();
  }

  @Test
  void anOverlongWindowScaleCountsAsFourteen() {
    byte[] bytes = new byte[24];
    bytes[12] = 0x60;
    System.arraycopy(hex("030320 01"), 0, bytes, 20, 4);
    TcpSegment segment = new TcpSegment();
    assertThat(segment.parse(bytes, 0, 24)).isTrue();
    assertThat(segment.windowScale).isEqualTo(14);
  }
}
