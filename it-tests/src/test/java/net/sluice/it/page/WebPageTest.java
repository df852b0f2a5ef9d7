package net.sluice.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.it.serve.SluiceProcess;
import net.sluice.testing.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The web page of {@code serve} in a real browser, as people use it. */
final class WebPageTest {
  private static final Path PICTURES = Path.of("target", "pictures");
  private static final Pattern API = Pattern.compile("API (http://[^/]+/)sluice/v1");
  private static final int SUBSCRIBERS = 120;

  /** Most that the first view may take of a slow line. */
  private static final long FIRST_PAINT_BYTES = 300_000;

  /** A name that is markup in a page which does not take it for text. */
  private static final String MARKUP = "<img src=x onerror=alert(1)>";

  private static final List<String> VIEWS =
      List.of(
          "",
          "subscribers",
          "subscribers/alice",
          "switches",
          "ports",
          "ports/switch/1",
          "events",
          "conflicts",
          "simulate");

  @TempDir Path folder;
  private SluiceProcess serve;
  private Browser browser;
  private URI base;
  private String operator;
  private String reader;

  @BeforeEach
  void serve() throws Exception {
    String admin = token("noc", "admin");
    operator = token("desk", "operate");
    reader = token("guest", "read");
    serve =
        SluiceProcess.sluice(
            folder.resolve("log"),
            "serve",
            "--http",
            "127.0.0.1:0",
            "--data",
            folder.resolve("data").toString(),
            "--tokens",
            folder.resolve("tokens").toString());
    String ready = serve.firstLine();
    Matcher api = API.matcher(ready);
    assertThat(api.find()).as(ready).isTrue();
    base = URI.create(api.group(1));
    browser = new Browser(base);
    declare(admin);
  }

  private String token(String name, String role) throws Exception {
    try (SluiceProcess made =
        SluiceProcess.sluice(
            folder.resolve("log"),
            "token",
            "add",
            name,
            "--role",
            role,
            "--tokens",
            folder.resolve("tokens").toString())) {
      return made.firstLine();
    }
  }

  @AfterEach
  void end() {
    if (browser != null) {
      browser.close();
    }
    if (serve != null) {
      serve.close();
    }
  }

  private HttpResponse<String> send(
      String token, String method, String path, String body, String... headers) throws Exception {
    String[] all = new String[headers.length + 2];
    all[0] = "Authorization";
    all[1] = "Bearer " + token;
    System.arraycopy(headers, 0, all, 2, headers.length);
    return Http.send(method, base + "sluice/v1/" + path, body, all);
  }

  private static String line(String kind, String id, String value) {
    return "{\"op\":\"put\",\"kind\":\"%s\",\"id\":\"%s\",\"value\":{%s}}\n"
        .formatted(kind, id, value);
  }

