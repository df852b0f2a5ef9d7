package net.sluice.lab.report.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;

/** A self-contained page: well-formed XHTML with its style and charts inline, no script. */
public final class HtmlPage {
  /** The style of charts, which also goes with one that is taken away; a colour has one meaning. */
  static final String CHARTS =
      """
      svg text { font: 12px system-ui, sans-serif; fill: currentColor; } svg text.title { font-weight: 600; }
      .paper { fill: #9aa4af; } .measured { fill: #0072b2; } .direction { fill: #e69f00; } .missed { fill: #d55e00; } .allowed { fill: #009e7326; stroke: #009e7380; stroke-dasharray: 3 2; }
      .limit { stroke: #00795a; stroke-width: 1.6; } svg text.value { font-size: 10px; } .middle { text-anchor: middle; } svg text.bad { fill: #b8480a; font-weight: 600; }
      .s0 { fill: #b8860b; stroke: #b8860b; } .s1 { fill: #7a5195; stroke: #7a5195; } .s2 { fill: #1a8a8a; stroke: #1a8a8a; } .s3 { fill: #cc79a7; stroke: #cc79a7; }
      .s4 { fill: #56b4e9; stroke: #56b4e9; } .s5 { fill: #8b5a2b; stroke: #8b5a2b; } .s6 { fill: #7c8a1f; stroke: #7c8a1f; }
      .grid { stroke: #8884; } .line { fill: none; stroke-width: 1.6; } .whisker { stroke: currentColor; } .box { fill: #8882; stroke: #8888; } .way { fill: none; stroke: #888; stroke-width: 1.6; }
      @media (prefers-color-scheme: dark) {
        svg text.bad { fill: #ff9c5a; } .paper { fill: #7d8791; } .measured { fill: #4aa8e0; } .direction { fill: #f0b43c; } .missed { fill: #f07d28; } .limit { stroke: #35c79b; }
        .s1 { fill: #b08fd0; stroke: #b08fd0; } .s2 { fill: #3fc1c1; stroke: #3fc1c1; } .s5 { fill: #c08a55; stroke: #c08a55; }
      }
      """;

  private static final String STYLE =
      """
      :root { color-scheme: light dark; }
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } p, ul { max-width: 48rem; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; width: 100%; }
      th, td { padding: .2rem .35rem; text-align: right; border-bottom: 1px solid #8884; vertical-align: top; }
      th:first-child, td:first-child { text-align: left; }
      svg { display: block; width: 100%; max-width: 42rem; height: auto; }
      @media (max-width: 70rem) {
        table, tbody, tr, td { display: block; } thead { display: none; }
        tr { margin: 0 0 1rem; border: 1px solid #8884; border-radius: .3rem; padding: .2rem .4rem; max-width: 28rem; }
        td, td:first-child { display: flex; justify-content: space-between; gap: 1rem; border: 0; text-align: right; }
        td::before { content: attr(data-label); text-align: left; opacity: .7; }
        td:first-child { font-weight: 600; }
      }
      .lead { font-size: 1.1rem; max-width: 60rem; border-left: .3rem solid; padding-left: .8rem; } .lead span { color: CanvasText; } .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.5rem; }
      figure { margin: 0; } figcaption { font-weight: 600; } figcaption small { display: block; font-weight: 400; font-size: 13px; opacity: .8; }
      details { margin: 1.5rem 0; } summary { cursor: pointer; font-weight: 600; } tr.missed td:last-child, tr.missed td:first-child { color: #b8480a; font-weight: 600; }
      .ok { color: #0a7a3d; } .bad { color: #b8480a; }
      .take { margin: .2rem 0 1rem; font-size: 13px; } .take a { color: inherit; } footer { margin-top: 3rem; padding-top: .6rem; border-top: 1px solid #8884; font-size: 13px; }
      @media (prefers-color-scheme: dark) {
        .ok { color: #57c98a; } .bad, tr.missed td:last-child, tr.missed td:first-child { color: #ff9c5a; }
      }
      @media print {
        :root { color-scheme: light; } body { margin: 0; max-width: none; font-size: 11pt; } .take { display: none; }
        figure, tr, svg { break-inside: avoid; } details:not([open])::details-content { content-visibility: visible; } h2 { break-after: avoid; }
      }
      """;

  private final StringBuilder content = new StringBuilder();
  private final String title;

