package net.sluice.lab.bench.switching;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** A line of numbers, the message format between the benchmark's processes. */
final class MeasurementLine {

  private MeasurementLine() {}

  /** The line. */
  static String of(long... numbers) {
    return LongStream.of(numbers).mapToObj(Long::toString).collect(Collectors.joining(" "));
  }

  /** The numbers of a line. */
  static long[] parse(String line) {
    return Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
  }
}
