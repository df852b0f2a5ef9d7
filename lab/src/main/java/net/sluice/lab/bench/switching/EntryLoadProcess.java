package net.sluice.lab.bench.switching;

import java.io.IOException;
import java.util.List;
import net.sluice.cli.Logging;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** The controller that writes and reads entries, in a process of its own. */
final class EntryLoadProcess {
  /**
   * Options of the JVM: a small heap, touched at start. In a virtual machine, memory touched for
   * the first time may have to come from the host, which takes longer than everything measured
   * here.
   */
  static final List<String> OPTIONS =
      List.of("-XX:+UseSerialGC", "-Xms1g", "-Xmx8g", "-Xmn64m", "-XX:+AlwaysPreTouch");

  private static final double NANOS_PER_SECOND = 1e9;

  private EntryLoadProcess() {}

  /**
   * The times of a round.
   *
   * @param written entries inserted
   * @param writeNanos time to insert them, nanoseconds
   * @param read entries read
   * @param readNanos time to read them, nanoseconds
   */
  record Round(long written, long writeNanos, long read, long readNanos) {

    double writtenPerSecond() {
      return written / (writeNanos / NANOS_PER_SECOND);
    }

    double readPerSecond() {
      return read / (readNanos / NANOS_PER_SECOND);
    }

    String text() {
      return MeasurementLine.of(written, writeNanos, read, readNanos);
    }

    static Round parse(String text) {
      long[] parts = MeasurementLine.parse(text);
      return new Round(parts[0], parts[1], parts[2], parts[3]);
    }
  }

  /** The other process: port of the switch, subscribers, rounds. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Logging.configureWarnings();
    int count = Integer.parseInt(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    try (BenchController controller =
        new BenchController(Integer.parseInt(arguments[0]), ServerProcess.DEVICE_ID)) {
      controller.loadProgram();
      List<Update> updates = SwitchBenchSetup.subscribers(count);
      List<WriteRequest> inserts = controller.requests(updates);
      List<WriteRequest> deletes =
          controller.requests(
              updates.stream()
                  .map(update -> update.toBuilder().setType(Update.Type.DELETE).build())
                  .toList());
      for (int round = 0; round < rounds; round++) {
        long writeNanos = controller.write(inserts);
        long[] read = controller.readAll();
        RoundsProcess.tell(new Round(count, writeNanos, read[0], read[1]).text());
        if (round < rounds - 1) {
          controller.write(deletes);
        }
      }
    }
  }
}
