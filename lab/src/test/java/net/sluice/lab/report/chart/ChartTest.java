package net.sluice.lab.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import net.sluice.lab.support.Figures;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ChartTest {
  private static Element parse(String xml) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    return document.getDocumentElement();
  }

  private static List<Element> elements(Element root, String tag) {
    NodeList nodes = root.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private static List<Element> bars(Element svg) {
    List<Element> bars = new ArrayList<>();
    for (Element rect : elements(svg, "rect")) {
      if (rect.getElementsByTagName("title").getLength() == 1) {
        bars.add(rect);
      }
    }
    return bars;
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  private static String bars(BarChart.Pair... pairs) {
    return BarChart.draw(
        "d", "bit/s", "predicted", "delivered", Figures::shortRate, List.of(pairs));
  }

  @Test
  void barsAreAsHighAsTheirValuesAndWhiskersReachFromLowToHigh() throws Exception {
    Element svg = parse(bars(new BarChart.Pair("gold", 20e6, 10e6, 5e6, 15e6)));
    List<Element> bars = bars(svg);
    assertThat(bars).hasSize(2);
    double predicted = number(bars.get(0), "height");
    double delivered = number(bars.get(1), "height");
    assertThat(predicted).isCloseTo(2 * delivered, within(0.1));
    assertThat(predicted).isCloseTo(Frame.BOTTOM - Frame.TOP, within(0.1));
    Element whisker =
        elements(svg, "line").stream()
            .filter(line -> line.getAttribute("class").equals("whisker"))
            .findFirst()
            .orElseThrow();
    assertThat(number(whisker, "y1") - number(whisker, "y2")).isCloseTo(delivered, within(0.1));
    assertThat(bars.get(0).getTextContent()).contains("gold, predicted: 20 Mbit/s");
  }

  @Test
  void ratesFarApartGetALogarithmicAxis() throws Exception {
    Element svg =
        parse(
            bars(
                new BarChart.Pair("big", 1e9, 1e9, 1e9, 1e9),
                new BarChart.Pair("small", 1e6, 1e6, 1e6, 1e6)));
    List<Element> bars = bars(svg);
    assertThat(number(bars.get(2), "height")).isGreaterThan(20);
    assertThat(svg.getTextContent()).contains("logarithmic");
  }

  @Test
  void missingValuesLeaveGapsAndNothingElse() throws Exception {
    Element svg = parse(bars(new BarChart.Pair("x", Double.NaN, 1, Double.NaN, Double.NaN)));
    assertThat(bars(svg)).hasSize(1);
    Element line =
        parse(
            LineChart.draw(
                "d",
                Axis.linear("t", 0, 3, Figures::number),
                Axis.fromZero("v", 4, Figures::number),
                false,
                List.of(
                    new LineChart.Series(
                        "s", new double[] {0, 1, 2, 3}, new double[] {0, 4, Double.NaN, 2}))));
    String path = elements(line, "path").get(0).getAttribute("d");
    assertThat(path.chars().filter(c -> c == 'M').count()).isEqualTo(2);
    assertThat(path.chars().filter(c -> c == 'L').count()).isEqualTo(1);
  }

  @Test
  void namesCannotBreakThePage() throws Exception {
    String name = "a<b>&\"c\"</svg>";
    HtmlPage page =
        new HtmlPage(name)
            .heading(name)
            .paragraph(name)
            .verdict(false, name)
            .list(List.of(name))
            .table(List.of(name, "x"), List.of(List.of(name, "1")))
            .chart(bars(new BarChart.Pair(name, 1, 1, 1, 1)));
    Element html = parse(page.text());
    assertThat(html.getTagName()).isEqualTo("html");
    assertThat(elements(html, "h1").get(0).getTextContent()).isEqualTo(name);
    assertThat(elements(html, "td")).hasSize(2);
    assertThat(elements(html, "svg")).hasSize(1);
  }

  /** Every text of a chart with its place, by the width of letters that charts count on. */
  private static void assertNothingIsClipped(String svgText) throws Exception {
    Element svg = parse(svgText);
    String[] box = svg.getAttribute("viewBox").split(" ");
    double top = Double.parseDouble(box[1]);
    double right = Double.parseDouble(box[2]);
    double bottom = top + Double.parseDouble(box[3]);
    for (Element text : elements(svg, "text")) {
      double x = number(text, "x");
      double y = number(text, "y");
      double width = Frame.LETTER * text.getTextContent().length();
      String anchor = text.getAttribute("text-anchor");
      double before = anchor.equals("end") ? width : anchor.equals("middle") ? width / 2 : 0;
      String name = text.getTextContent();
      if (text.hasAttribute("transform")) {
        // Turned upright, its end is its top.
        assertThat(y + before).as(name).isBetween(top, bottom);
        assertThat(x).as(name).isBetween(10.0, right);
      } else {
        assertThat(x - before).as(name).isGreaterThanOrEqualTo(0);
        assertThat(x - before + width).as(name).isLessThanOrEqualTo(right);
        assertThat(y).as(name).isBetween(top + 10, bottom);
      }
    }
  }

  @Test
  void noLabelIsClippedOrShortened() throws Exception {
    List<BarChart.Pair> pairs = new ArrayList<>();
    List<LineChart.Series> series = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String name = "a-group-with-a-rather-long-name-" + i;
      pairs.add(new BarChart.Pair(name, 20e6, 10e6, 5e6, 15e6));
      series.add(new LineChart.Series(name, new double[] {0, 9_999}, new double[] {0, 1}));
    }
    String many = bars(pairs.toArray(new BarChart.Pair[0]));
    assertNothingIsClipped(many);
    assertThat(elements(parse(many), "text"))
        .extracting(Element::getTextContent)
        .containsAll(pairs.stream().map(BarChart.Pair::name).toList());
    assertNothingIsClipped(bars(new BarChart.Pair("gold", 20e6, 10e6, 5e6, 15e6)));
    assertNothingIsClipped(
        LineChart.draw(
            "d",
            Axis.fromZero("time in the queue", 9_999, Figures::micros),
            Axis.fromZero("share of packets", 1, Figures::percent),
            false,
            series));
  }

  @Test
  void aPageReadsOnAPhone() throws Exception {
    String text =
        new HtmlPage("t")
            .table(List.of("group", "delivered"), List.of(List.of("gold", "22 Mbit/s")))
            .text();
    Element html = parse(text);
    assertThat(elements(html, "meta"))
        .extracting(meta -> meta.getAttribute("content"))
        .contains("width=device-width, initial-scale=1");
    assertThat(elements(html, "td"))
        .extracting(cell -> cell.getAttribute("data-label"))
        .containsExactly("group", "delivered");
    // Lines become cards instead of a table that is wider than the page, and nothing is kept on
    // one line.
    assertThat(text).contains("@media (max-width: 70rem)", "attr(data-label)");
    assertThat(text).doesNotContain("nowrap", "overflow-x");
  }

  @Test
  void pageLoadsNothing() throws Exception {
    Element html = parse(new HtmlPage("t").chart(bars(new BarChart.Pair("x", 1, 1, 1, 1))).text());
    assertThat(elements(html, "script")).isEmpty();
    assertThat(elements(html, "link")).isEmpty();
    assertThat(elements(html, "img")).isEmpty();
  }

  @Test
  void tablesAndChartsCanBeTakenAway() throws Exception {
    HtmlPage page =
        new HtmlPage("t")
            .table(List.of("group", "rate"), List.of(List.of("a, \"b\"", "22 Mbit/s")))
            .chart(bars(new BarChart.Pair("x", 1, 1, 1, 1)))
            .foot("28 November 2026");
    Element html = parse(page.text());
    List<String> files = new ArrayList<>();
    for (Element link : elements(html, "a")) {
      String[] parts = link.getAttribute("href").split(",");
      files.add(new String(Base64.getDecoder().decode(parts[1]), StandardCharsets.UTF_8));
    }
    assertThat(elements(html, "a"))
        .extracting(link -> link.getAttribute("download"))
        .containsExactly("group.csv", "t.svg");
    assertThat(files.get(0)).isEqualTo("group,rate\r\n\"a, \"\"b\"\"\",22 Mbit/s\r\n");
    // By itself a chart has its colours.
    Element svg = parse(files.get(1));
    assertThat(elements(svg, "style").get(0).getTextContent()).contains(".measured");
    assertThat(elements(html, "footer").get(0).getTextContent()).isEqualTo("28 November 2026");
    assertThat(page.text()).contains("@media print", "prefers-color-scheme: dark");
  }

  @Test
  void aNetworkHasItsBoxesAndWays() throws Exception {
    Element svg =
        parse(
            NetworkChart.draw(
                "d",
                List.of(
                    List.of(new NetworkChart.Box("port", List.of("1 Gbit/s"))),
                    List.of(
                        new NetworkChart.Box("gold", List.of("20 × 40 Mbit/s")),
                        new NetworkChart.Box("silver", List.of()))),
                List.of(
                    new NetworkChart.Way("port", "gold"), new NetworkChart.Way("port", "silver"))));
    assertThat(elements(svg, "rect")).hasSize(3);
    assertThat(elements(svg, "path")).hasSize(2);
    assertThat(elements(svg, "text"))
        .extracting(Element::getTextContent)
        .containsExactly("port", "1 Gbit/s", "gold", "20 × 40 Mbit/s", "silver");
    List<Element> boxes = elements(svg, "rect");
    assertThat(number(boxes.get(1), "x"))
        .isGreaterThan(number(boxes.get(0), "x") + number(boxes.get(0), "width"));
    assertThat(number(boxes.get(2), "y"))
        .isGreaterThan(number(boxes.get(1), "y") + number(boxes.get(1), "height"));
  }

  @Test
  void aLineThatWouldLieOnTheAxisMakesItLogarithmic() {
    assertThat(Axis.fitting("v", 1, 40, Figures::number).logarithmic()).isFalse();
    assertThat(Axis.fitting("v", 1, 60, Figures::number).logarithmic()).isTrue();
    assertThat(Axis.fitting("v", Double.POSITIVE_INFINITY, 0, Figures::number).min()).isZero();
  }

  @Test
  void axesEndAtRoundNumbersAndCoverTheirValues() {
    assertThat(Axis.fromZero("v", 21.8e6, Figures::shortRate).max()).isEqualTo(25e6);
    assertThat(Axis.fromZero("v", 1, Figures::percent).max()).isEqualTo(1);
    assertThat(Axis.fromZero("v", 0, Figures::number).max()).isPositive();
    assertThat(Axis.fromZero("v", 1, Figures::number).ticks()).startsWith(0.0).endsWith(1.0);
    assertThat(Axis.decades("v", 3, 4000, Figures::number).ticks())
        .containsExactly(1.0, 10.0, 100.0, 1000.0, 10_000.0);
    assertThatThrownBy(() -> Axis.linear("v", 2, 2, Figures::number))
        .hasMessage("v: no axis from 2.0 to 2.0");
  }
}
