package net.sluice.emulator.ports.pcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.TestDevice;
import org.junit.jupiter.api.Test;

class PcapReplayTest {
  private static final long ORIGIN = 1_700_000_000_000_000_000L;

  private final TestDevice device = new TestDevice();
  private final Simulation simulation = new Simulation(1);
  private final SwitchNode node = new SwitchNode(simulation, device);

  private static PcapReader capture(long... nanosAndBytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PcapWriter writer =
        PcapWriter.of(out, ByteOrder.LITTLE_ENDIAN, PcapResolution.NANOS, 65_535)) {
      for (int i = 0; i < nanosAndBytes.length; i += 2) {
        byte[] frame = new byte[100];
        frame[0] = (byte) nanosAndBytes[i + 1];
        writer.write(ORIGIN + nanosAndBytes[i], frame, 0, frame.length);
      }
    }
    return PcapReader.of("in.pcap", new ByteArrayInputStream(out.toByteArray()));
  }

  private static List<String> frames(ByteArrayOutputStream file) throws IOException {
    List<String> frames = new ArrayList<>();
    try (PcapReader reader =
        PcapReader.of("out.pcap", new ByteArrayInputStream(file.toByteArray()))) {
      while (reader.next()) {
        frames.add(reader.bytes()[0] + "@" + (reader.nanos() - ORIGIN));
      }
    }
    return frames;
  }

  private List<String> replay(long rateBps, PcapReader... inputs) throws IOException {
    node.addPort(1, rateBps, Long.MAX_VALUE);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    PcapReplay replay = new PcapReplay(simulation, node, ORIGIN);
    for (int i = 0; i < inputs.length; i++) {
      node.addPort(i + 2, LineClock.UNLIMITED_BPS, Long.MAX_VALUE);
      replay.addInput(i + 2, inputs[i]);
    }
    try (PcapWriter writer =
        PcapWriter.of(file, ByteOrder.LITTLE_ENDIAN, PcapResolution.NANOS, 65_535)) {
      replay.addOutput(1, writer);
      replay.run();
    }
    return frames(file);
  }

  @Test
  void timestampsOrderTheFramesOfAllPortsAndTiesGoByTheOrderOfPorts() throws IOException {
    assertThat(
            replay(
                LineClock.UNLIMITED_BPS,
                capture(10, 1, 20, 2, 20, 3, 5_000_000_000L, 4),
                capture(0, 5, 20, 6, 30, 7)))
        .containsExactly("5@0", "1@10", "2@20", "3@20", "6@20", "7@30", "4@5000000000");
  }

  @Test
  void theSwitchIsToldOfFramesBeforeTheyArriveAndOnce() throws IOException {
    long[] first = new long[2 * 50];
    for (int i = 0; i < 50; i++) {
      first[2 * i] = 10 * i;
      first[2 * i + 1] = i;
    }
    List<String> told = new ArrayList<>();
    TestDevice.TestPipeline[] pipeline = new TestDevice.TestPipeline[1];
    pipeline[0] =
        device.load(
            packet -> {
              byte number = packet.toByteArray()[0];
              told.add(number + " after " + pipeline[0].expected.contains(number));
            },
            packet -> {});
    replay(LineClock.UNLIMITED_BPS, capture(first), capture(5, 100, 15, 101));
    // The first frame of a capture is in no buffer before it arrives.
    assertThat(told).hasSize(52).contains("0 after false", "100 after false");
    assertThat(told.stream().filter(line -> line.endsWith("true"))).hasSize(50);
    assertThat(pipeline[0].expected).doesNotHaveDuplicates().hasSize(50);
  }

  @Test
  void timeNeverGoesBackWithinACaptureNorBeforeTheOrigin() throws IOException {
    assertThat(replay(LineClock.UNLIMITED_BPS, capture(-50, 1, 100, 2, 40, 3), capture(60, 4)))
        .containsExactly("1@0", "4@60", "2@100", "3@100");
  }

  @Test
  void aPortWithARateSendsWhenItsLineIsFreeAndLosesNothing() throws IOException {
    // 100 bytes at 8 Mbit/s take 100 us.
    assertThat(replay(8_000_000, capture(0, 1, 0, 2, 1_000, 3)))
        .containsExactly("1@100000", "2@200000", "3@300000");
  }

  @Test
  void aCaptureThatBreaksOffOrCannotBeWrittenIsTold() throws IOException {
    node.addPort(1, LineClock.UNLIMITED_BPS, Long.MAX_VALUE);
    PcapReplay replay = new PcapReplay(simulation, node, ORIGIN);
    replay.addInput(1, capture(0, 1));
    OutputStream full =
        new OutputStream() {
          private int room = PcapReader.FILE_HEADER_BYTES;

          @Override
          public void write(int b) throws IOException {
            if (room-- == 0) {
              throw new IOException("disk full");
            }
          }
        };
    replay.addOutput(1, PcapWriter.of(full, ByteOrder.LITTLE_ENDIAN, PcapResolution.NANOS, 65_535));
    assertThatThrownBy(replay::run).isInstanceOf(IOException.class).hasMessage("disk full");
  }
}
