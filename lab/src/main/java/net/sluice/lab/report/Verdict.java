package net.sluice.lab.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** One sentence about a run: how many bounds are kept, and which are missed by how much. */
public final class Verdict {
  private final List<PaperFigure> figures;
  private final List<Row> rows;

  private Verdict(List<PaperFigure> figures, List<Row> rows) {
    this.figures = figures;
    this.rows = rows;
  }

  /** The sentence about all rows with a bound; those in no figure go by their names. */
  public static String of(List<PaperFigure> figures, List<Row> rows) {
    return new Verdict(figures, rows).text();
  }

  private String text() {
    List<PaperFigure> papers = figures.stream().filter(PaperFigure::ofPaper).toList();
    List<PaperFigure> others =
        figures.stream().filter(Predicate.not(PaperFigure::ofPaper)).toList();
    List<Row> ofPaper = bound(papers);
    Set<Row> known = new HashSet<>(ofPaper);
    List<Row> further =
        rows.stream().filter(row -> row.bound() != null && !known.contains(row)).toList();
    List<String> parts = new ArrayList<>();
    if (!ofPaper.isEmpty()) {
      long fitted = ofPaper.stream().filter(row -> row.ok() && row.fitted()).count();
      parts.add(
          kept(ofPaper)
              + " of the paper's "
              + ofPaper.size()
              + " figures match"
              + (fitted == 0
                  ? ""
                  : " (" + fitted + " of them fitted: inputs were derived from them)"));
    }
    if (!further.isEmpty()) {
      String more = ofPaper.isEmpty() ? " bounds are kept" : " further bounds are kept";
      parts.add(kept(further) + " of " + further.size() + more);
    }
    if (parts.isEmpty()) {
      return "Nothing is required of these rows.";
    }
    List<String> misses = misses(ofPaper, papers);
    misses.addAll(misses(further, others));
    return String.join(", and ", parts)
        + (misses.isEmpty() ? "." : "; missed: " + String.join("; ", misses) + ".");
  }

  private static long kept(List<Row> rows) {
    return rows.stream().filter(Row::ok).count();
  }

  private static List<Row> bound(List<PaperFigure> figures) {
    return figures.stream()
        .flatMap(figure -> figure.bars().stream())
        .map(PaperFigure.Bar::row)
        .filter(row -> row.bound() != null)
        .distinct()
        .toList();
  }

  private static List<String> misses(List<Row> of, List<PaperFigure> figures) {
    Set<Row> shown = new HashSet<>(bound(figures));
    List<String> misses = new ArrayList<>();
    figures.forEach(figure -> figure.misses().ifPresent(misses::add));
    of.stream()
        .filter(row -> !row.ok() && !shown.contains(row))
        .map(Row::name)
        .forEach(misses::add);
    return misses;
  }
}
