package net.sluice.lab.experiment.dragonking;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import p4.v1.P4RuntimeOuterClass.Update;

/** How many entries of limits a second are written to a switch in the process beside it. */
final class EntryRate {
  private static final int ENTRIES = 200_000;
  private static final int BATCH = 1_000;
  private static final int ROUNDS = 9;
  private static final long BPS = 60_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private EntryRate() {}

  /**
   * Entries a second.
   *
   * @param ofProcessor by the processor time of the thread that writes
   * @param ofWall by the wall clock, which is as much only on a machine with nothing else to do
   */
  record Rates(double ofProcessor, double ofWall) {}

  /**
   * The median of {@value #ROUNDS} rounds over the same limits, each with another rate: of what an
   * operator asks for to the entry in force.
   */
  static Rates measure() {
    SwitchPipeline program = V1ModelPipeline.load();
    OfflineControl control =
        OfflineControl.load(new V1modelSwitch(1, 1), program.forwardingPipelineConfig());
    double[] ofProcessor = new double[ROUNDS];
    double[] ofWall = new double[ROUNDS];
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (int round = 0; round <= ROUNDS; round++) {
      int word = RateWord.nearest(BPS) + round;
      long began = System.nanoTime();
      long processorBegan = threads.getCurrentThreadCpuTime();
      for (int first = 1; first <= ENTRIES; first += BATCH) {
        List<Update> batch = new ArrayList<>(BATCH);
        for (int index = first; index < first + BATCH; index++) {
          batch.add(
              program
                  .entries()
                  .update(
                      round == 0 ? Op.INSERT : Op.MODIFY,
                      new SubscriberLimitEntry(index, Direction.DOWN, new Attachment(0, 0), word)));
        }
        control.write(batch);
      }
      if (round > 0) {
        ofProcessor[round - 1] =
            ENTRIES * NANOS_PER_SECOND / (threads.getCurrentThreadCpuTime() - processorBegan);
        ofWall[round - 1] = ENTRIES * NANOS_PER_SECOND / (System.nanoTime() - began);
      }
    }
    Arrays.sort(ofProcessor);
    Arrays.sort(ofWall);
    return new Rates(ofProcessor[ROUNDS / 2], ofWall[ROUNDS / 2]);
  }
}
