package net.sluice.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import net.sluice.emulator.netsim.WallClock;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.support.Progress;
import org.junit.jupiter.api.Test;

class FpgaBenchTest {
  @Test
  void measuresEveryRowWithAFewSessions() throws Exception {
    RunReport report =
        FpgaBenchCommand.run(20, 40, 1, Progress.on(new PrintWriter(new StringWriter())));
    assertThat(report.rows())
        .extracting(Row::name)
        .containsExactly(
            "sessions10k.localSeconds",
            "sessions10k.remote15msSeconds",
            "customers32768.seconds",
            "counters262144.seconds");
    assertThat(report.rows()).extracting(Row::bound).containsExactly(0.1, 0.5, 1.0, 1.0);
    // Twenty sessions are one batch, which takes the line's round trip.
    assertThat(report.rows().get(1).measured()).isGreaterThanOrEqualTo(0.015);
  }

  /** A clock that goes on only while somebody waits for it. */
  private static final class AwaitedClock implements WallClock {
    private final AtomicLong now = new AtomicLong();

    @Override
    public long nanoTime() {
      return now.get();
    }

    @Override
    public void waitUntil(long wallNanos) {
      now.accumulateAndGet(wallNanos, Math::max);
    }
  }

  @Test
  void aDelayedLineCarriesOctetsBothWaysInOrderAndLate() throws Exception {
    Duration roundTrip = Duration.ofMinutes(4);
    AwaitedClock clock = new AwaitedClock();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        DelayedLine line = new DelayedLine(server.getLocalPort(), roundTrip, clock);
        Socket client = new Socket(InetAddress.getLoopbackAddress(), line.port());
        Socket served = server.accept()) {
      client.getOutputStream().write(new byte[] {1, 2, 3});
      served.getOutputStream().write(served.getInputStream().readNBytes(3));
      assertThat(client.getInputStream().readNBytes(3)).containsExactly(1, 2, 3);
      assertThat(clock.nanoTime()).isEqualTo(roundTrip.toNanos());
      served.close();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }
}
