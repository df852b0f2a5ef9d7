package net.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.eclipse.jetty.ee8.servlet.ServletContextHandler;
import org.eclipse.jetty.ee8.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PageServletTest {
  private static final Path OWN = Path.of("src/main/resources/net/sluice/web/page");
  private static final Pattern LOADED =
      Pattern.compile("(?:href|src)=\"([^\"]+)\"|\"(\\./page/lib/[^\"]+)\"");

  /** What a browser has to load before it shows anything, compressed. */
  private static final int MOST_BYTES = 300_000;

  private final HttpClient client = HttpClient.newHttpClient();
  private Server server;

  @BeforeEach
  void serve() throws Exception {
    server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    ServletContextHandler context = new ServletContextHandler(null, "/some/app", false, false);
    ServletHolder page = new ServletHolder(new PageServlet());
    page.setInitParameter(PageServlet.API, "v1/");
    page.setInitParameter(PageServlet.LOGIN, "Basic");
    for (String path : PageServlet.PATHS) {
      context.addServlet(page, path);
    }
    server.setHandler(context.get());
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  private HttpResponse<byte[]> send(String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.getURI() + "/" + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private String text(String path) throws Exception {
    HttpResponse<byte[]> answer = send("GET", path);
    assertThat(answer.statusCode()).as(path).isEqualTo(200);
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static String header(HttpResponse<byte[]> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  @Test
  void theDocumentSaysWhereTheApiIsAndHowToSignIn() throws Exception {
    assertThat(text(""))
        .contains("<meta name=\"sluice-api\" content=\"v1/\">")
        .contains("<meta name=\"sluice-login\" content=\"Basic\">");
  }

  /** Nothing that is written into the page runs, and nothing is asked of another host. */
  @Test
  void thePolicyLetsOnlyThePageItselfRun() throws Exception {
    HttpResponse<byte[]> answer = send("GET", "");
    String policy = header(answer, "Content-Security-Policy");
    Matcher map =
        Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL)
            .matcher(new String(answer.body(), StandardCharsets.UTF_8));
    assertThat(map.find()).isTrue();
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(map.group(1).getBytes(StandardCharsets.UTF_8));
    assertThat(policy)
        .startsWith("default-src 'none'; ")
        .contains("script-src 'self' 'sha256-" + Base64.getEncoder().encodeToString(hash) + "';")
        .contains("connect-src 'self';", "frame-ancestors 'none'", "base-uri 'none'")
        .doesNotContain("unsafe", "http:", "https:", "*");
    assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header(answer, "Referrer-Policy")).isEqualTo("no-referrer");
  }

  @Test
  void everyFileIsServedNamesNoOtherHostAndWritesNoMarkup() throws Exception {
    try (Stream<Path> files = Files.list(OWN)) {
      for (Path file : files.filter(each -> !each.endsWith("index.html")).toList()) {
        String content = text("page/" + file.getFileName());
        assertThat(content).isEqualTo(Files.readString(file));
        assertThat(content.replace("http://www.w3.org/2000/svg", ""))
            .as(file.toString())
            .doesNotContainPattern("https?://")
            .doesNotContain("innerHTML", "dangerouslySet", "insertAdjacent", "eval(");
      }
    }
  }

  @Test
  void whatIsLoadedFirstIsSmall() throws Exception {
    List<String> loaded = new ArrayList<>(List.of(""));
    Matcher named = LOADED.matcher(text(""));
    while (named.find()) {
      loaded.add(named.group(1) != null ? named.group(1) : named.group(2).substring(2));
    }
    assertThat(loaded).contains("page/app.js", "page/page.css", "page/lib/htm/htm.module.js");
    int bytes = 0;
    for (String path : loaded) {
      HttpResponse<byte[]> answer = send("GET", path, "Accept-Encoding", "br, gzip;q=0.5");
      assertThat(answer.statusCode()).as(path).isEqualTo(200);
      bytes += answer.body().length;
    }
    assertThat(bytes).isLessThan(MOST_BYTES);
  }

  @Test
  void aFileIsCompressedForWhoTakesThat() throws Exception {
    HttpResponse<byte[]> gzip = send("GET", "page/app.js", "Accept-Encoding", "gzip");
    assertThat(header(gzip, "Content-Encoding")).isEqualTo("gzip");
    assertThat(header(gzip, "Vary")).isEqualTo("Accept-Encoding");
    assertThat(new GZIPInputStream(new ByteArrayInputStream(gzip.body())).readAllBytes())
        .isEqualTo(Files.readAllBytes(OWN.resolve("app.js")));
    for (String refused : List.of("identity", "gzip;q=0", "br")) {
      HttpResponse<byte[]> plain = send("GET", "page/app.js", "Accept-Encoding", refused);
      assertThat(header(plain, "Content-Encoding")).as(refused).isEmpty();
      assertThat(header(plain, "ETag")).isNotEqualTo(header(gzip, "ETag"));
    }
  }

  @Test
  void aFileThatIsKnownIsNotSentAgain() throws Exception {
    HttpResponse<byte[]> first = send("GET", "page/page.css");
    assertThat(header(first, "Cache-Control")).isEqualTo("no-cache");
    String tag = header(first, "ETag");
    HttpResponse<byte[]> again = send("GET", "page/page.css", "If-None-Match", tag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(send("GET", "page/page.css", "If-None-Match", "\"other\"").statusCode())
        .isEqualTo(200);
  }

  @Test
  void nothingElseIsServed() throws Exception {
    for (String path :
        List.of("page", "page/", "page/index.html", "page/lib", "page/PageServlet.class", "v1/x")) {
      assertThat(send("GET", path).statusCode()).as(path).isEqualTo(404);
    }
    HttpResponse<byte[]> refused = send("POST", "");
    assertThat(refused.statusCode()).isEqualTo(405);
    assertThat(header(refused, "Allow")).isEqualTo("GET, HEAD");
    HttpResponse<byte[]> head = send("HEAD", "page/app.js");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(header(head, "Content-Length")).isNotEqualTo("0");
  }
}
