package net.sluice.emulator.ports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.PortStatistics;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;

/** Backpressure: frames to an interface that the kernel rate-limits wait in the switch. */
class BackpressureTest {
  private static final int FRAMES = 1_000;
  private static final int BYTES = 1_000;
  private static final long WAIT_NANOS = 10_000_000;

  private static byte[] frame(int number) {
    byte[] frame = new byte[BYTES];
    frame[0] = 2;
    frame[6] = 2;
    frame[12] = (byte) 0x88;
    frame[13] = (byte) 0xb5;
    frame[14] = (byte) (number >> 8);
    frame[15] = (byte) number;
    return frame;
  }

  private static List<byte[]> frames() {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < FRAMES; i++) {
      frames.add(frame(i));
    }
    return frames;
  }

  /** Sends all frames to a port that sends hardly any on, and some time later all. */
  private static void run(long queueBytes, Check check) throws Exception {
    try (LinuxNetwork network = LinuxNetwork.open()) {
      String[] one = network.veth("1", 1_500);
      String[] two = network.veth("2", 1_500);
      LinuxNetwork.limitRate(two[1], "80kbit");
      try (CableEnd near = new CableEnd(one[0]);
          CableEnd far = new CableEnd(two[0]);
          RunningSwitch running =
              RunningSwitch.of(
                  PacketSocketPort.open(one[1]),
                  PacketSocketPort.open(two[1]),
                  LineClock.UNLIMITED_BPS,
                  queueBytes)) {
        near.send(frames());
        Patience.await("all have come", () -> running.ingress().size() == FRAMES);
        // When the switch answers it is done with the last, which waits from then on.
        long from = nowNanos(running);
        Patience.await("a while", () -> nowNanos(running) - from > WAIT_NANOS);
        LinuxNetwork.changeRate(two[1], "1gbit");
        check.accept(running.real(), far);
        assertThat(running.real().reports().get(1).outside().unsentFrames()).isZero();
      }
    }
  }

  /** The switch's time. */
  private static long nowNanos(RunningSwitch running) {
    return running.real().reports().get(1).inside().intervalNanos();
  }

  @FunctionalInterface
  private interface Check {
    void accept(RealTimeSwitch running, CableEnd far) throws Exception;
  }

  @Test
  void whatTheKernelDoesNotTakeWaitsInTheSwitchInOrder() throws Exception {
    run(
        1 << 20,
        (running, far) -> {
          List<byte[]> arrived = far.receive(FRAMES);
          for (int i = 0; i < FRAMES; i++) {
            assertThat(arrived.get(i)).as("frame %d", i).isEqualTo(frame(i));
          }
          PortStatistics limited = running.reports().get(1).inside();
          assertThat(limited.tailDropPackets()).isZero();
          assertThat(limited.sentPackets()).isEqualTo(FRAMES);
          assertThat(limited.queueDelayNanos().getMaxValue()).isGreaterThan(WAIT_NANOS);
        });
  }

  @Test
  void aQueueWithoutLimitsTakesNoMoreThanSimpleSwitchMeanwhile() throws Exception {
    run(
        Long.MAX_VALUE,
        (running, far) -> {
          long dropped = running.reports().get(1).inside().tailDropPackets();
          assertThat(dropped).isPositive();
          assertThat(far.receive(FRAMES - (int) dropped).get(0)).isEqualTo(frame(0));
        });
  }
}
