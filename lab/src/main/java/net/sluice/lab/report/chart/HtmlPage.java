package net.sluice.lab.report.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A self-contained page: well-formed XHTML with its style and charts inline, no script. */
public final class HtmlPage {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; }
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } p, ul { max-width: 48rem; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; width: 100%; }
      th, td { padding: .2rem .35rem; text-align: right; border-bottom: 1px solid #8884; vertical-align: top; }
      th:first-child, td:first-child { text-align: left; }
      svg { display: block; width: 100%; max-width: 42rem; height: auto; } svg text { font-size: 12px; fill: currentColor; } svg text.title { font-weight: 600; }
      @media (max-width: 70rem) {
        table, tbody, tr, td { display: block; } thead { display: none; }
        tr { margin: 0 0 1rem; border: 1px solid #8884; border-radius: .3rem; padding: .2rem .4rem; max-width: 28rem; }
        td, td:first-child { display: flex; justify-content: space-between; gap: 1rem; border: 0; text-align: right; }
        td::before { content: attr(data-label); text-align: left; opacity: .7; }
        td:first-child { font-weight: 600; }
      }
      .grid { stroke: #8884; } .line { fill: none; stroke-width: 1.6; } .whisker { stroke: currentColor; }
      .ok { color: #0a7a3d; } .bad { color: #c0392b; }
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
    return add(new Svg().element("p", text, "class", ok ? "ok" : "bad"));
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
    Svg table = new Svg().open("table").open("thead").open("tr");
    heads.forEach(head -> table.element("th", head));
    table.close().close().open("tbody");
    for (List<String> line : lines) {
      table.open("tr");
      // On a narrow page every line is a card, and its cells bear the columns' names themselves.
      for (int i = 0; i < heads.size(); i++) {
        table.element("td", line.get(i), "data-label", heads.get(i));
      }
      table.close();
    }
    return add(table.close().close());
  }

  /** A chart drawn by this package. */
  public HtmlPage chart(String svg) {
    content.append(svg);
    return this;
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
