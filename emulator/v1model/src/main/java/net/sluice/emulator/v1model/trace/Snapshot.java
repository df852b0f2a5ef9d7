package net.sluice.emulator.v1model.trace;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.trace.v1.FieldChange;
import net.sluice.emulator.v1model.codegen.PacketView;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.runtime.ParsedPacket;

/** A snapshot of a packet's headers and metadata. */
final class Snapshot {

  private final List<Header> headers;
  private final PacketView view;
  private final boolean[] valid;
  private final BigInteger[][] values;

  Snapshot(List<Header> headers, PacketView view) {
    this.headers = headers;
    this.view = view;
    valid = new boolean[headers.size()];
    values = new BigInteger[headers.size()][];
    for (Header header : headers) {
      values[header.index()] = new BigInteger[header.fields().size()];
    }
  }

  /** Takes a snapshot of everything. */
  void take(ParsedPacket packet) {
    for (Header header : headers) {
      take(packet, header);
    }
  }

  /** Takes a snapshot of one header. */
  void take(ParsedPacket packet, Header header) {
    int h = header.index();
    valid[h] = view.isValid(packet, h);
    for (int f = 0; f < values[h].length; f++) {
      values[h][f] = view.value(packet, h, f);
    }
  }

  /**
   * Takes a new snapshot and returns the changes: validity of headers, fields of valid headers and
   * of metadata.
   */
  List<FieldChange> changes(ParsedPacket packet) {
    List<FieldChange> changes = new ArrayList<>();
    for (Header header : headers) {
      int h = header.index();
      boolean now = view.isValid(packet, h);
      if (now != valid[h]) {
        changes.add(change(header.name(), text(valid[h]), text(now)));
      }
      for (int f = 0; now && f < values[h].length; f++) {
        BigInteger value = view.value(packet, h, f);
        // Of a header that has just become valid, fields other than zero have changed.
        BigInteger before = valid[h] ? values[h][f] : BigInteger.ZERO;
        if (!value.equals(before)) {
          int width = view.widthBits(packet, h, f);
          changes.add(
              change(
                  header.name() + "." + header.fields().get(f).name(),
                  Hex.number(before, width),
                  Hex.number(value, width)));
        }
      }
      take(packet, header);
    }
    return changes;
  }

  private static String text(boolean valid) {
    return valid ? "valid" : "invalid";
  }

  private static FieldChange change(String name, String before, String after) {
    return FieldChange.newBuilder().setName(name).setBefore(before).setAfter(after).build();
  }
}
