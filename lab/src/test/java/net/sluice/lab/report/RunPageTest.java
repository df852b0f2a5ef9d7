package net.sluice.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import net.sluice.lab.report.PaperFigure.Bar;
import net.sluice.lab.report.PaperFigure.Scale;
import net.sluice.lab.report.chart.HtmlPage;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The order of an experiment's page: verdict, charts, notes, folded rows. */
class RunPageTest {
  private static final Row GOLD =
      Row.reproduces("a.gold", "bit/s", 21.8e6, 21.5e6, 0.05).asFitted();
  private static final Row SILVER = Row.reproduces("c.silver", "bit/s", 400e3, 429.2e3, 0.05);
  private static final Row LOSS = Row.within("a.loss", "1", 0, 0, 0.001);
  private static final Row GOODPUT =
      Row.reproduces("d.over", "1", 1.157, 1.01, 0.05).besideBaseline(1);
  private static final Row ECN = Row.atLeast("f.tcp", "1", null, 0.918, 0.95);
  private static final Row PLAIN = Row.plain("a.spread", "1", null, 0.087);
  private static final Row UNDRAWN = Row.atMost("z.other", "s", null, 3, 2);

  private static final List<PaperFigure> FIGURES =
      List.of(
          new PaperFigure(
              "Goodput",
              "Figure 4.",
              Scale.KILOBIT_PER_SECOND,
              List.of(new Bar("Gold", GOLD), new Bar("Silver", SILVER))),
          new PaperFigure("Loss", "", Scale.PERCENT, List.of(new Bar("probe", LOSS))),
          new PaperFigure("Over Gold", "", Scale.RATIO, List.of(new Bar("ECN", ECN))),
          new PaperFigure("Over meters", "", Scale.RATIO, List.of(new Bar("500us", GOODPUT))));

  private static Element parse(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)))
        .getDocumentElement();
  }

  private static List<Element> children(Node of) {
    List<Element> elements = new ArrayList<>();
    for (Node child = of.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element) {
        elements.add(element);
      }
    }
    return elements;
  }

  private static List<Element> all(Element root, String tag) {
    NodeList nodes = root.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private static String page(List<Row> rows) {
    return RunPage.page(
            "An experiment",
            new RunReport("x", 1, rows),
            "What ran.",
            FIGURES,
            Map.of("More", List.of(new HtmlPage.Figure("m", "", "<svg/>"))),
            List.of("A note."))
        .text();
  }

  @Test
  void theVerdictSaysOneWordForEachFigureAndNamesWhatIsOff() {
    assertThat(VerdictText.of(FIGURES, List.of(GOLD, SILVER, LOSS, GOODPUT, ECN, PLAIN, UNDRAWN)))
        .isEqualTo(
            "Figures of the paper: 1 reproduced, 1 direction, 1 missed; 1 fitted: inputs were derived"
                + " from them. Sluice's own bounds: 0 kept, 2 missed. Direction only: Over meters:"
                + " 500us 1.01 instead of 1.16 (-13 %). Missed: Goodput: Silver 429 kbit/s instead"
                + " of 400 kbit/s (+7.3 %); Over Gold: ECN 0.918 instead of at least 0.95 (-3.4 %);"
                + " z other.");
    assertThat(VerdictText.of(FIGURES.subList(1, 2), List.of(LOSS)))
        .isEqualTo("Figures of the paper: 1 reproduced, 0 direction, 0 missed.");
    assertThat(VerdictText.of(List.of(), List.of(PLAIN)))
        .isEqualTo("Nothing is required of these rows.");
  }

  @Test
  void manyMissesOfAFigureAreASpan() {
    List<Bar> bars = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      rows.add(Row.atMost("mean." + i, "ms", null, 4.0 + i, 5).asClaimed());
      bars.add(new Bar("cell " + i, rows.get(i)));
    }
    PaperFigure delays = new PaperFigure("Mean delay", "", Scale.MILLISECONDS, bars);
    assertThat(VerdictText.of(List.of(delays), rows))
        .isEqualTo(
            "Figures of the paper: 2 reproduced, 0 direction, 4 missed. Missed: Mean delay: 4 of 6,"
                + " by 1 ms to 4 ms.");
  }

  @Test
  void verdictComesFirstThenChartsThenRowsFoldedMissesFirst() throws Exception {
    List<Row> rows = List.of(GOLD, SILVER, LOSS, PLAIN, ECN);
    Element body = all(parse(page(rows)), "body").get(0);
    List<Element> parts = children(body);
    assertThat(parts)
        .extracting(Element::getTagName)
        .containsExactly(
            "h1", "p", "table", "p", "p", "div", "h2", "div", "h2", "p", "h2", "details");
    assertThat(parts.get(1).getTextContent().strip()).isEqualTo(VerdictText.of(FIGURES, rows));
    assertThat(parts.get(1).getAttribute("class")).isEqualTo("lead bad");
    assertThat(all(parts.get(2), "tr"))
        .extracting(line -> all(line, "td").stream().map(Element::getTextContent).toList())
        .contains(
            List.of("figures of the paper", "1", "-", "1", "-", "1", "-"),
            List.of("Sluice's own", "-", "-", "-", "-", "1", "-"),
            List.of("shown only", "-", "-", "-", "-", "-", "1"));
    assertThat(parts.get(4).getTextContent()).isEqualTo("What ran.");
    assertThat(all(parts.get(5), "figure")).hasSize(FIGURES.size());
    assertThat(all(parts.get(7), "figure")).hasSize(1);
    assertThat(parts.get(9).getTextContent()).isEqualTo("A note.");

    Element details = parts.get(11);
    assertThat(details.hasAttribute("open")).isFalse();
    assertThat(all(body, "table")).hasSize(2);
    assertThat(all(details, "table")).hasSize(1);
    assertThat(children(details).get(0).getTextContent()).isEqualTo("5 rows, the 2 missed first");
    List<Element> lines = all(all(details, "tbody").get(0), "tr");
    assertThat(lines)
        .extracting(line -> all(line, "td").get(0).getTextContent())
        .containsExactly("c silver", "f tcp", "a gold", "a loss", "a spread");
    assertThat(lines)
        .extracting(line -> line.getAttribute("class"))
        .containsExactly("missed", "missed", "", "", "");
  }

  @Test
  void aPageOnWhichAllIsWellSaysSo() throws Exception {
    Element body = all(parse(page(List.of(GOLD, LOSS))), "body").get(0);
    assertThat(children(body).get(1).getAttribute("class")).isEqualTo("lead ok");
    assertThat(all(body, "summary").get(0).getTextContent()).isEqualTo("2 rows");
  }

  @Test
  void aFigureHasPaperBesideMeasuredInItsUnitAndMarksTheMiss() throws Exception {
    Element svg = parse(FIGURES.get(0).chart());
    List<Element> bars =
        all(svg, "rect").stream()
            .filter(rect -> rect.getElementsByTagName("title").getLength() == 1)
            .toList();
    assertThat(bars)
        .extracting(bar -> bar.getAttribute("class") + ": " + bar.getTextContent().strip())
        .containsExactly(
            "paper: Gold, paper: 21800",
            "measured: Gold, measured: 21500",
            "paper: Silver, paper: 400",
            "measured missed: Silver, measured: 429");
    assertThat(all(svg, "text"))
        .extracting(Element::getTextContent)
        .contains("kbit/s", "paper", "measured", "missed", "allowed", "Gold", "Silver");
    assertThat(all(svg, "rect")).anyMatch(rect -> rect.getAttribute("class").equals("allowed"));
  }
}
