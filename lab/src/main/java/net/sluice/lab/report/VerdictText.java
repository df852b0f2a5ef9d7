package net.sluice.lab.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A run's verdict in words: how many rows got which, and which are off by how much. */
public final class VerdictText {
  /** Heads of the table of counts. */
  static final List<String> HEADS =
      List.of("rows", "reproduced", "direction", "fitted", "kept", "missed", "without a bound");

  private static final List<Verdict> COLUMNS =
      List.of(
          Verdict.REPRODUCED,
          Verdict.DIRECTION,
          Verdict.FITTED,
          Verdict.KEPT,
          Verdict.MISSED,
          Verdict.NONE);

  private final List<PaperFigure> figures;
  private final List<Row> rows;

  private VerdictText(List<PaperFigure> figures, List<Row> rows) {
    this.figures = figures;
    this.rows = rows;
  }

  /** The sentences about all rows; those in no figure go by their names. */
  public static String of(List<PaperFigure> figures, List<Row> rows) {
    return new VerdictText(figures, rows).text();
  }

  /** How many rows have which verdict: the paper's, Sluice's own, and those without a bound. */
  static List<List<String>> lines(List<Row> rows) {
    Map<String, List<Row>> kinds = new LinkedHashMap<>();
    kinds.put("figures of the paper", rows.stream().filter(Row::claimed).toList());
    kinds.put(
        "Sluice's own",
        rows.stream().filter(row -> !row.claimed() && row.bound() != null).toList());
    kinds.put("shown only", rows.stream().filter(row -> row.bound() == null).toList());
    kinds.values().removeIf(List::isEmpty);
    List<List<String>> lines = new ArrayList<>();
    kinds.forEach(
        (name, of) -> {
          List<String> line = new ArrayList<>(List.of(name));
          for (Verdict verdict : COLUMNS) {
            long count = of.stream().filter(row -> row.verdict() == verdict).count();
            line.add(count == 0 ? "-" : Long.toString(count));
          }
          lines.add(line);
        });
    return lines;
  }

  private String text() {
    List<String> sentences = new ArrayList<>();
    Map<Verdict, Long> papers = counts(true);
    if (!papers.isEmpty()) {
      String fitted =
          papers.containsKey(Verdict.FITTED)
              ? "; %d fitted: inputs were derived from them".formatted(papers.get(Verdict.FITTED))
              : "";
      sentences.add(
          "Figures of the paper: "
              + said(papers, Verdict.REPRODUCED, Verdict.DIRECTION, Verdict.MISSED)
              + fitted
              + ".");
    }
    Map<Verdict, Long> own = counts(false);
    if (!own.isEmpty()) {
      sentences.add("Sluice's own bounds: " + said(own, Verdict.KEPT, Verdict.MISSED) + ".");
    }
    if (sentences.isEmpty()) {
      return "Nothing is required of these rows.";
    }
    name("Direction only", Verdict.DIRECTION, sentences);
    name("Missed", Verdict.MISSED, sentences);
    return String.join(" ", sentences);
  }

  private Map<Verdict, Long> counts(boolean claimed) {
    Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
    rows.stream()
        .filter(row -> row.bound() != null && row.claimed() == claimed)
        .forEach(row -> counts.merge(row.verdict(), 1L, Long::sum));
    return counts;
  }

  private static String said(Map<Verdict, Long> counts, Verdict... verdicts) {
    List<String> said = new ArrayList<>();
    for (Verdict verdict : verdicts) {
      said.add(counts.getOrDefault(verdict, 0L) + " " + verdict.word());
    }
    return String.join(", ", said);
  }

  private void name(String head, Verdict verdict, List<String> sentences) {
    List<String> named = new ArrayList<>();
    Set<Row> drawn = new HashSet<>();
    for (PaperFigure figure : figures) {
      figure.outside(verdict).ifPresent(named::add);
      figure.bars().forEach(bar -> drawn.add(bar.row()));
    }
    rows.stream()
        .filter(row -> row.outside(verdict) && !drawn.contains(row))
        .map(row -> RowText.words(row.name()))
        .forEach(named::add);
    if (!named.isEmpty()) {
      sentences.add(head + ": " + String.join("; ", named) + ".");
    }
  }
}
