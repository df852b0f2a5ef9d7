package net.sluice.lab.demo.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import net.sluice.emulator.netsim.WallClock;
import net.sluice.lab.support.ControllerApi;
import org.junit.jupiter.api.Test;

/** The network of {@code demo --live}, on a clock that jumps to where it is waited for. */
class LiveDemoTest {
  private static final double SECONDS = 3;

  private static final class Jumping implements WallClock {
    private long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public void waitUntil(long wallNanos) {
      nanos = Math.max(nanos, wallNanos);
    }
  }

  private static double gotBps(ControllerApi api, String id) throws Exception {
    JsonNode down = api.get("/subscribers/" + id + "/counters").path("down");
    return 8 * down.path("bytesOut").asLong() / SECONDS;
  }

  @Test
  void limitsHoldAndThePortIsCongested() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (LiveDemo demo = new LiveDemo(any, 1)) {
      ControllerApi api = new ControllerApi(demo.api());
      assertThat(api.get("/subscribers").path("total").asInt()).isEqualTo(20);
      demo.run(Math.round(SECONDS * 1e9), new Jumping());
      assertThat(gotBps(api, "household")).isBetween(5e6, 20.1e6);
      assertThat(gotBps(api, "neighbour")).isBetween(5e6, 10.1e6);
      long below = 0;
      for (JsonNode drop : api.get("/drops").path("drops")) {
        if (drop.path("reason").asText().equals("below-threshold")) {
          below = drop.path("packets").asLong();
        }
      }
      assertThat(below).isGreaterThan(100);
    }
  }
}
