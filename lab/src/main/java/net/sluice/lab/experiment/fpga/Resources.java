package net.sluice.lab.experiment.fpga;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.sluice.lab.report.Row;

/**
 * Table I: what the paper's five configurations are made of, as {@code
 * fpga-driver/rtl/synthesis/synthesize.py} has kept it in its file.
 */
final class Resources {
  private static final List<String> KINDS = List.of("lut", "ff", "bram", "uram");
  private static final List<String> UNITS = List.of("LUT", "FF", "36 Kbit", "288 Kbit");

  private Resources() {}

  /** A row for each kind of cell of each configuration, beside the paper's. */
  static List<Row> rows(Path file) throws IOException {
    List<Row> rows = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    for (String line : lines.subList(1, lines.size())) {
      // Its number, then ours, then the paper's.
      String[] columns = line.split(",");
      for (int kind = 0; kind < KINDS.size(); kind++) {
        rows.add(
            Row.plain(
                    "tableI." + columns[0] + "." + KINDS.get(kind),
                    UNITS.get(kind),
                    null,
                    Double.parseDouble(columns[1 + kind]))
                .besidePaper(Double.parseDouble(columns[1 + KINDS.size() + kind])));
      }
    }
    return rows;
  }
}
