package net.sluice.emulator.netsim.fpga;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.traffic.CapturingSink;
import org.junit.jupiter.api.Test;

/** The event-driven model against the loop over cycles: the same packets at the same nanosecond. */
class FpgaReferenceTest {

  private static final long CLOCK_HZ = 100_000_000L;
  private static final long LAST_CYCLE = 160_000;

  @Property(tries = 100, seed = "1")
  void servesTheSamePacketsInTheSameCycles(@ForAll long seed) {
    compare(seed);
  }

  /** So that the comparison is known to be about something. */
  @Test
  void thereIsEnoughToCompare() {
    int sent = 0;
    for (int seed = 0; seed < 30; seed++) {
      sent += compare(seed);
    }
    assertThat(sent).isGreaterThan(1_500);
  }

  /** Packets served in a random set-up that the seed makes. */
  private static int compare(long seed) {
    Prng random = new Prng(seed);
    int nanosPerByte = new int[] {1, 8, 100}[(int) random.nextLong(3)];
    Simulation simulation = new Simulation(1);
    CapturingSink sink = new CapturingSink();
    FpgaModel model = new FpgaModel(simulation, sink, CLOCK_HZ, 8_000_000_000L / nanosPerByte);
    ReferenceFpga reference = new ReferenceFpga(nanosPerByte);

    int[] queues = queues(random);
    configure(random, queues, model, reference);
    long cycle = 0;
    long tag = 0;
    // Denser than the scan in some tries, sparser in others.
    long spread = 1L << 3 + random.nextLong(9);
    while (true) {
      cycle += 1 + random.nextLong(spread);
      if (cycle >= LAST_CYCLE) {
        break;
      }
      if ((cycle + 1) % 1_248 == 0) {
        // Events just before a tick begins may count for either tick; there are none here.
        continue;
      }
      reference.runTo(cycle);
      simulation.runUntil(cycle * ReferenceFpga.CYCLE_NANOS + 5);
      if (random.nextLong(100) == 0) {
        change(random, queues, model, reference);
      } else {
        int queue = queues[(int) random.nextLong(queues.length)];
        int bytes = 20 + (int) random.nextLong(random.nextLong(2) == 0 ? 100 : 2_000);
        byte[] frame = new byte[bytes + 4];
        frame[1] = (byte) (queue >> 16);
        frame[2] = (byte) (queue >> 8);
        frame[3] = (byte) queue;
        model.receive(frame, 0, frame.length, tag, simulation.nowNanos());
        reference.arrive(queue, bytes, tag);
        tag++;
      }
    }
    reference.runTo(LAST_CYCLE);
    simulation.runUntil(LAST_CYCLE * ReferenceFpga.CYCLE_NANOS);
    List<ReferenceFpga.Sent> sent =
        sink.captures().stream().map(c -> new ReferenceFpga.Sent(c.nanos(), c.tag())).toList();
    assertThat(sent).isEqualTo(reference.sent);
    assertThat(model.statistics().droppedPackets()).isEqualTo(reference.dropped);
    return sent.size();
  }

  /** A few queues, close to each other in some tries, so that they share customers and trees. */
  private static int[] queues(Prng random) {
    int[] queues = new int[1 + (int) random.nextLong(60)];
    long range = 1L << 3 + random.nextLong(16);
    long base = random.nextLong(QueueNumbers.QUEUES);
    for (int i = 0; i < queues.length; i++) {
      queues[i] = (int) ((base + random.nextLong(range)) % QueueNumbers.QUEUES);
    }
    return queues;
  }

  private static void configure(
      Prng random, int[] queues, FpgaModel model, ReferenceFpga reference) {
    for (int i = 0; i < 40; i++) {
      change(random, queues, model, reference);
    }
    for (int k = 0; k < 8; k++) {
      model.writeRegister(Registers.depth(k), 20_000);
      reference.setDepth(k, 20_000);
    }
    for (int level = 0; level < 3; level++) {
      int size = 1_600 + (int) random.nextLong(1L << 3 + random.nextLong(12));
      model.writeRegister(Registers.bucketSize(level + 1), size);
      reference.setSize(level, size);
    }
    for (int queue : queues) {
      for (int level = 0; level < 3; level++) {
        setWord(
            level,
            queue,
            1 + (int) random.nextLong(1L << 8 + random.nextLong(10)),
            model,
            reference);
      }
    }
  }

  private static void change(Prng random, int[] queues, FpgaModel model, ReferenceFpga reference) {
    int level = (int) random.nextLong(3);
    int queue = queues[(int) random.nextLong(queues.length)];
    switch ((int) random.nextLong(16)) {
      case 0 -> {
        int size = 1_500 + (int) random.nextLong(random.nextLong(2) == 0 ? 1_000 : 31_000);
        model.writeRegister(Registers.bucketSize(level + 1), size);
        reference.setSize(level, size);
      }
      case 1 -> setWord(level, queue, 0, model, reference);
      case 2 -> {
        int depth = (int) random.nextLong(10_000);
        model.writeRegister(Registers.depth(queue & 7), depth);
        reference.setDepth(queue & 7, depth);
      }
      default ->
          setWord(
              level, queue, (int) random.nextLong(1L << 8 + random.nextLong(10)), model, reference);
    }
  }

  private static void setWord(
      int level, int queue, int word, FpgaModel model, ReferenceFpga reference) {
    int index = queue >> 3 + 6 * level;
    model.writeRegister(Registers.rate(level + 1, index), word);
    reference.setWord(level, index, word);
  }
}
