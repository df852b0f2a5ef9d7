package net.sluice.lab.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The CPU time that this process and that of the emulated targets take meanwhile. */
final class CpuTimes {
  private final TargetsProcess targets;
  private long ownNanos;
  private long targetsNanos;

  private CpuTimes(TargetsProcess targets) {
    this.targets = targets;
    ownNanos = -processNanos();
    targetsNanos = -targets.cpu().toNanos();
  }

  static CpuTimes begin(TargetsProcess targets) {
    return new CpuTimes(targets);
  }

  /** To be called once. */
  void end() {
    ownNanos += processNanos();
    targetsNanos += targets.cpu().toNanos();
  }

  private static long processNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Of both processes. */
  long allNanos() {
    return ownNanos + targetsNanos;
  }

  /** Of this process, controller and client, for each of so many. */
  double ownMicros(int count) {
    return ownNanos / 1e3 / count;
  }

  /** Of the targets' process, for each of so many. */
  double targetsMicros(int count) {
    return targetsNanos / 1e3 / count;
  }
}
