package net.sluice.emulator.ports;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An FPGA on a real interface: what a switch sends it, and what comes back. */
@Tag("long")
class RealTimeFpgaTest {
  private static final int LARGEST_WORD = (1 << 18) - 1;
  private static final int CUSTOMER = 1;
  private static final int TREE = 2;
  private static final int PORT = 3;

  private LinuxNetwork network;

  @BeforeEach
  void open() throws Exception {
    network = LinuxNetwork.open();
  }

  @AfterEach
  void close() throws Exception {
    if (network != null) {
      network.close();
    }
  }

  private static byte[] frame(int bytes, long seed) {
    byte[] frame = new byte[bytes];
    new Random(seed).nextBytes(frame);
    return frame;
  }

  private static byte[] queued(int queueId, byte[] frame) {
    return ByteBuffer.allocate(4 + frame.length).putInt(queueId).put(frame).array();
  }

  private static int queueId(int customer) {
    return customer << 3;
  }

  private static void rate(FpgaModel fpga, int level, int index, int word) {
    fpga.writeRegister(1 << 24 | level << 21 | index << 2, word);
  }

  @Test
  void itHandsFramesBackAtTheirCustomersRateAndObeysRegistersAtOnce() throws Exception {
    String[] line = network.veth("1", 2_000);
    try (CableEnd host = new CableEnd(line[0]);
        RealTimeFpga real = new RealTimeFpga()) {
      FpgaModel fpga =
          real.add(
              PacketSocketPort.open(line[1]),
              FpgaModel.DEFAULT_CLOCK_HZ,
              FpgaModel.DEFAULT_LINE_BPS);
      // After power-on a queue of class 0 takes next to nothing.
      fpga.writeRegister(0, 1 << 18);
      rate(fpga, PORT, 0, LARGEST_WORD);
      rate(fpga, TREE, 0, LARGEST_WORD);
      // Customer 0 is not limited, customer 1 has one step, 1.0016 Mbit/s, customer 2 is closed.
      rate(fpga, CUSTOMER, 0, LARGEST_WORD);
      rate(fpga, CUSTOMER, 1, 1);
      rate(fpga, CUSTOMER, 2, 0);
      FutureTask<Void> running =
          LinuxNetwork.start(
              () -> {
                real.run();
                return null;
              });
      List<byte[]> frames = IntStream.range(0, 20).mapToObj(i -> frame(1_000, i)).toList();
      long sent = System.nanoTime();
      host.send(frames.stream().map(frame -> queued(queueId(0), frame)).toList());
      assertThat(host.receive(20)).containsExactlyElementsOf(frames);
      host.send(frames.stream().map(frame -> queued(queueId(1), frame)).toList());
      assertThat(host.receive(20)).containsExactlyElementsOf(frames);
      // 20,000 bytes of which the bucket, 2,000 bytes when full, has some for nothing.
      assertThat(System.nanoTime() - sent).isGreaterThan((long) (18_000 * 8 / 1.0017e6 * 1e9));

      host.send(List.of(queued(queueId(2), frames.get(0))));
      host.send(List.of(queued(queueId(0), frames.get(1))));
      assertThat(host.receive(1)).containsExactly(frames.get(1));
      assertThat(fpga.waitingPackets(queueId(2))).isEqualTo(1);
      rate(fpga, CUSTOMER, 2, LARGEST_WORD);
      assertThat(host.receive(1)).containsExactly(frames.get(0));

      host.send(List.of(queued(1 << 18, frames.get(0))));
      host.send(List.of(queued(queueId(0), frames.get(1))));
      assertThat(host.receive(1)).containsExactly(frames.get(1));
      // A frame is on the line before it is counted: only what has come to rest is exact.
      real.stop();
      running.get(Patience.SECONDS, SECONDS);
      RealTimeFpga.PortReport report = real.reports().get(0);
      assertThat(report.name()).isEqualTo(line[1]);
      assertThat(report.inside().receivedPackets()).isEqualTo(44);
      assertThat(report.inside().sentPackets()).isEqualTo(43);
      assertThat(report.inside().malformedPackets()).isEqualTo(1);
      assertThat(report.outside().sentFrames()).isEqualTo(43);
      assertThat(real.schedulingDelay().wakeUps()).isPositive();
    }
  }
}
