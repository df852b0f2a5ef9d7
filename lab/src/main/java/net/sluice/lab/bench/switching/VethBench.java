package net.sluice.lab.bench.switching;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import net.sluice.lab.bench.switching.VethLoadProcess.Trial;
import net.sluice.lab.report.Row;
import net.sluice.lab.support.Progress;

/**
 * The emulated switch and bmv2 on virtual interfaces, in turns: packets per second delivered under
 * overload, and the highest rate at which nearly all packets are delivered.
 */
final class VethBench {
  private static final double TIMES_BMV2 = 3;

  /** Share of a trial's packets that must be delivered for its rate to count as sustained. */
  private static final double DELIVERED = 0.999;

  private static final double NANOS_PER_SECOND = 1e9;

  private VethBench() {}

  /**
   * Durations of the measurement.
   *
   * @param floods of each switch, in turns
   * @param countedFloods those at the end, of which the median counts; those before warm up
   * @param floodMillis how long one takes
   * @param searchSteps trials of a rate
   * @param searchMillis how long one takes
   */
  record Plan(int floods, int countedFloods, long floodMillis, int searchSteps, long searchMillis) {
    static final Plan USUAL = new Plan(9, 5, 2_000, 8, 1_000);
  }

  /**
   * A flood.
   *
   * @param perCpuSecond packets that came out by the processor time of all threads of the switch
   */
  private record Flood(Trial trial, double perCpuSecond) {}

  private static final class Subject {
    private final LiveSwitch live;
    private final Plan plan;
    private final List<Flood> floods = new ArrayList<>();
    private double taken;

    Subject(LiveSwitch live, Plan plan) {
      this.live = live;
      this.plan = plan;
    }

    void flood() throws IOException {
      long cpu = live.cpuNanos();
      Trial trial = live.trial(0, plan.floodMillis());
      cpu = live.cpuNanos() - cpu;
      floods.add(new Flood(trial, trial.delivered() / (cpu / NANOS_PER_SECOND)));
    }

    /** The median of those that count. */
    Flood counted() {
      return floods.subList(plan.floods() - plan.countedFloods(), plan.floods()).stream()
          .sorted(Comparator.comparingDouble(flood -> flood.trial().perSecond()))
          .toList()
          .get(plan.countedFloods() / 2);
    }

    double perSecond() {
      return counted().trial().perSecond();
    }

    /** Bisects for the highest sustained rate. */
    void search() throws IOException {
      double low = 0;
      double high = 1.5 * perSecond();
      for (int step = 0; step < plan.searchSteps(); step++) {
        double rate = (low + high) / 2;
        Trial trial = live.trial(Math.max(1, (long) rate), plan.searchMillis());
        if (trial.delivered() >= DELIVERED * trial.offered()) {
          low = rate;
          taken = Math.max(taken, trial.offeredPerSecond());
        } else {
          high = rate;
        }
      }
    }
  }

  /**
   * Measures.
   *
   * @param bmv2 simple_switch_grpc, if it is to be measured too
   * @param folder for what the switches write
   * @return rows, none where there can be no virtual interfaces
   */
  static List<Row> run(
      Plan plan,
      Optional<Path> bmv2,
      int subscribers,
      Path folder,
      Progress progress,
      List<String> skipped)
      throws IOException, InterruptedException {
    VethPairs pairs;
    try {
      pairs = VethPairs.open(bmv2.isPresent() ? 2 : 1);
    } catch (IOException e) {
      skipped.add("the switches through veth: " + e.getMessage());
      return List.of();
    }
    try (pairs;
        LiveSwitch sluice = LiveSwitch.sluice(pairs.cables(0), subscribers, folder);
        LiveSwitch other =
            bmv2.isPresent()
                ? LiveSwitch.bmv2(bmv2.get(), pairs.cables(1), subscribers, folder)
                : null) {
      progress.say("switches on virtual interfaces have their entries");
      Subject here = new Subject(sluice, plan);
      Optional<Subject> there = Optional.ofNullable(other).map(live -> new Subject(live, plan));
      for (int round = 0; round < plan.floods(); round++) {
        here.flood();
        if (there.isPresent()) {
          there.get().flood();
        }
      }
      here.search();
      if (there.isPresent()) {
        there.get().search();
      }
      progress.say(
          String.format(
              Locale.ROOT,
              "through veth %.0f packets a second%s",
              here.perSecond(),
              there
                  .map(subject -> String.format(Locale.ROOT, ", bmv2 %.0f", subject.perSecond()))
                  .orElse("")));
      return rows(here, there);
    }
  }

  private static List<Row> rows(Subject here, Optional<Subject> there) {
    List<Row> rows = new ArrayList<>();
    rows.add(
        Row.plain(
            "veth.packetsPerSecond",
            "1/s",
            there.map(Subject::perSecond).orElse(null),
            here.perSecond()));
    rows.add(
        Row.plain(
            "veth.packetsPerCpuSecond",
            "1/s",
            there.map(subject -> subject.counted().perCpuSecond()).orElse(null),
            here.counted().perCpuSecond()));
    rows.add(
        Row.plain(
            "veth.offeredPerSecond",
            "1/s",
            there.map(subject -> subject.counted().trial().offeredPerSecond()).orElse(null),
            here.counted().trial().offeredPerSecond()));
    rows.add(
        Row.plain(
            "veth.packetsPerSecondLosingAtMost1In1000",
            "1/s",
            there.map(subject -> subject.taken).orElse(null),
            here.taken));
    if (there.isPresent()) {
      rows.add(
          Row.atLeast(
              "veth.timesBmv2", "1", null, here.perSecond() / there.get().perSecond(), TIMES_BMV2));
    }
    return rows;
  }
}
