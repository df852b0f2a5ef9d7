package net.sluice.lab.experiment.fpga;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The core, simulated clock by clock in a process of its own: packets go in at clocks, and come out
 * at clocks. What the requests are is told in {@code fpga-driver/rtl/simulation/core.cpp}. Used by
 * one thread.
 */
final class CoreSimulation implements AutoCloseable {
  private static final int WORDS = 4;
  private static final int WORD_BYTES = 8;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final long OFFER = 1;
  private static final long WRITE = 2;
  private static final long READ = 3;
  private static final long RUN = 4;
  private static final long END = -1;

  private final Process process;
  private final OutputStream requests;
  private final InputStream answers;
  private final Map<String, Integer> addresses;
  private final ByteBuffer request = buffer();
  private final ByteBuffer answer = buffer();
  private long clock;
  private long broken;
  private int numbers;

  CoreSimulation(Path program, CoreClock coreClock, long lineBps, Map<String, Integer> addresses)
      throws IOException {
    this.addresses = addresses;
    process =
        new ProcessBuilder(
                program.toString(), Integer.toString(coreClock.khz()), Long.toString(lineBps))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    requests = new BufferedOutputStream(process.getOutputStream(), BUFFER_BYTES);
    answers = new BufferedInputStream(process.getInputStream(), BUFFER_BYTES);
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(WORDS * WORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Offers a packet from a clock on, behind those offered before.
   *
   * @param bytes its length without the queue id, 4 to 2,048
   * @return its number; they count from 0
   */
  int offer(long fromClock, int queue, int bytes) throws IOException {
    send(OFFER, fromClock, (long) queue << Integer.SIZE | bytes, numbers);
    return numbers++;
  }

  /** Writes a register from a clock on, after the writes before. */
  void write(long fromClock, String register, int index, int value) throws IOException {
    send(WRITE, fromClock, address(register, index), Integer.toUnsignedLong(value));
  }

  /** Reads a register now; clocks go by. */
  int read(String register) throws IOException {
    send(READ, address(register, 0), 0, 0);
    requests.flush();
    receive();
    return (int) answer.getLong(0);
  }

  private long address(String register, int index) {
    return Integer.toUnsignedLong(addresses.get(register) + (index << 2));
  }

  /** Goes on to a clock; the packets that have left since the last time, in order. */
  List<Departure> runTo(long toClock) throws IOException {
    send(RUN, toClock, 0, 0);
    requests.flush();
    List<Departure> left = new ArrayList<>();
    while (true) {
      receive();
      if (answer.getLong(0) == END) {
        broken = answer.getLong(WORD_BYTES);
        clock = answer.getLong(2 * WORD_BYTES);
        return left;
      }
      long packet = answer.getLong(WORD_BYTES);
      left.add(
          new Departure(
              (int) answer.getLong(0),
              (int) (packet >>> Integer.SIZE),
              (int) packet,
              answer.getLong(2 * WORD_BYTES),
              answer.getLong(3 * WORD_BYTES)));
    }
  }

  /** The clock that the last run has come to. */
  long clock() {
    return clock;
  }

  /** Packets that left with other bytes than they came with, until the last run. */
  long broken() {
    return broken;
  }

  private void send(long... words) throws IOException {
    for (int i = 0; i < WORDS; i++) {
      request.putLong(i * WORD_BYTES, words[i]);
    }
    requests.write(request.array());
  }

  private void receive() throws IOException {
    if (answers.readNBytes(answer.array(), 0, WORDS * WORD_BYTES) < WORDS * WORD_BYTES) {
      throw new EOFException("the simulated core has ended by itself");
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
