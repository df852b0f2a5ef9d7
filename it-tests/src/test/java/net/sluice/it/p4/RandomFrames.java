package net.sluice.it.p4;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Random;

/**
 * Frames as networks have them and as nobody should send them, from a seed: the first kind with
 * addresses, tags and fields drawn from what the switch knows and what it does not, the second kind
 * damaged copies of the first.
 */
final class RandomFrames {
  private static final List<String> ADDRESSES_4 =
      List.of(
          "10.0.0.1",
          "10.0.0.2",
          "10.0.1.7",
          "10.0.2.1",
          "10.1.2.3",
          "198.51.100.1",
          "8.8.8.8",
          "0.0.0.0",
          "255.255.255.255");
  private static final List<String> ADDRESSES_6 =
      List.of(
          "2001:db8:1::1",
          "2001:db8:1:ff::1",
          "2001:db8:2::8000:0:0:1",
          "2001:db8:2::1",
          "2001:db8:ffff::1",
          "2001:4860::8888",
          "::1",
          "ff02::1");
  private static final int[] TYPES = {0x0800, 0x86dd, 0x8100, 0x88a8, 0x88b5, 0x0806, 0x0600, 0};
  private static final int[] VLAN_IDS = {100, 7, 200, 0, 4095, 1};
  private static final int[] PORTS = {
    PipelineContract.LINE_A,
    PipelineContract.LINE_B,
    PipelineContract.CORE,
    PipelineContract.TRUNK,
    PipelineContract.FPGA_DOWN,
    PipelineContract.FPGA_UP
  };

  /** Headers end here at the latest: what is damaged behind it is payload. */
  private static final int INTERESTING_BYTES = 96;

  private final Random random;

  RandomFrames(long seed) {
    this.random = new Random(seed);
  }

  /** The next frame, at the port it comes in on. */
  PortFrame next() {
    ByteString bytes = valid().bytes();
    while (random.nextInt(100) < 35) {
      bytes = damaged(bytes);
    }
    int port = chance(3) ? PipelineContract.STRANGER : PORTS[random.nextInt(PORTS.length)];
    return new PortFrame(port, bytes);
  }

  private TestFrame valid() {
    boolean v6 = chance(40);
    List<String> addresses = v6 ? ADDRESSES_6 : ADDRESSES_4;
    TestFrame frame =
        TestFrame.from(pick(addresses), pick(addresses))
            .ecn(random.nextInt(4))
            .ttl(chance(80) ? 64 : random.nextInt(256))
            .macs(random.nextLong() >>> 16, random.nextLong() >>> 16);
    if (chance(20)) {
      frame = frame.packetValue(random.nextInt(0x10000));
    }
    int outerType = chance(50) ? TestFrame.S_TAG : TestFrame.C_TAG;
    if (chance(20)) {
      frame = frame.tag(outerType, tag());
    } else if (chance(30)) {
      frame = frame.tags(outerType, tag(), tag());
    }
    if (!v6 && chance(25)) {
      byte[] options = new byte[4 * (1 + random.nextInt(10))];
      random.nextBytes(options);
      frame = frame.options(options);
    }
    if (chance(5)) {
      frame = frame.checksumError(1 + random.nextInt(0xffff));
    }
    return payload(frame);
  }

  private TestFrame payload(TestFrame frame) {
    int length = chance(10) ? random.nextInt(1400) : random.nextInt(64);
    int kind = random.nextInt(3);
    if (kind == 0) {
      return frame.protocol(17).payload(TestFrame.udp(53, 53, length));
    }
    if (kind == 1) {
      return frame.protocol(6).payload(TestFrame.tcp(443, 40_000, length));
    }
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return frame.protocol(random.nextInt(256)).payload(bytes);
  }

  private ByteString damaged(ByteString frame) {
    byte[] bytes = frame.toByteArray();
    int end = Math.min(bytes.length, INTERESTING_BYTES);
    int at = random.nextInt(end);
    return switch (random.nextInt(6)) {
      case 0 -> {
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        yield ByteString.copyFrom(bytes);
      }
      case 1 -> {
        bytes[at] = (byte) random.nextInt(256);
        yield ByteString.copyFrom(bytes);
      }
      // Cut, but a frame has at least one byte.
      case 2 -> frame.substring(0, Math.max(1, at));
      case 3 ->
          frame.substring(0, at).concat(noise(1 + random.nextInt(8))).concat(frame.substring(at));
      case 4 -> {
        int skipped = Math.min(bytes.length - 1 - at, 1 + random.nextInt(8));
        yield frame.substring(0, Math.max(1, at)).concat(frame.substring(at + skipped));
      }
      default -> {
        // An EtherType where one may be.
        int where = Math.min(12 + 4 * random.nextInt(4), bytes.length - 1);
        int type = TYPES[random.nextInt(TYPES.length)];
        bytes[where] = (byte) (type >> 8);
        bytes[Math.min(where + 1, bytes.length - 1)] = (byte) type;
        yield ByteString.copyFrom(bytes);
      }
    };
  }

  private ByteString noise(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return ByteString.copyFrom(bytes);
  }

  private int tag() {
    return random.nextInt(16) << 12 | VLAN_IDS[random.nextInt(VLAN_IDS.length)];
  }

  private String pick(List<String> addresses) {
    return addresses.get(random.nextInt(addresses.size()));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
