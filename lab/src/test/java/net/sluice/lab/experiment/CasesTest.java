package net.sluice.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;

/** Cases in virtual time: their bodies turn the clock. */
class CasesTest {
  private final AtomicLong clock = new AtomicLong();
  private final List<String> said = new ArrayList<>();
  private final Cases cases = new Cases(said::add, 1, clock::get);

  private void pass(long seconds) {
    clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  /** A case of 100 packets a second; the sample is twice as fast. */
  private Supplier<String> add(String name, int seconds) {
    return cases.add(
        name,
        100 * seconds,
        progress -> {
          pass(seconds / 2);
          progress.at(0.5, "half of it");
          pass(seconds / 2);
          return name.toUpperCase(Locale.ROOT);
        });
  }

  @Test
  void tellsHowLongItTakesBeforehandAndCorrectsItselfByTheProgress() throws Exception {
    Supplier<String> small = add("small", 100);
    Supplier<String> large = add("large", 200);
    cases.run(
        1_000,
        progress -> {
          pass(60);
          progress.at(0.2, "start-up is not counted");
          pass(4);
          return "";
        });
    assertThat(said)
        .containsExactly(
            "measuring this machine's pace by a short run",
            "2 cases, the work of 0.03 million packets, on 1 core: about 3 min (0.00 million took"
                + " 4.0 s on one)",
            "large: half of it; 33 % done, about 3 min left",
            "1 of 2: large; 66 % done, about 98 s left",
            "small: half of it; 83 % done, about 49 s left",
            "2 of 2: small",
            "took 5 min; about 3 min was expected");
    assertThat(small.get()).isEqualTo("SMALL");
    assertThat(large.get()).isEqualTo("LARGE");
  }

  @Test
  void casesRunSideBySideOnAsManyCores() throws Exception {
    Cases two = new Cases(what -> {}, 2, () -> 0);
    CyclicBarrier together = new CyclicBarrier(2);
    // Neither ends without the other having begun.
    Supplier<Integer> one =
        two.add("one", 1, progress -> together.await(Patience.SECONDS, TimeUnit.SECONDS));
    Supplier<Integer> other =
        two.add("other", 1, progress -> together.await(Patience.SECONDS, TimeUnit.SECONDS));
    two.run(1, progress -> "");
    assertThat(List.of(one.get(), other.get())).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void aCaseThatFailsEndsTheRunWithItsReason() {
    Supplier<String> broken =
        cases.add(
            "broken",
            1,
            progress -> {
              throw new IOException("the disk is full");
            });
    assertThatThrownBy(() -> cases.run(1, progress -> ""))
        .isInstanceOf(IOException.class)
        .hasMessage("the disk is full");
    assertThatThrownBy(broken::get).hasMessage("broken has not run");
  }
}
