package net.sluice.standalone.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import net.sluice.cli.Logging;
import net.sluice.cli.OptionException;
import net.sluice.core.Controller;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.model.Kind;
import net.sluice.rest.testing.MemoryController;
import net.sluice.standalone.Main;
import net.sluice.testing.AnswerCheck;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Who gets in over a real connection, and what becomes of everybody else. */
@Isolated("it looks at all that is logged, and commands of other tests begin the log anew")
final class GuardTest {
  private static final String API = "/sluice/v1";
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";

  @TempDir Path directory;

  private final MemoryController controller = new MemoryController(10);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final List<String> secrets = new ArrayList<>(List.of("no secret at all"));
  private TestCertificates certificates;
  private ServedApi server;
  private HttpClient client;

  @BeforeEach
  void listen() throws Exception {
    certificates = new TestCertificates(directory);
    // Commands of other tests may have turned it off.
    Logging.configure(Level.INFO, Logging.Format.TEXT);
    log.start();
    ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).addAppender(log);
  }

  @AfterEach
  void noSecretIsInTheLog() {
    if (server != null) {
      server.close();
    }
    ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).detachAppender(log);
    for (ILoggingEvent event : log.list) {
      assertThat(event.getFormattedMessage()).doesNotContain(secrets);
    }
  }

  private HttpOptions options(String... arguments) {
    HttpOptions options = new HttpOptions();
    new CommandLine(options)
        .registerConverter(InetSocketAddress.class, net.sluice.cli.ListenAddress::parse)
        .parseArgs(arguments);
    return options;
  }

  private String tokens() {
    return directory.resolve("tokens").toString();
  }

  private String token(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> all = new ArrayList<>(List.of("token"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--tokens", tokens()));
    int code =
        Main.commandLine(Optional.empty())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    assertThat(code).as(err.toString()).isZero();
    return out.toString().strip();
  }

  private String add(String name, String role) {
    String secret = token("add", name, "--role", role);
    secrets.add(secret);
    return secret;
  }

  private void start(Controller served, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--http", "127.0.0.1:0"));
    server = new ServedApi(served, options(all.toArray(String[]::new)).settings());
    client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  private HttpResponse<String> send(String method, String path, String secret, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.base() + path))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (secret != null) {
      request.header("Authorization", "Bearer " + secret);
    }
    return AnswerCheck.checked(client.send(request.build(), HttpResponse.BodyHandlers.ofString()));
  }

  private int status(String method, String path, String secret, String body) throws Exception {
    return send(method, path, secret, body).statusCode();
  }

  /** All that comes back for what is sent as it is. */
  private String raw(String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void withoutATokenOrWithAnUnknownOneNothingIsServed() throws Exception {
    add("oss", "admin");
    start(controller, "--tokens", tokens());
    HttpResponse<String> none = send("GET", "/status", null, null);
    assertThat(none.statusCode()).isEqualTo(401);
    assertThat(none.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"sluice\"");
    assertThat(none.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(none.body()).contains("urn:sluice:problem:unauthorized", "Authorization is absent");
    String wrong = "sluice_wrong-and-never-to-be-told-again";
    secrets.add(wrong);
    HttpResponse<String> unknown = send("PUT", "/policies/gold", wrong, GOLD);
    assertThat(unknown.statusCode()).isEqualTo(401);
    assertThat(unknown.body()).contains("is not known").doesNotContain(wrong);
    assertThat(controller.find(Kind.POLICY, "gold")).isEmpty();
  }

  @Test
  void everybodyIsToldTheDocumentOfTheApiAndNothingElse() throws Exception {
    add("oss", "admin");
    start(controller, "--tokens", tokens());
    HttpResponse<String> document = send("GET", "/openapi.json", null, null);
    assertThat(document.statusCode()).isEqualTo(200);
    assertThat(document.body()).contains("\"openapi\" : \"3.1.0\"", "\"/sluice/v1\"");
    for (String path :
        List.of(
            "/status",
            "/openapi.json/",
            "/./openapi.json",
            "/openapi%2ejson",
            "/openapi.json;x=1",
            "/docs/../status",
            "/docs/%2e%2e/status",
            "/docs%2f..%2fstatus",
            "/docs/other.js")) {
      String answer =
          raw(
              "GET /sluice/v1"
                  + path
                  + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertThat(answer).as(path).containsPattern("^HTTP/1.1 (400|401|404) ");
    }
    assertThat(status("PUT", "/openapi.json", null, GOLD)).isEqualTo(405);
    assertThat(status("DELETE", "/docs/page.js", null, null)).isEqualTo(405);
  }

  @Test
  void thePageOfTheDocumentTakesNothingFromAnywhereElse() throws Exception {
    add("oss", "admin");
    start(controller, "--tokens", tokens());
    HttpResponse<String> page = send("GET", "/docs", null, null);
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'")
        .doesNotContain("http");
    List<String> files =
        Pattern.compile("(?:href|src)=\"(docs/[^\"]+)\"")
            .matcher(page.body())
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(files).hasSize(3);
    for (String file : files) {
      assertThat(status("GET", "/" + file, null, null)).as(file).isEqualTo(200);
    }
  }

  @Test
  void theWebPageIsForEverybodyAndSaysHowToSignIn() throws Exception {
    start(controller);
    assertThat(Http.send("GET", server.base().resolve("/"), null).body())
        .contains("name=\"sluice-api\" content=\"sluice/v1/\"")
        .contains("name=\"sluice-login\" content=\"none\"");
    server.close();
    String secret = add("oss", "admin");
    start(controller, "--tokens", tokens());
    URI root = server.base().resolve("/");
    HttpResponse<String> page = Http.send("GET", root, null);
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("name=\"sluice-login\" content=\"Bearer\"");
    assertThat(Http.send("GET", root.resolve("page/app.js"), null).statusCode()).isEqualTo(200);
    assertThat(Http.send("POST", root, GOLD).statusCode()).isEqualTo(405);
    assertThat(Http.send("GET", root.resolve("page/none.js"), null).body())
        .contains("There is no resource /page/none.js; allowed: a path under /sluice/v1.");
    // A change that its script sends, as browsers do.
    String own = root.toString().replaceAll("/$", "");
    for (String origin : List.of(own, "http://other.example")) {
      HttpResponse<String> put =
          Http.send(
              "PUT",
              server.base() + "/policies/gold",
              GOLD,
              "Origin",
              origin,
              "Authorization",
              "Bearer " + secret);
      assertThat(put.statusCode()).as(origin).isEqualTo(origin.equals(own) ? 201 : 403);
    }
  }

  @Test
  void theFileHasNoSecretAndIsForItsOwnerOnly() throws Exception {
    String secret = add("oss", "admin");
    assertThat(secret).matches("sluice_[A-Za-z0-9_-]{43}");
    assertThat(Files.readString(Path.of(tokens()))).doesNotContain(secret).contains("sha256");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(tokens()))))
        .isEqualTo("rw-------");
    assertThat(token("list")).matches("oss admin \\S+ token");
  }

  @ParameterizedTest
  @CsvSource({"read,200,403,403,403", "operate,200,201,403,403", "admin,200,201,404,409"})
  void aRoleMayDoWhatItIsFor(String role, int get, int put, int reconcile, int putSwitch)
      throws Exception {
    String secret = add("someone", role);
    start(controller, "--tokens", tokens());
    assertThat(status("GET", "/status", secret, null)).isEqualTo(get);
    assertThat(status("HEAD", "/status", secret, null)).isEqualTo(get);
    assertThat(status("PUT", "/policies/gold", secret, GOLD)).isEqualTo(put);
    assertThat(status("POST", "/targets/none/reconcile", secret, null)).isEqualTo(reconcile);
    assertThat(status("POST", "/targets/none/adopt", secret, null)).isEqualTo(reconcile);
    assertThat(status("PUT", "/switches/bng1", secret, "{}")).isEqualTo(putSwitch);
    assertThat(status("DELETE", "/switches/bng1", secret, null)).isEqualTo(putSwitch);
    if (role.equals("read")) {
      assertThat(send("DELETE", "/policies/gold", secret, null).body())
          .contains("someone has role read; this needs operate.");
    }
  }

  /** However a path is written that might lead to what needs more, it does not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/switches/bng1/",
        "//switches/bng1",
        "/switches//bng1",
        "/%73witches/bng1",
        "/switches%2Fbng1",
        "/switches/bng1;role=admin",
        "/policies/../switches/bng1",
        "/policies/%2e%2e/switches/bng1",
        "/./switches/bng1",
        "/switches/bng1?role=admin",
        "/targets/switch/adopt/",
        "/%74argets/switch/adopt",
        "/targets/switch/%61dopt",
        "/SWITCHES/bng1",
      })
  void noWayOfWritingAPathLeadsPastARole(String path) throws Exception {
    String secret = add("someone", "operate");
    start(controller, "--tokens", tokens());
    for (String method : List.of("PUT", "DELETE", "POST")) {
      String answer =
          raw(
              method
                  + " "
                  + API
                  + path
                  + " HTTP/1.0\r\nAuthorization: Bearer "
                  + secret
                  + "\r\nContent-Type: application/json\r\nX-HTTP-Method-Override: GET\r\n\r\n");
      assertThat(answer).as(method + " " + path).matches("(?s)HTTP/1.1 (400|403|404|405) .*");
    }
  }

  @Test
  void whoeverIsRevokedIsRefusedFromTheNextRequestOn() throws Exception {
    String first = add("first", "read");
    String second = add("second", "read");
    start(controller, "--tokens", tokens());
    assertThat(status("GET", "/status", first, null)).isEqualTo(200);
    token("revoke", "first");
    assertThat(status("GET", "/status", first, null)).isEqualTo(401);
    assertThat(status("GET", "/status", second, null)).isEqualTo(200);
    String third = add("third", "read");
    assertThat(status("GET", "/status", third, null)).isEqualTo(200);
  }

  /** Lines that a stream brings after its caller was revoked are refused, those before stand. */
  @Test
  void linesOfAStreamAreRefusedOnceItsCallerIsRevoked() throws Exception {
    String secret = add("oss", "operate");
    start(controller, "--tokens", tokens());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      OutputStream out = socket.getOutputStream();
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      out.write(
          ascii(
              "POST "
                  + API
                  + "/bulk HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                  + secret
                  + "\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
                  + chunk(line("before"))));
      assertThat(lineWith(in, "\"id\":\"before\"")).contains("\"status\":200");
      token("revoke", "oss");
      out.write(ascii(chunk(line("after")) + "0\r\n\r\n"));
      assertThat(lineWith(in, "\"id\":\"after\""))
          .contains("\"status\":401", "urn:sluice:problem:unauthorized", "oss, holds no more");
    }
    assertThat(controller.find(Kind.POLICY, "before")).isPresent();
    assertThat(controller.find(Kind.POLICY, "after")).isEmpty();
  }

  /** An operation goes on after its answer, but not after its caller's right. */
  @Test
  void linesOfAnOperationAreRefusedOnceItsCallerIsRevoked() throws Exception {
    String secret = add("oss", "operate");
    String other = add("other", "read");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch revoked = new CountDownLatch(1);
    start(heldAtFirst(begun, revoked), "--tokens", tokens());
    // Up to 10,000 lines, and those of one read of 64 KiB more, are served together.
    String body =
        IntStream.range(0, 20_000)
                .mapToObj(i -> "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"p" + i + "\"}\n")
                .collect(Collectors.joining())
            + line("after");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.base() + "/bulk"))
            .header("Authorization", "Bearer " + secret)
            .header("Content-Type", "application/x-ndjson")
            .header("Prefer", "respond-async")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> accepted = client.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(accepted.statusCode()).isEqualTo(202);
    Patience.await(begun);
    token("revoke", "oss");
    revoked.countDown();
    String path = URI.create(accepted.headers().firstValue("Location").orElseThrow()).getPath();
    Patience.await(
        "the operation ends",
        () -> send("GET", path.substring(API.length()), other, null).body().contains("\"done\""));
    assertThat(controller.find(Kind.POLICY, "after")).isEmpty();
  }

  /** The controller, whose first changes wait until something has happened. */
  private Controller heldAtFirst(CountDownLatch begun, CountDownLatch until) {
    return (Controller)
        Proxy.newProxyInstance(
            Controller.class.getClassLoader(),
            new Class<?>[] {Controller.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("applyAll")) {
                begun.countDown();
                Patience.await(until);
              }
              try {
                return method.invoke(controller, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static String line(String id) {
    return "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"" + id + "\",\"value\":" + GOLD + "}\n";
  }

  private static String chunk(String text) {
    return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String lineWith(BufferedReader in, String text) throws IOException {
    String line = in.readLine();
    while (line != null && !line.contains(text)) {
      line = in.readLine();
    }
    return line;
  }

  @Test
  void aFileThatOthersMayReadLetsNobodyIn() throws Exception {
    String secret = add("oss", "admin");
    start(controller, "--tokens", tokens());
    Files.setPosixFilePermissions(Path.of(tokens()), PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(status("GET", "/status", secret, null)).isEqualTo(503);
    Files.setPosixFilePermissions(Path.of(tokens()), PosixFilePermissions.fromString("rw-------"));
    assertThat(status("GET", "/status", secret, null)).isEqualTo(200);
    Files.delete(Path.of(tokens()));
    assertThat(status("GET", "/status", secret, null)).isEqualTo(503);
  }

  /** A scheduler whose tasks wait until a test runs them. */
  private static final class HeldTasks implements Scheduler {
    private final BlockingQueue<Duration> delays = new LinkedBlockingQueue<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Runnable task) {
      throw new IllegalStateException("nothing is done later that need not wait");
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
      tasks.add(task);
      delays.add(delay);
      return () -> tasks.remove(task);
    }

    @Override
    public void close() {}
  }

  @Test
  void repeatedFailuresAreSlowedDownAndTheRightTokenIsNot() throws Exception {
    String secret = add("oss", "read");
    HeldTasks held = new HeldTasks();
    server =
        ServedApi.with(
            controller, held, options("--tokens", tokens(), "--http", "127.0.0.1:0").settings());
    String url = server.base() + "/status";
    for (int i = 0; i < 3; i++) {
      assertThat(Http.send("GET", url, null).statusCode()).isEqualTo(401);
    }
    List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
    for (int millis : new int[] {100, 200, 400, 800}) {
      waiting.add(Http.begin("GET", url, null));
      assertThat(Patience.next(held.delays)).isEqualTo(Duration.ofMillis(millis));
    }
    HttpResponse<String> oneMore = Http.send("GET", url, null);
    assertThat(oneMore.statusCode()).isEqualTo(429);
    assertThat(oneMore.headers().firstValue("Retry-After")).contains("1");
    assertThat(Http.send("GET", url, null, "Authorization", "Bearer " + secret).statusCode())
        .isEqualTo(200);
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    held.tasks.forEach(Runnable::run);
    for (CompletableFuture<HttpResponse<String>> each : waiting) {
      assertThat(each.get().statusCode()).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization: Basic b3NzOm9zcw==",
        "Authorization: Bearer",
        "Authorization: Bearer ",
        "Authorization: SECRET",
        "Authorization: Bearer SECRET, Bearer SECRET",
        "Authorization: Bearer SECRET\r\nAuthorization: Bearer x",
        "Authorization: Bearer x\r\nAuthorization: Bearer SECRET",
        "Authorization: Bearer SECRETx",
        "X-Authorization: Bearer SECRET",
        "Cookie: token=SECRET",
      })
  void onlyOneTokenInTheRightFormIsTaken(String headers) throws Exception {
    String secret = add("oss", "read");
    start(controller, "--tokens", tokens());
    String request = "GET " + API + "/status HTTP/1.0\r\n";
    assertThat(raw(request + headers.replace("SECRET", secret) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 401 ");
    assertThat(raw(request + "Authorization: bearer  " + secret + "\r\n\r\n"))
        .startsWith("HTTP/1.1 200 ");
    assertThat(raw(request.replace("/status", "/status?access_token=" + secret) + "\r\n"))
        .startsWith("HTTP/1.1 401 ");
  }

  @Test
  void aHeaderTooLargeIsRefusedAsAProblem() throws Exception {
    add("oss", "read");
    start(controller, "--tokens", tokens());
    assertThat(
            raw(
                "GET /sluice/v1/status HTTP/1.0\r\nAuthorization: Bearer "
                    + "x".repeat(100_000)
                    + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431 ")
        .contains("application/problem+json");
  }

  private void startTls(String... more) throws Exception {
    certificates.authority("ca");
    certificates.certificate("server", "/CN=one", "ca");
    List<String> all =
        new ArrayList<>(
            List.of(
                "--tls-cert",
                certificates.file("server.pem").toString(),
                "--tls-key",
                certificates.file("server.key").toString()));
    all.addAll(List.of(more));
    start(controller, all.toArray(String[]::new));
  }

  private void connect(SSLContext context) {
    client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(context).build();
  }

  private String serverName() throws Exception {
    try (SSLSocket socket =
        (SSLSocket)
            certificates
                .client("ca", null)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.startHandshake();
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
          .getSubjectX500Principal()
          .getName();
    }
  }

  @Test
  void theApiIsServedOverTlsWithTheCertificateThatTheFilesHaveByThen() throws Exception {
    String secret = add("oss", "operate");
    startTls("--tokens", tokens());
    assertThat(server.base().getScheme()).isEqualTo("https");
    connect(certificates.client("ca", null));
    assertThat(status("PUT", "/policies/gold", secret, GOLD)).isEqualTo(201);
    assertThat(raw("GET /sluice/v1/status HTTP/1.0\r\n\r\n")).doesNotContain("allInstalled");
    assertThat(serverName()).isEqualTo("CN=one");
    certificates.certificate("server", "/CN=two", "ca");
    assertThat(serverName()).isEqualTo("CN=two");
    Files.writeString(certificates.file("server.key"), "no key");
    assertThat(serverName()).isEqualTo("CN=two");
    assertThat(log.list.stream().map(ILoggingEvent::getFormattedMessage))
        .anyMatch(line -> line.contains("server.key cannot be used, what was read before stays"));
  }

  @Test
  void commandsUseTheApiOverTlsWithATokenOfAFile() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), add("oss", "operate") + "\n");
    startTls("--tokens", tokens());
    certificates.authority("stranger");
    connect(certificates.client("ca", null));
    assertThat(status("PUT", "/policies/gold", Files.readString(token).strip(), GOLD))
        .isEqualTo(201);
    Path exported = directory.resolve("exported");
    for (String authority : List.of("stranger", "ca")) {
      int code =
          Main.commandLine(Optional.empty())
              .setErr(new PrintWriter(new StringWriter(), true))
              .execute(
                  "export",
                  "--api=https://127.0.0.1:" + server.port(),
                  "--token-file=" + token,
                  "--ca-file=" + certificates.file(authority + ".pem"),
                  exported.toString());
      assertThat(code == 0).as(authority).isEqualTo(authority.equals("ca"));
    }
    assertThat(exported).content().contains("gold");
  }

  @Test
  void aClientIsKnownByItsCertificate() throws Exception {
    token("add", "portal", "--role", "operate", "--subject", "CN=portal,O=Example");
    certificates.authority("clients");
    startTls("--tokens", tokens(), "--tls-client-ca", certificates.file("clients.pem").toString());
    certificates.certificate("portal", "/O=Example/CN=portal", "clients");
    certificates.certificate("other", "/O=Example/CN=other", "clients");
    certificates.certificate("foreign", "/O=Example/CN=portal", "ca");
    connect(certificates.client("ca", "portal"));
    assertThat(status("PUT", "/policies/gold", null, GOLD)).isEqualTo(201);
    assertThat(status("POST", "/targets/none/adopt", null, null)).isEqualTo(403);
    connect(certificates.client("ca", "other"));
    assertThat(send("GET", "/status", null, null).body())
        .contains("the certificate's subject CN=other,O=Example has no role");
    for (String own : new String[] {null, "foreign"}) {
      connect(certificates.client("ca", own));
      assertThatThrownBy(() -> send("GET", "/status", null, null)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aClientThatBeginsAHandshakeAndStopsKeepsNobodyWaiting() throws Exception {
    String secret = add("oss", "read");
    startTls("--tokens", tokens());
    connect(certificates.client("ca", null));
    List<Socket> stopped = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        // The first bytes of a record with a ClientHello.
        socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1, 0, 1});
        stopped.add(socket);
      }
      assertThat(status("GET", "/status", secret, null)).isEqualTo(200);
    } finally {
      for (Socket socket : stopped) {
        socket.close();
      }
    }
  }

  @Test
  void withoutProofOfWhoCallsOnlyTheLoopbackInterfaceIsServed() throws Exception {
    assertThatThrownBy(() -> options("--http", "0.0.0.0:8181").settings())
        .isInstanceOf(OptionException.class)
        .hasMessage(
            "--http is '0.0.0.0:8181'; allowed: an address of the loopback interface, such as"
                + " 127.0.0.1:8181, without --tls-cert and --tls-key and without --tokens (a file"
                + " that 'sluice token add' makes)");
    add("oss", "admin");
    assertThatThrownBy(() -> options("--http", "0.0.0.0:8181", "--tokens", tokens()).settings())
        .hasMessageEndingWith("8181, without --tls-cert and --tls-key");
    certificates.authority("ca");
    String cert = certificates.file("ca.pem").toString();
    String key = certificates.file("ca.key").toString();
    assertThat(
            options(
                    "--http",
                    "0.0.0.0:0",
                    "--tls-cert",
                    cert,
                    "--tls-key",
                    key,
                    "--tokens",
                    tokens())
                .settings()
                .tls())
        .isPresent();
  }

  @Test
  void aFileThatCannotBeUsedIsNamedWithTheReason() throws Exception {
    certificates.authority("ca");
    certificates.authority("other");
    String cert = certificates.file("ca.pem").toString();
    String key = certificates.file("other.key").toString();
    assertThatThrownBy(() -> options("--tls-cert", cert, "--tls-key", key).settings())
        .hasMessage(
            "--tls-key is '"
                + key
                + "'; allowed: a PEM file that can be used; the key does not belong to the"
                + " certificate");
    assertThatThrownBy(() -> options("--tls-cert", cert).settings())
        .hasMessageStartingWith("--tls-key is missing");
    assertThatThrownBy(() -> options("--tokens", "/none").settings())
        .hasMessageEndingWith("/none: there is no such file; 'sluice token add' makes it");
    Files.setPosixFilePermissions(
        certificates.file("other.key"), PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> options("--tls-cert", cert, "--tls-key", key).settings())
        .hasMessageEndingWith("everybody may read the key; take that away by chmod o-r");
  }
}
