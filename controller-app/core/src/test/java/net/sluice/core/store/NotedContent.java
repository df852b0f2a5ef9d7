package net.sluice.core.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Notes the content of a store as text, but for its histories, which it keeps. */
final class NotedContent implements StoreContent {
  /** A line a piece. */
  final List<String> lines = new ArrayList<>();

  /** By name of the switch. */
  final Map<String, StoreHistory> histories = new HashMap<>();

  private static String text(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Override
  public void identity(long identity) {
    lines.add("identity " + identity);
  }

  @Override
  public void lastSeen(Map<String, Long> numbers) {
    lines.add("seen " + new TreeMap<>(numbers));
  }

  @Override
  public void history(String switchName, StoreHistory history) {
    histories.put(switchName, history);
  }

  @Override
  public void declaration(String switchName, byte[] document) {
    lines.add("switch " + switchName + " " + text(document));
  }

  @Override
  public void record(String switchName, Kind kind, String id, byte[] value) {
    lines.add(kind + " " + switchName + " " + id + " " + text(value));
  }

  @Override
  public void entry(String journal, Journal.Entry entry) {
    lines.add(
        "%s %d %d %s %s"
            .formatted(journal, entry.number(), entry.count(), entry.at(), text(entry.bytes())));
  }

  @Override
  public void document(String of, String name, byte[] bytes) {
    lines.add("document " + of + " " + name + " " + text(bytes));
  }
}
