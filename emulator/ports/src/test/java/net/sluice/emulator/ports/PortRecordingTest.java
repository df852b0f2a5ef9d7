package net.sluice.emulator.ports;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.ports.pcap.PcapReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Captures of what passes a port of a running switch. */
class PortRecordingTest {
  @TempDir private Path folder;

  private static byte[] frame(int bytes) {
    byte[] frame = new byte[bytes];
    frame[0] = 2;
    frame[6] = 2;
    frame[12] = (byte) 0x88;
    frame[13] = (byte) 0xb5;
    frame[bytes - 1] = (byte) bytes;
    return frame;
  }

  private List<byte[]> recorded(String name) throws Exception {
    List<byte[]> frames = new ArrayList<>();
    try (PcapReader reader = PcapReader.open(folder.resolve(name))) {
      while (reader.next()) {
        Instant stamp = Instant.EPOCH.plusNanos(reader.nanos());
        assertThat(stamp).isBetween(Instant.now().minus(Duration.ofHours(1)), Instant.now());
        frames.add(Arrays.copyOfRange(reader.bytes(), 0, reader.length()));
      }
    }
    return frames;
  }

  @Test
  void eachDirectionHasAFileThatHoldsFramesAtOnce() throws Exception {
    try (LinuxNetwork network = LinuxNetwork.open()) {
      String[] one = network.veth("1", 1_500);
      String[] two = network.veth("2", 1_500);
      try (CableEnd first = new CableEnd(one[0]);
          CableEnd second = new CableEnd(two[0]);
          PortRecording recording = PortRecording.create(folder, two[1]);
          RunningSwitch running =
              RunningSwitch.of(
                  PacketSocketPort.open(one[1]),
                  PacketSocketPort.open(two[1]),
                  LineClock.UNLIMITED_BPS,
                  Long.MAX_VALUE,
                  0,
                  recording)) {
        first.send(List.of(frame(60), frame(1_000)));
        second.receive(2);
        second.send(List.of(frame(77)));
        first.receive(1);
        assertThat(running.ingress()).hasSize(3);
        // Nothing has been closed yet.
        assertThat(recorded(two[1] + "_out.pcap")).containsExactly(frame(60), frame(1_000));
        assertThat(recorded(two[1] + "_in.pcap")).containsExactly(frame(77));
      }
    }
  }

  @Test
  void aRecordingThatEndsDoesNotEndTheSwitch() throws Exception {
    List<Integer> passed = new ArrayList<>();
    PortRecording recording = PortRecording.create(folder, "v");
    var receiver = recording.incoming((bytes, offset, length, tag, now) -> passed.add(length));
    receiver.receive(frame(60), 0, 60, 0, 0);
    recording.close();
    receiver.receive(frame(61), 0, 61, 0, 0);
    assertThat(passed).containsExactly(60, 61);
    assertThat(recorded("v_in.pcap")).containsExactly(frame(60));
  }
}
