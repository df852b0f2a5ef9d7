package net.sluice.emulator.ports;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SchedulingDelayTest {
  @Test
  void standstillsAreWhatIsLaterThanTheirBound() {
    SchedulingDelay.Recorder recorder = new SchedulingDelay.Recorder();
    assertThat(recorder.read()).isEqualTo(new SchedulingDelay(0, 0, 0, 0, 0, 0));

    recorder.add(1_000);
    recorder.add(1_000);
    recorder.add(5_000_000);
    assertThat(recorder.read().standstills()).isZero();

    recorder.add(5_001_000);
    recorder.add(30_000_000);
    SchedulingDelay read = recorder.read();
    assertThat(read.wakeUps()).isEqualTo(5);
    assertThat(read.standstills()).isEqualTo(2);
    assertThat(read.standstillMicros()).isEqualTo(35_001);
    assertThat(read.maxMicros()).isBetween(30_000L, 30_030L);
  }
}
