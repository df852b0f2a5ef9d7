package net.sluice.emulator.v1model.trace;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import net.sluice.emulator.trace.v1.Trace;

/** A trace as JSON: the proto3 JSON mapping of its message. */
public final class TraceJson {

  private static final JsonFormat.Printer PRINTER = JsonFormat.printer();
  private static final JsonFormat.Printer LINE =
      JsonFormat.printer().omittingInsignificantWhitespace();

  private TraceJson() {}

  /** Pretty-printed. */
  public static String pretty(Trace trace) {
    return print(PRINTER, trace);
  }

  /** On one line. */
  public static String line(Trace trace) {
    return print(LINE, trace);
  }

  private static String print(JsonFormat.Printer printer, Trace trace) {
    try {
      return printer.print(trace);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a trace holds no message that JSON cannot", e);
    }
  }
}
