package net.sluice.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.sluice.it.serve.SluiceProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page over the traffic of {@code demo --live}, in real time. With {@code -Dgolden.update=true}
 * the pictures of README and documentation are made anew.
 */
@Tag("long")
final class LiveDemoPageTest {
  private static final Path PICTURES = Path.of("target", "pictures");
  private static final Path DOCS = Path.of("..", "docs", "images");

  /** So many points make a chart worth looking at: more than a minute's. */
  private static final int POINTS = 35;

  private static final long MOST_PICTURE_BYTES = 150_000;

  /** A view, the name of its picture in the documentation, and an element that traffic fills. */
  private record View(String address, String picture, String filled) {}

  private static final List<View> VIEWS =
      List.of(
          new View("subscribers/household", "subscriber", ".why .bars"),
          new View("", "overview", ".top-list a"),
          new View("ports/switch/1", "port", ".stacked i"));

  @TempDir Path folder;

  @Test
  void aNewcomerSeesEachSubscribersTraffic() throws Exception {
    try (SluiceProcess demo =
        SluiceProcess.sluice(folder.resolve("log"), "demo", "--live", "--http", "127.0.0.1:0")) {
      List<String> told = new ArrayList<>();
      do {
        told.add(demo.firstLine());
      } while (!told.get(told.size() - 1).startsWith("log: "));
      // The log goes to the file that the last line names.
      Path log = Path.of(told.get(told.size() - 1).substring("log: ".length()));
      assertThat(Files.readString(folder.resolve("log"))).isEmpty();
      assertThat(log).content().contains("TargetSession");
      Files.delete(log);
      String page =
          told.stream().filter(line -> line.startsWith("http://")).findFirst().orElseThrow();
      try (Browser browser = new Browser(URI.create(page))) {
        browser.show(1440, "light");
        browser.open("subscribers/household");
        browser.await(
            "return document.querySelectorAll('[aria-label=Usage] tbody tr').length >= " + POINTS);
        // What limits it is known with the second sweep of all counters.
        browser.awaitText("entitled to");
        for (String mode : List.of("light", "dark")) {
          for (int width : List.of(1440, 390)) {
            browser.show(width, mode);
            for (View view : VIEWS) {
              browser.open(view.address);
              browser.find(view.filled);
              Path picture = PICTURES.resolve("%s-%d-%s.png".formatted(view.picture, width, mode));
              browser.picture(picture);
              assertThat(browser.violations()).as("%s %d %s", view, width, mode).isEmpty();
              assertThat(browser.isTooWide()).as("%s %d %s", view, width, mode).isFalse();
              assertThat(browser.errors()).as("console at %s", view).isEmpty();
              if (width > 1000 && mode.equals("light") && Boolean.getBoolean("golden.update")) {
                browser.firstScreen(DOCS.resolve("page-" + view.picture + ".png"));
              }
            }
          }
        }
      }
    }
    for (View view : VIEWS) {
      Path picture = DOCS.resolve("page-" + view.picture + ".png");
      assertThat(Files.size(picture)).as("%s", picture).isLessThan(MOST_PICTURE_BYTES);
    }
  }
}