  private void declare(String admin) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (String policy : List.of("gold", "silver")) {
      lines.append(
          line("policy", policy, "\"throughputValue\":{\"builtIn\":\"%s\"}".formatted(policy)));
    }
    lines.append(
        line(
            "subscriber",
            "alice",
            "\"policy\":\"gold\",\"prefixes\":[\"198.51.100.7/32\",\"2001:db8:7::/56\"],"
                + "\"attachment\":{\"port\":0,\"tree\":3},\"displayName\":\"Alice Example\","
                + "\"labels\":{\"site\":\"north\"}"));
    lines.append(
        line(
            "rate-limit",
            "alice-25",
            "\"scope\":{\"subscriber\":\"alice\"},\"downBps\":25000000,\"upBps\":5000000"));
    lines.append(
        line("rate-limit", "tree-3", "\"scope\":{\"port\":0,\"tree\":3},\"downBps\":2000000000"));
    for (int i = 0; i < SUBSCRIBERS; i++) {
      lines.append(
          line(
              "subscriber",
              "s" + i,
              "\"policy\":\"silver\",\"prefixes\":[\"10.0.%d.%d/32\"],\"attachment\":{\"port\":0,\"tree\":%d}%s"
                  .formatted(
                      i / 200,
                      i % 200 + 1,
                      i % 16,
                      i == 0 ? ",\"displayName\":\"" + MARKUP + "\"" : "")));
    }
    HttpResponse<String> made =
        send(
            admin,
            "POST",
            "bulk?atomic=true",
            lines.toString(),
            "Content-Type",
            "application/x-ndjson");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
  }

  private void signIn(String token) {
    browser.open("");
    browser.find("input[name=token]").clear();
    browser.find("input[name=token]").sendKeys(token, Keys.ENTER);
    browser.awaitText(SUBSCRIBERS + 1 + " subscribers");
  }

  private void assertSound(String view) throws Exception {
    assertThat(browser.errors()).as("console at '%s'", view).isEmpty();
    assertThat(browser.traffic().foreign()).as("requests at '%s'", view).isEmpty();
    assertThat(browser.count("img[src=x]")).as("markup at '%s'", view).isZero();
  }

  @Test
  void whoMayChangeThingsFindsChangesAndSuspendsASubscriber() throws Exception {
    browser.show(1440, "light");
    browser.open("");
    browser.find("input[name=token]").sendKeys("no token at all", Keys.ENTER);
    browser.find(".refusal");
    // The browser itself logs the answer 401.
    assertThat(browser.errors()).hasSize(1);
    signIn(operator);

    // "/" goes to the search, which finds by name, address and label.
    browser.find("body").sendKeys("/");
    browser.find("input[type=search]").sendKeys("ice exam", Keys.ENTER);
    browser.find("a[href='#/subscribers/alice']");
    for (String text : List.of("198.51.100.7", "2001:db8:7::1", "site:north", "alic")) {
      browser.find("input[type=search]").clear();
      browser.find("input[type=search]").sendKeys(text, Keys.ENTER);
      browser.awaitText("“" + text + "”");
      browser.awaitQuiet();
      browser.find("a[href='#/subscribers/alice']");
      assertThat(browser.count("tbody tr")).as(text).isEqualTo(1);
    }
    browser.find("a[href='#/subscribers/alice']").click();
    browser.awaitText("Alice Example");

    // A change shows its dry run, and only then is it made.
    browser.click("Change limit");
    browser.find("dialog input").sendKeys(Keys.chord(Keys.CONTROL, "a"), "50M");
    browser.awaitText("to fpga-down");
    assertThat(send(reader, "GET", "rate-limits/alice-25", null).body()).contains("25000000");
    browser.click("Make this change");
    browser.awaitText("Made.");
    browser.click("Done");
    assertThat(send(reader, "GET", "rate-limits/alice-25", null).body()).contains("50000000");

    // What a dry run refuses cannot be made.
    browser.click("Change limit");
    browser.find("dialog input").sendKeys(Keys.chord(Keys.CONTROL, "a"), "999T");
    browser.find("dialog .refusal");
    assertThat(browser.find("dialog button.main").isEnabled()).isFalse();
    browser.click("Close");
    // So does the browser of each refusal.
    assertThat(browser.errors()).allMatch(each -> each.contains("422"));

    browser.click("Suspend");
    browser.click("Make this change");
    browser.awaitText("Made.");
    browser.click("Done");
    browser.awaitText("suspended");
    browser.click("Resume");
    browser.click("Make this change");
    browser.awaitText("Made.");
    browser.click("Done");
    assertThat(send(reader, "GET", "subscribers/alice", null).body()).doesNotContain("suspended");
    assertSound("alice");
  }

  @Test
  void whoMayOnlyLookIsOfferedNoChangeAndTextIsNoMarkup() throws Exception {
    browser.show(390, "light");
    signIn(reader);
    browser.awaitQuiet();
    // Sign-in and overview, with all that they need.
    assertThat(browser.traffic().bytes()).isBetween(20_000L, FIRST_PAINT_BYTES);
    browser.show(1440, "light");
    browser.open("subscribers?q=" + "onerror");
    browser.awaitText(MARKUP);
    browser.open("subscribers/s0");
    browser.awaitText(MARKUP);
    assertThat(browser.text()).doesNotContain("Suspend", "Change limit", "Audit");
    browser.open("subscribers");
    assertThat(browser.text()).doesNotContain("Declare a subscriber");
    browser.open("switches");
    assertThat(browser.text()).contains("Drift").doesNotContain("Compare");
    assertSound("switches");
  }

  /** Every view, narrow and wide, light and dark; the pictures stay in target/pictures. */
  @Test
  @Tag("long")
  void noViewHasAnythingThatKeepsPeopleOut() throws Exception {
    browser.show(1440, "light");
    browser.open("");
    assertThat(browser.violations()).as("sign-in").isEmpty();
    signIn(operator);
    for (int width : List.of(1440, 390)) {
      for (String mode : List.of("light", "dark")) {
        browser.show(width, mode);
        for (String view : VIEWS) {
          browser.open(view);
          String name = view.isEmpty() ? "overview" : view.replace('/', '-');
          browser.picture(PICTURES.resolve("%s-%d-%s.png".formatted(name, width, mode)));
          assertThat(browser.violations()).as("%s %d %s", view, width, mode).isEmpty();
          assertThat(browser.isTooWide()).as("%s %d", view, width).isFalse();
          assertSound(view);
        }
      }
    }
  }
}
