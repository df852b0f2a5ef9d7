package net.sluice.northbound.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.sluice.core.testing.VirtualTime;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Cause;
import net.sluice.northbound.explain.SlaReport;
import net.sluice.northbound.explain.SlaReport.Breach;
import net.sluice.northbound.explain.SlaReport.Gap;
import net.sluice.northbound.explain.SlaReports;
import net.sluice.northbound.usage.Judge.Finding;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.WaitRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is judged at each sweep is kept, and reported. */
class JudgedUsageTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** 80 kbit/s. */
  private static final long PACKETS = 600;

  /** A rate that is kept as it is. */
  private static final long ENTITLED = 102_400;

  @TempDir private Path directory;
  private final VirtualTime time = new VirtualTime();
  private final Instant start = time.instant();
  private final TestSwitch bng1 = new TestSwitch("bng1");
  private MeasuredUsage usage;
  private Finding finding;

  @BeforeEach
  void open() throws IOException {
    bng1.declare(1, "alice");
    usage =
        new MeasuredUsage(
            TestSwitch.controller(bng1),
            directory,
            MINUTE,
            time.scheduler(),
            time,
            () -> Duration.between(start, time.instant()).toNanos());
    usage.judgeBy(
        (switchName, loads, to) -> {
          assertThat(switchName).isEqualTo("bng1");
          if (finding != null && loads.of(1, Direction.DOWN).isPresent()) {
            to.put(1, Direction.DOWN, finding);
          }
        });
    minutes(1, null);
  }

  @AfterEach
  void close() {
    usage.close();
  }

  private void minutes(int count, Finding found) {
    finding = found;
    for (int i = 0; i < count; i++) {
      bng1.count(1, Point.IN, PACKETS);
      bng1.count(1, Point.OUT, PACKETS);
      bng1.count(1, WaitRange.UP_TO_5_MILLIS.point(), PACKETS);
      time.pass(MINUTE);
    }
  }

  private SlaReports reports() {
    return SlaReports.of(usage, List.of("alice"), start, time.instant());
  }

  private SlaReport report() {
    return reports().reports().get(0);
  }

  private long second(long minute) {
    return start.plus(MINUTE.multipliedBy(minute)).getEpochSecond();
  }

  @Test
  void breachesHaveTheirCauseAndLengthAndGapsAreNamed() {
    minutes(4, null);
    minutes(2, new Finding(Cause.CONGESTION, ENTITLED, true));
    minutes(1, new Finding(Cause.TREE, 2 * ENTITLED, true));
    minutes(1, new Finding(Cause.OWN_LIMIT, 80_000, false));
    minutes(1, new Finding(Cause.SUSPENDED, 0, false));
    bng1.fails = true;
    minutes(1, null);
    bng1.fails = false;
    minutes(2, new Finding(Cause.CONGESTION, ENTITLED, true));

    SlaReport report = report();
    SlaReport.Side down = report.sides().get(Direction.DOWN);
    assertThat(down.breaches())
        .containsExactly(
            new Breach(second(5), second(7), 120, 60, Cause.CONGESTION, ENTITLED, 80_000),
            new Breach(second(7), second(8), 60, 60, Cause.TREE, 2 * ENTITLED, 80_000),
            new Breach(second(11), second(13), 120, 60, Cause.CONGESTION, ENTITLED, 80_000));
    assertThat(report.gaps())
        .containsExactly(new Gap(second(0), second(1)), new Gap(second(10), second(11)));
    assertThat(down.measuredSeconds()).isEqualTo(660);
    assertThat(down.suspendedSeconds()).isEqualTo(60);
    assertThat(down.shortSeconds()).isEqualTo(300);
    assertThat(down.metPercent()).hasValue(54.545);
    assertThat(down.delay().orElseThrow().p50()).isEqualTo(3);
    SlaReport.Side up = report.sides().get(Direction.UP);
    assertThat(up.metPercent()).hasValue(100);
    assertThat(up.breaches()).isEmpty();
    assertThat(up.delay()).isEmpty();
  }

  @Test
  void aBreachOfLongAgoKeepsItsLengthThoughNotItsMinute() {
    minutes(10, null);
    minutes(7, new Finding(Cause.CONGESTION, ENTITLED, true));
    minutes(2, new Finding(Cause.TREE, 2 * ENTITLED, true));
    minutes(7 * 60, null);
    SlaReports reports = reports();
    assertThat(reports.from()).isEqualTo(start);
    assertThat(reports.to()).isEqualTo(time.instant());
    SlaReport.Side down = reports.reports().get(0).sides().get(Direction.DOWN);
    assertThat(down.breaches()).hasSize(1);
    Breach breach = down.breaches().get(0);
    assertThat(breach.cause()).isEqualTo(Cause.CONGESTION);
    assertThat(breach.stepSeconds()).isEqualTo(300);
    assertThat(breach.from()).isEqualTo(second(10));
    assertThat(breach.to()).isEqualTo(second(20));
    assertThat(breach.seconds()).isEqualTo(540);
    assertThat(down.measuredSeconds()).isEqualTo(440 * 60);
    assertThat(down.metPercent()).hasValue(97.954);
  }

  @Test
  void withoutASubscriberAllIsAGap() {
    minutes(2, null);
    SlaReport nobody =
        SlaReports.of(usage, List.of("nobody"), start, time.instant()).reports().get(0);
    assertThat(nobody.gaps()).containsExactly(new Gap(second(0), second(3)));
    assertThat(nobody.sides().get(Direction.DOWN).metPercent()).isEmpty();
  }

  @Test
  void whatCannotBeJudgedIsKept() {
    usage.judgeBy(
        (switchName, loads, to) -> {
          throw new IllegalStateException("a test has this fail");
        });
    minutes(2, null);
    assertThat(report().sides().get(Direction.DOWN).measuredSeconds()).isEqualTo(120);
  }
}