  /** A page with that title and first heading. */
  public HtmlPage(String title) {
    this.title = title;
    add(new Svg().element("h1", title));
  }

  /** A section's heading. */
  public HtmlPage heading(String text) {
    return add(new Svg().element("h2", text));
  }

  /** A paragraph. */
  public HtmlPage paragraph(String text) {
    return add(new Svg().element("p", text));
  }

  /** A paragraph that says whether all is well, in colour and in words. */
  public HtmlPage verdict(boolean ok, String text) {
    return add(
        new Svg().open("p", "class", ok ? "lead ok" : "lead bad").element("span", text).close());
  }

  /** A chart with a caption. */
  public record Figure(String title, String caption, String svg) {}

  /** Charts side by side, as many as the page is wide enough for. */
  public HtmlPage figures(List<Figure> figures) {
    content.append("<div class=\"figures\">\n");
    for (Figure figure : figures) {
      content.append("<figure>\n");
      add(
          new Svg()
              .open("figcaption")
              .element("span", figure.title())
              .element("small", figure.caption())
              .close());
      chart(figure.svg(), figure.title());
      content.append("</figure>\n");
    }
    content.append("</div>\n");
    return this;
  }

  /** A list of sentences; nothing if there are none. */
  public HtmlPage list(List<String> sentences) {
    if (sentences.isEmpty()) {
      return this;
    }
    Svg list = new Svg().open("ul");
    sentences.forEach(sentence -> list.element("li", sentence));
    return add(list.close());
  }

  /** A table; every line as long as {@code heads}. */
  public HtmlPage table(List<String> heads, List<List<String>> lines) {
    return table(heads, lines, line -> false);
  }

  /**
   * A table that is folded until its summary is chosen.
   *
   * @param missed which lines stand out
   */
  public HtmlPage foldedTable(
      String summary,
      List<String> heads,
      List<List<String>> lines,
      Predicate<List<String>> missed) {
    content.append("<details>\n");
    add(new Svg().element("summary", summary));
    table(heads, lines, missed);
    content.append("</details>\n");
    return this;
  }

  private HtmlPage table(
      List<String> heads, List<List<String>> lines, Predicate<List<String>> missed) {
    Svg table = new Svg().open("table").open("thead").open("tr");
    heads.forEach(head -> table.element("th", head));
    table.close().close().open("tbody");
    for (List<String> line : lines) {
      table.open("tr", missed.test(line) ? new Object[] {"class", "missed"} : new Object[0]);
      // On a narrow page every line is a card, and its cells bear the columns' names themselves.
      for (int i = 0; i < heads.size(); i++) {
        table.element("td", line.get(i), "data-label", heads.get(i));
      }
      table.close();
    }
    add(table.close().close());
    return taken("CSV", "text/csv", heads.get(0) + ".csv", Csv.text(heads, lines));
  }

  /** A chart drawn by this package. */
  public HtmlPage chart(String svg) {
    return chart(svg, title);
  }

  private HtmlPage chart(String svg, String name) {
    content.append(svg);
    // By itself a chart has no page around it that has its style.
    String alone =
        svg.replaceFirst(">", "><style>" + Matcher.quoteReplacement(CHARTS) + "</style>");
    return taken("SVG", "image/svg+xml", name + ".svg", alone);
  }

  /** A link that saves a part of the page as a file; there is no server to ask for it. */
  private HtmlPage taken(String word, String type, String name, String text) {
    String data = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    return add(
        new Svg()
            .open("p", "class", "take")
            .element(
                "a",
                word,
                "download",
                name,
                "href",
                "data:" + type + ";charset=utf-8;base64," + data)
            .close());
  }

  /** The last line: what the page was made by, and when. */
  public HtmlPage foot(String text) {
    return add(new Svg().element("footer", text));
  }

  /** The whole page. */
  public String text() {
    return "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
        + new Svg().empty("meta", "charset", "utf-8").text()
        + new Svg()
            .empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1")
            .text()
        + new Svg().element("title", title).text()
        + "<style>\n"
        + STYLE
        + CHARTS
        + "</style>\n</head>\n<body>\n"
        + content
        + "</body>\n</html>\n";
  }

  /** Writes the page to a file, replacing it. */
  public void write(Path file) {
    try {
      Files.writeString(file, text(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private HtmlPage add(Svg fragment) {
    content.append(fragment.text());
    return this;
  }
}
