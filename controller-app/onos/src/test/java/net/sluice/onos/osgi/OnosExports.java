package net.sluice.onos.osgi;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Packages that ONOS 2.7.0 exports, each with its versions. */
final class OnosExports {
  private OnosExports() {}

  static Map<String, List<String>> all() {
    Map<String, List<String>> packages = new TreeMap<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                OnosExports.class.getResourceAsStream("/onos-2.7.0-exports.txt"),
                StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (!line.startsWith("#") && !line.isBlank()) {
          List<String> words = List.of(line.trim().split(" +"));
          packages.put(words.get(0), words.subList(1, words.size()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packages;
  }
}
