package net.sluice.rest.bulk;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.rest.json.ObjectReader;

/**
 * Cuts a stream of bytes into lines and decodes them. A line ends with LF or CR LF; the last one
 * may lack its end. A line longer than {@link #MAX_LINE_BYTES} is a problem, and is not kept.
 */
public final class LineSplitter {
  /** Longest line, in bytes without its end. */
  static final int MAX_LINE_BYTES = 1 << 20;

  private final Consumer<BulkLine> out;
  private final SoundLines sound = new SoundLines();

  // The beginning of a line whose end has not come yet.
  private byte[] begun = new byte[4096];
  private int begunLength;
  private boolean tooLong;
  private long number;

  /** Lines are given to {@code out} in order. */
  public LineSplitter(Consumer<BulkLine> out) {
    this.out = out;
  }

  /** Takes the next {@code length} bytes of the stream. */
  public void take(byte[] bytes, int length) {
    int from = 0;
    int end = behindLastLine(bytes, length);
    if (end > 0 && (begunLength > 0 || tooLong)) {
      int first = lineEnd(bytes, 0);
      keep(bytes, 0, first);
      keptLine();
      from = first + 1;
    }
    if (from < end) {
      sound.block(bytes, from, end);
    }
    while (from < end) {
      int next = lineEnd(bytes, from);
      line(bytes, from, next);
      from = next + 1;
    }
    keep(bytes, from, length);
  }

  /** Behind the last LF; 0 without any. */
  private static int behindLastLine(byte[] bytes, int length) {
    int end = length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  /** Where the LF is that comes next. */
  private static int lineEnd(byte[] bytes, int from) {
    int end = from;
    while (bytes[end] != '\n') {
      end++;
    }
    return end;
  }

  /** Takes the end of the stream. */
  public void end() {
    if (begunLength > 0 || tooLong) {
      keptLine();
    }
  }

  private void keptLine() {
    if (tooLong) {
      refuse();
    } else {
      sound.block(begun, 0, begunLength);
      line(begun, 0, begunLength);
    }
    begunLength = 0;
    tooLong = false;
  }

  private void refuse() {
    number++;
    out.accept(
        new BulkLine(
            number,
            List.of(
                Problem.of(
                    Code.MALFORMED,
                    ObjectReader.DOCUMENT,
                    "more than " + MAX_LINE_BYTES + " bytes",
                    "lines of at most " + MAX_LINE_BYTES + " bytes"))));
  }

  private void keep(byte[] bytes, int from, int to) {
    int length = to - from;
    // One byte more than the limit may be the CR of a line end.
    if (tooLong || begunLength + length > MAX_LINE_BYTES + 1) {
      tooLong = true;
      begunLength = 0;
      return;
    }
    if (begunLength + length > begun.length) {
      begun = Arrays.copyOf(begun, Math.max(begunLength + length, 2 * begun.length));
    }
    System.arraycopy(bytes, from, begun, begunLength, length);
    begunLength += length;
  }

  private void line(byte[] bytes, int from, int to) {
    boolean carriageReturn = to > from && bytes[to - 1] == '\r';
    int end = carriageReturn ? to - 1 : to;
    if (end - from > MAX_LINE_BYTES) {
      refuse();
      return;
    }
    number++;
    out.accept(BulkLineDecoder.decode(number, sound, bytes, from, end));
  }
}
