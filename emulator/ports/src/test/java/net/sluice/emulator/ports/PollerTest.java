package net.sluice.emulator.ports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waiting in the kernel, without anything to receive. */
class PollerTest {
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private Poller poller;

  @BeforeEach
  void open() {
    poller = new Poller(0);
  }

  @AfterEach
  void close() {
    poller.close();
  }

  private long waited() {
    long from = System.nanoTime();
    poller.await(NANOS);
    return System.nanoTime() - from;
  }

  @Test
  void whoIsWokenUpBeforeItWaitsDoesNotWait() {
    poller.wakeUp();
    poller.await(Long.MAX_VALUE);
  }

  @Test
  void whoIsWokenUpWhileItWaitsWaitsNoMore() throws Exception {
    Thread waker = new Thread(poller::wakeUp);
    waker.start();
    poller.await(Long.MAX_VALUE);
    waker.join();
  }

  @Test
  void beingWokenUpHoweverOftenEndsOneWaitOnly() {
    poller.wakeUp();
    poller.wakeUp();
    poller.await(Long.MAX_VALUE);
    assertThat(waited()).isGreaterThanOrEqualTo(NANOS);
    poller.wakeUp();
    poller.await(Long.MAX_VALUE);
    assertThat(waited()).isGreaterThanOrEqualTo(NANOS);
  }

  @Test
  void whatIsClosedMayBeWokenUp() {
    poller.close();
    poller.wakeUp();
  }
}
