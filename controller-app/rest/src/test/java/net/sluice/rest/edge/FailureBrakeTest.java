package net.sluice.rest.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailureBrakeTest {
  private final FailureBrake brake = new FailureBrake();
  private long nowNanos;

  private Optional<Duration> failed(String from) throws UnknownHostException {
    return brake.failed(InetAddress.getByName(from), nowNanos);
  }

  private void answered(String from) throws UnknownHostException {
    brake.answered(InetAddress.getByName(from));
  }

  /** The waits of a client's next failures in milliseconds, each answered before the next. */
  private List<Long> waits(String from, int failures) throws UnknownHostException {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < failures; i++) {
      Duration wait = failed(from).orElseThrow();
      waits.add(wait.toMillis());
      if (!wait.isZero()) {
        answered(from);
      }
    }
    return waits;
  }

  @Test
  void answersTakeTheLongerTheMoreFailuresThereWere() throws UnknownHostException {
    assertThat(waits("192.0.2.1", 11))
        .containsExactly(0L, 0L, 0L, 100L, 200L, 400L, 800L, 1_600L, 3_200L, 5_000L, 5_000L);
    assertThat(waits("192.0.2.2", 4)).containsExactly(0L, 0L, 0L, 100L);
    assertThat(brake.failures(InetAddress.getByName("192.0.2.1"))).isEqualTo(11);
  }

  @Test
  void failuresAreForgottenAfterTenMinutes() throws UnknownHostException {
    assertThat(waits("192.0.2.1", 4)).endsWith(100L);
    nowNanos += Duration.ofMinutes(10).toNanos();
    assertThat(waits("192.0.2.1", 1)).containsExactly(200L);
    nowNanos += Duration.ofMinutes(10).toNanos() + 1;
    assertThat(waits("192.0.2.1", 4)).containsExactly(0L, 0L, 0L, 100L);
  }

  @Test
  void onlySomeAnswersWait() throws UnknownHostException {
    for (int client = 1; client <= 8; client++) {
      String from = "192.0.2." + client;
      assertThat(waits(from, 3)).containsOnly(0L);
      for (int i = 0; i < 4; i++) {
        assertThat(failed(from)).isPresent();
      }
      assertThat(failed(from)).isEmpty();
    }
    // 32 wait.
    assertThat(waits("192.0.2.9", 3)).containsOnly(0L);
    assertThat(failed("192.0.2.9")).isEmpty();
    answered("192.0.2.1");
    assertThat(failed("192.0.2.9")).isPresent();
    assertThat(failed("192.0.2.1")).isEmpty();
  }

  @Test
  void anIpv6ClientIsItsNetwork() throws UnknownHostException {
    assertThat(waits("2001:db8:0:1::1", 3)).containsOnly(0L);
    assertThat(waits("2001:db8:0:1:ffff::", 1)).containsExactly(100L);
    assertThat(waits("2001:db8:0:2::1", 1)).containsExactly(0L);
  }
}
