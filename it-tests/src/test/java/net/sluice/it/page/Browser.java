package net.sluice.it.page;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.sluice.testing.Patience;
import net.sluice.testing.Prerequisite;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A Chromium without a window, in which a page of one server is looked at. */
public final class Browser implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String AXE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";

  /** No subscriber has the id that is searched for. */
  private static final Pattern EXPECTED = Pattern.compile("/subscribers/[^/]* .*status of 404 ");

  private static final int MOST_HEIGHT = 5000;
  private static final int FIRST_SCREEN_HEIGHT = 900;

  private final ChromeDriver driver;
  private final URI base;

  /**
   * Opens one that has loaded nothing yet.
   *
   * @param base of the server, with a slash at the end
   */
  public Browser(URI base) {
    this.base = base;
    File chromium = onPath("chromium");
    File chromedriver = onPath("chromedriver");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium);
    options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars");
    options.setCapability("goog:loggingPrefs", logs);
    driver =
        new ChromeDriver(
            new ChromeDriverService.Builder().usingDriverExecutable(chromedriver).build(), options);
  }

  private static File onPath(String program) {
    Optional<File> found =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .map(folder -> new File(folder, program))
            .filter(File::canExecute)
            .findFirst();
    return found.orElseGet(
        () ->
            Prerequisite.CHROMIUM.skip(
                program + " is not on PATH; the web page is not looked at in a browser"));
  }

  /** The size of the window, and the mode: {@code light} or {@code dark}. */
  public void show(int width, String mode) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 600));
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", mode))));
  }

  /** Goes to a view and waits until all of it is there. */
  public void open(String view) {
    driver.get(base.resolve("#/" + view).toString());
    awaitQuiet();
  }

  /** Waits until nothing is awaited by the page any more. */
  void awaitQuiet() {
    await("return !!document.querySelector('main h1') && !document.querySelector('main .loading')");
  }

  /** Waits until an expression is true in the page. */
  void await(String script) {
    patiently().until(it -> Boolean.TRUE.equals(driver.executeScript(script)));
  }

  private WebDriverWait patiently() {
    return new WebDriverWait(
        driver, Duration.ofSeconds(Patience.PROCESS_SECONDS), Duration.ofMillis(50));
  }

  /** The element that a CSS selector finds, once it is seen. */
  public WebElement find(String selector) {
    return patiently()
        .until(ExpectedConditions.visibilityOfElementLocated(By.cssSelector(selector)));
  }

  /** Clicks the button with a text, once it can be. */
  void click(String text) {
    patiently()
        .until(
            ExpectedConditions.elementToBeClickable(
                By.xpath("//button[normalize-space()='" + text + "']")))
        .click();
  }

  /** Waits until the page has a text. */
  public void awaitText(String text) {
    patiently().until(it -> driver.findElement(By.tagName("body")).getText().contains(text));
  }

  /** The text that is seen. */
  String text() {
    return driver.findElement(By.tagName("body")).getText();
  }

  /** Number of elements that a CSS selector finds, seen or not. */
  int count(String selector) {
    return driver.findElements(By.cssSelector(selector)).size();
  }

  /** What axe-core finds wrong with what is shown. */
  public List<?> violations() {
    if (driver.executeScript("return !!window.axe") != Boolean.TRUE) {
      driver.executeScript(axe());
    }
    return (List<?>)
        driver.executeAsyncScript(
            "const done = arguments[arguments.length - 1]; axe.run(document, {resultTypes:"
                + " ['violations']}).then((found) => done(found.violations.map((each) => each.id +"
                + " ': ' + each.nodes.map((node) => node.html).slice(0, 3))), (e) => done([e]))");
  }

  private static String axe() {
    try (InputStream in = Browser.class.getResourceAsStream(AXE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the page is wider than the window. */
  boolean isTooWide() {
    return driver.executeScript("return document.documentElement.scrollWidth > innerWidth")
        == Boolean.TRUE;
  }

  /** Writes a picture of the part of the view that a window shows, for the documentation. */
  void firstScreen(Path file) throws IOException {
    picture(file, FIRST_SCREEN_HEIGHT);
  }

  /** Writes a picture of the whole view. */
  void picture(Path file) throws IOException {
    picture(file, MOST_HEIGHT);
  }

  private void picture(Path file, int mostHeight) throws IOException {
    Number width = (Number) driver.executeScript("return innerWidth");
    Number height = (Number) driver.executeScript("return document.documentElement.scrollHeight");
    Object data =
        driver
            .executeCdpCommand(
                "Page.captureScreenshot",
                Map.of(
                    "captureBeyondViewport",
                    true,
                    "clip",
                    Map.of(
                        "x", 0,
                        "y", 0,
                        "width", width,
                        "height", Math.min(height.intValue(), mostHeight),
                        "scale", 1)))
            .get("data");
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode((String) data));
  }

  /** Errors in the console since the last call, but for answers that the page expects. */
  public List<String> errors() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
        .map(LogEntry::getMessage)
        .filter(message -> !EXPECTED.matcher(message).find())
        .toList();
  }

  /** Requests of the page since this was last asked. */
  record Traffic(List<String> foreign, long bytes) {}

  /** The addresses that were asked for and are not the server's, and the bytes that came. */
  Traffic traffic() throws IOException {
    List<String> foreign = new ArrayList<>();
    long bytes = 0;
    for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
      var message = MAPPER.readTree(entry.getMessage()).get("message");
      String method = message.get("method").asText();
      if (method.equals("Network.requestWillBeSent")) {
        String url = message.at("/params/request/url").asText();
        if (!url.startsWith(base.toString()) && !url.startsWith("data:")) {
          foreign.add(url);
        }
      } else if (method.equals("Network.loadingFinished")) {
        bytes += message.at("/params/encodedDataLength").asLong();
      }
    }
    return new Traffic(foreign, bytes);
  }

  @Override
  public void close() {
    driver.quit();
  }
}
