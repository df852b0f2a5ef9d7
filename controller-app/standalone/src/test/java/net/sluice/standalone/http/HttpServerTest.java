package net.sluice.standalone.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import net.sluice.cli.StartFailure;
import net.sluice.core.Outcome;
import net.sluice.core.Selection;
import net.sluice.core.TargetState;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.rest.host.AllowedCallers;
import net.sluice.rest.host.Callers;
import net.sluice.rest.host.Closable;
import net.sluice.rest.testing.MemoryController;
import net.sluice.standalone.network.WebhookOptions;
import net.sluice.testing.Golden;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What clients can do to the server that are slow, wrong or many. */
final class HttpServerTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final String API = "/sluice/v1";
  private static final String HOST = "Host: localhost\r\n";
  private static final String JSON = "Content-Type: application/json\r\n";
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";

  private static final int LISTED = 600;
  private static final String LIST = API + "/subscribers?limit=1000";

  /** Bytes that a slow reader's machine takes for it. */
  private static final int SMALL_WINDOW = 4 << 10;

  /** More than the server has threads. */
  private static final int MANY = 100;

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration ENDLESS = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(300);

  /** For who sends all at once. */
  private static final Duration ENOUGH = Duration.ofSeconds(5);

  private MemoryController controller = new MemoryController(10);
  private final List<Client> clients = new ArrayList<>();
  private ServedApi server;

  private void start(HttpLimits limits) throws StartFailure {
    start(limits, AllowedCallers.of(ANY));
  }

  private void start(HttpLimits limits, AllowedCallers callers) throws StartFailure {
    start(limits, callers, Set.of());
  }

  private void start(HttpLimits limits, AllowedCallers callers, Set<Closable> closed)
      throws StartFailure {
    HttpSettings settings =
        new HttpSettings(
            ANY,
            Optional.empty(),
            limits,
            callers,
            Optional.empty(),
            Callers.ANYBODY,
            HttpSettings.AUDIT_BYTES,
            closed,
            false,
            WebhookOptions.byDefault(),
            Optional.empty());
    server = new ServedApi(controller, settings);
  }

  @AfterEach
  void stop() throws IOException {
    for (Client client : clients) {
      client.socket.close();
    }
    server.close();
  }

  /** A connection over which anything can be sent. */
  private final class Client {
    private final Socket socket;
    private final InputStream answers;

    Client() throws IOException {
      this(0);
    }

    /** A client whose machine takes so many bytes for it; 0 for as many as it likes. */
    Client(int window) throws IOException {
      socket = new Socket();
      if (window > 0) {
        socket.setReceiveBufferSize(window);
      }
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      answers = new BufferedInputStream(socket.getInputStream(), SMALL_WINDOW);
      clients.add(this);
    }

    Client send(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return this;
    }

    /** What comes until {@code end} has come, or the server closes the connection. */
    String receive(String end) throws IOException {
      StringBuilder text = new StringBuilder();
      while (end == null || text.indexOf(end) < 0) {
        int c = answers.read();
        if (c < 0) {
          return text.toString();
        }
        text.append((char) c);
      }
      return text.toString();
    }

    /** All that comes until the server closes the connection. */
    String receiveAll() throws IOException {
      return receive(null);
    }
  }

  private void assertServing() throws IOException {
    assertThat(new Client().send("GET " + API + "/status HTTP/1.0\r\n\r\n").receiveAll())
        .startsWith("HTTP/1.1 200 OK\r\n")
        .contains("\"allInstalled\"");
  }

  private static String put(int length) {
    return "PUT "
        + API
        + "/policies/gold HTTP/1.1\r\n"
        + HOST
        + JSON
        + "Content-Length: "
        + length
        + "\r\n\r\n";
  }

  private String answer(String method, String path) throws IOException {
    return new Client()
        .send(method + " " + API + path + " HTTP/1.0\r\n" + JSON + "\r\n")
        .receiveAll();
  }

  /** Jersey answers OPTIONS by itself, with a method that is of no path of ours. */
  /** A client that sends all of a body that is too long, and reads only then, has the answer. */
  @Test
  void bodyThatIsTooLongIsTakenUntilItsEnd() throws Exception {
    start(HttpLimits.DEFAULT);
    Client client = new Client().send(put(8_000_000));
    assertThat(client.receive("\r\n\r\n")).startsWith("HTTP/1.1 413");
    for (int mebibyte = 0; mebibyte < 8; mebibyte++) {
      client.send(" ".repeat(1_000_000));
    }
    assertThat(client.receiveAll()).contains("1048576");
  }

  @Test
  void optionsAreAnswered() throws Exception {
    start(HttpLimits.DEFAULT);
    for (String path : List.of("/policies/gold", "/status", "/docs")) {
      assertThat(Http.send("OPTIONS", server.base() + path, null).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void whatIsClosedIsRefusedAndTheOptionIsNamed() throws Exception {
    start(HttpLimits.DEFAULT, AllowedCallers.of(ANY), Set.of(Closable.ADOPT, Closable.SWITCHES));
    String detail = "The controller's setting closed names %s: the API does not do this.";
    assertThat(answer("POST", "/targets/switch/adopt"))
        .startsWith("HTTP/1.1 403 ")
        .contains(
            "urn:sluice:problem:forbidden",
            detail.formatted("adopt"),
            "\"allowed\":\"only where the setting closed does not name adopt\"");
    for (String method : List.of("PUT", "DELETE")) {
      assertThat(answer(method, "/switches/bng1"))
          .startsWith("HTTP/1.1 403 ")
          .contains(detail.formatted("switches"));
    }
    assertThat(answer("POST", "/targets/switch/reconcile")).startsWith("HTTP/1.1 202 ");
    assertThat(answer("GET", "/switches")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void halfSentBodiesKeepNobodyWaiting() throws Exception {
    start(HttpLimits.DEFAULT);
    List<Client> slow = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      slow.add(new Client().send(put(GOLD.length()) + GOLD.substring(0, 10)));
    }
    assertServing();
    for (Client client : slow) {
      client.send(GOLD.substring(10));
      assertThat(client.receive("\r\n")).matches("HTTP/1.1 20[01] .*\r\n");
    }
  }

  @Test
  void idleBulkStreamsKeepOnlyFurtherOnesAway() throws Exception {
    start(HttpLimits.DEFAULT);
    String bulk =
        "POST "
            + API
            + "/bulk HTTP/1.1\r\n"
            + HOST
            + "Content-Type: application/x-ndjson\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n";
    String line = "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"a\"}\n";
    String chunk = Integer.toHexString(line.length()) + "\r\n" + line + "\r\n";
    for (int i = 0; i < 64; i++) {
      assertThat(new Client().send(bulk + chunk).receive("\"line\":1,")).startsWith("HTTP/1.1 200");
    }
    assertServing();
    assertThat(new Client().send(bulk).receive("at a time. "))
        .startsWith("HTTP/1.1 503 ")
        .contains("64 bulk requests are under way; allowed: 64 at a time.");
  }

  @Test
  void aBodyThatTakesTooLongIsRefused() throws Exception {
    start(new HttpLimits(10, SHORT, LONG));
    assertThat(new Client().send(put(100) + "{").receiveAll())
        .startsWith("HTTP/1.1 408 Request Timeout\r\n")
        .contains("application/problem+json");
  }

  @Test
  void aClientThatFallsSilentIsCutOff() throws Exception {
    start(new HttpLimits(10, SHORT, SHORT));
    assertThat(new Client().receiveAll()).isEmpty();
    assertThat(new Client().send("GET " + API + "/sta").receiveAll()).isEmpty();
    assertThat(new Client().send(put(100) + "{").receiveAll()).startsWith("HTTP/1.1 408 ");
    Client bulk =
        new Client()
            .send(
                "POST "
                    + API
                    + "/bulk HTTP/1.1\r\n"
                    + HOST
                    + "Content-Type: application/x-ndjson\r\nContent-Length: 100\r\n\r\n{");
    bulk.receiveAll();
  }

  /** Half-sent bodies, idle bulk streams and waiting changes together, and then some. */
  @Test
  void whateverClientsWaitForTheStatusIsToldAtOnce() throws Exception {
    int waiting = 70;
    CompletableFuture<Boolean> installed = new CompletableFuture<>();
    CountDownLatch asked = new CountDownLatch(waiting);
    controller.installsEndWith(installed, asked);
    start(HttpLimits.DEFAULT);
    for (int i = 0; i < 64; i++) {
      new Client().send(put(GOLD.length()) + GOLD.substring(0, 10));
    }
    for (int i = 0; i < 80; i++) {
      new Client()
          .send(
              "POST "
                  + API
                  + "/bulk HTTP/1.1\r\n"
                  + HOST
                  + "Content-Type: application/x-ndjson\r\nContent-Length: 1000\r\n\r\n");
    }
    List<Client> changes = new ArrayList<>();
    for (int i = 0; i < waiting; i++) {
      changes.add(
          new Client().send(put(GOLD.length()).replace("/gold", "/gold?waitMillis=60000") + GOLD));
    }
    Patience.await(asked);
    assertServing();
    assertServing();
    installed.complete(true);
    for (Client client : changes) {
      assertThat(client.receive("\r\n")).matches("HTTP/1.1 20[01] .*\r\n");
    }
  }

  /** Fills a list of megabytes; answers how many bytes its answer has. */
  private int fillAList() throws IOException {
    assertThat(controller.apply(new Change.Put(new Policy("gold", BuiltInFunction.GOLD))))
        .matches(Outcome::isAccepted);
    for (int i = 0; i < LISTED; i++) {
      List<IpPrefix> prefixes = List.of(IpPrefix.v4(0x0A00_0000 + i, 32));
      Subscriber subscriber =
          new Subscriber("s" + i, "gold", prefixes, Optional.empty(), new Attachment(0, 0));
      assertThat(controller.apply(new Change.Put(subscriber))).matches(Outcome::isAccepted);
    }
    controller.targetsAnswer(TargetState.FAILED, "no room ".repeat(500));
    String whole = new Client().send("GET " + LIST + " HTTP/1.0\r\n\r\n").receiveAll();
    assertThat(whole).startsWith("HTTP/1.1 200 ").endsWith("]}\n");
    return whole.length();
  }

  /** Readers that stop in the midst of megabytes, and changes for which there is no room. */
  @Test
  void slowReadersAndChangesThatWaitKeepNobodyWaiting() throws Exception {
    controller = new MemoryController(LISTED);
    // However long the test takes, no reader has been slow for too long.
    start(new HttpLimits(HttpLimits.DEFAULT.connections(), ENDLESS, ENDLESS));
    int length = fillAList();
    assertThat(length).isGreaterThan(2_000_000);
    List<Client> readers = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      readers.add(new Client(SMALL_WINDOW).send("GET " + LIST + " HTTP/1.0\r\n\r\n"));
    }
    int waiting = 100;
    CountDownLatch asked = new CountDownLatch(waiting);
    CountDownLatch room = new CountDownLatch(1);
    controller.changesWait("wait", asked, room);
    List<Client> changes = new ArrayList<>();
    for (int i = 0; i < waiting; i++) {
      changes.add(new Client().send(put(GOLD.length()).replace("/gold", "/wait" + i) + GOLD));
    }
    Patience.await(asked);
    for (Client reader : readers) {
      assertThat(reader.receive("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
    }
    assertServing();
    Client other = new Client().send(put(GOLD.length()) + GOLD);
    assertThat(other.receive("\r\n")).startsWith("HTTP/1.1 200 ");
    assertThat(answer("GET", "/subscribers?limit=1")).contains("\"total\":" + LISTED);
    assertThat(answer("GET", "/queues")).startsWith("HTTP/1.1 200 ");
    room.countDown();
    int refusedForRoom = 0;
    for (Client client : changes) {
      String status = client.receive("\r\n");
      refusedForRoom += status.startsWith("HTTP/1.1 507 ") ? 1 : 0;
      assertThat(status).matches("HTTP/1.1 (201|507) .*\r\n");
    }
    assertThat(refusedForRoom).as("policies that there are no slots for").isEqualTo(waiting - 2);
    assertThat(readers.get(0).receiveAll()).hasSizeGreaterThan(2_000_000).endsWith("]}\n");
  }

  /** Whoever waits for a change is answered whatever becomes of it. */
  @Test
  void anErrorInAChangeIsAnIncidentToo() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch room =
        new CountDownLatch(1) {
          @Override
          public void await() {
            throw new AssertionError("no change is made");
          }
        };
    controller.changesWait("gold", asked, room);
    start(HttpLimits.DEFAULT);
    assertThat(new Client().send(put(GOLD.length()) + GOLD).receive("incident\":"))
        .startsWith("HTTP/1.1 500 ");
  }

  @Test
  void aReaderThatStopsIsCutOff() throws Exception {
    controller = new MemoryController(LISTED);
    start(HttpLimits.DEFAULT);
    int length = fillAList();
    server.close();
    start(new HttpLimits(1, ENOUGH, LONG));
    Client reader = new Client(SMALL_WINDOW).send("GET " + LIST + " HTTP/1.0\r\n\r\n");
    assertThat(reader.receive("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
    // There is one connection, and it is to be had when the reader's has ended.
    assertServing();
    assertThat(read(reader)).isLessThan(length / 2);
  }

  /** How many bytes come until the connection ends, one way or another. */
  private static int read(Client client) {
    int count = 0;
    try {
      while (client.answers.read() >= 0) {
        count++;
      }
    } catch (IOException e) {
      return count;
    }
    return count;
  }

  @Test
  void whoSendsHeadersByteByByteIsCutOff() throws Exception {
    start(new HttpLimits(10, SHORT, LONG));
    Client client = new Client().send("GET " + API + "/status HTTP/1.1\r\nX-Slow: ");
    // Never silent for as long as the limit.
    client.socket.setSoTimeout((int) SHORT.toMillis() / 10);
    boolean open = true;
    while (open) {
      try {
        open = client.send("x").answers.read() >= 0;
      } catch (SocketTimeoutException e) {
        open = true;
      } catch (IOException e) {
        open = false;
      }
    }
  }

  @Test
  void whoWaitsForAnAnswerIsNotCutOff() throws Exception {
    CompletableFuture<Boolean> installed = new CompletableFuture<>();
    CountDownLatch asked = new CountDownLatch(1);
    controller.installsEndWith(installed, asked);
    start(new HttpLimits(10, ENOUGH, ENOUGH));
    Client waiting =
        new Client().send(put(GOLD.length()).replace("/gold", "/gold?waitMillis=60000") + GOLD);
    Patience.await(asked);
    assertThat(new Client().receiveAll()).as("cut off for its silence").isEmpty();
    installed.complete(true);
    assertThat(waiting.receive("\"id\":\"gold\"")).startsWith("HTTP/1.1 201 ");
  }

  /** What a page in an operator's browser can send, and what it cannot. */
  @Test
  void webPagesAndOtherNamesAreServedOnlyIfAllowed() throws Exception {
    start(
        HttpLimits.DEFAULT,
        AllowedCallers.of(ANY, List.of("Sluice.example"), List.of("https://portal.example")));
    assertThat(status("Host: sluice.example\r\n")).isEqualTo(200);
    assertThat(status("Host: SLUICE.EXAMPLE:8181\r\n")).isEqualTo(200);
    assertThat(status("Host: 127.0.0.1:8181\r\n")).isEqualTo(200);
    assertThat(status("Host: [::1]:8181\r\n")).isEqualTo(200);
    assertThat(status("Host: other.example\r\n")).isEqualTo(421);
    assertThat(status("Host: localhost.other.example\r\n")).isEqualTo(421);
    assertThat(status("Host: 192.0.2.7\r\n")).isEqualTo(421);
    assertThat(status(HOST + "Origin: https://portal.example\r\n")).isEqualTo(200);
    assertThat(status(HOST + "Origin: http://portal.example\r\n")).isEqualTo(403);
    assertThat(status(HOST + "Origin: http://localhost:8181\r\n")).isEqualTo(403);
    assertThat(status(HOST + "Origin: http://localhost\r\n")).as("its own page").isEqualTo(200);
    assertThat(status(HOST + "Origin: https://localhost\r\n")).isEqualTo(403);
    assertThat(status(HOST + "Origin: null\r\n")).isEqualTo(403);
    String page =
        put(GOLD.length()).replace(HOST, HOST + "Origin: https://other.example\r\n") + GOLD;
    assertThat(new Client().send(page).receive("\r\n")).startsWith("HTTP/1.1 403 ");
    assertThat(controller.list(Kind.POLICY, Selection.ALL, "", 1).total()).hasValue(0);
  }

  private int status(String headers) throws IOException {
    String answer =
        new Client()
            .send("GET " + API + "/status HTTP/1.1\r\nConnection: close\r\n" + headers + "\r\n")
            .receiveAll();
    return Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
  }

  @Test
  void connectionsAreCapped() throws Exception {
    start(new HttpLimits(2, LONG, LONG));
    Client first = new Client().send("GET " + API + "/policies HTTP/1.1\r\n" + HOST + "\r\n");
    assertThat(first.receive("\"items\":[]")).startsWith("HTTP/1.1 200 ");
    Client second = new Client().send("GET " + API + "/policies HTTP/1.1\r\n" + HOST + "\r\n");
    assertThat(second.receive("\"items\":[]")).startsWith("HTTP/1.1 200 ");
    first.send("GET " + API + "/policies HTTP/1.1\r\n" + HOST + "\r\n");
    assertThat(first.receive("\"items\":[]")).as("not cut off for the second").contains("200 OK");
    // Only when there are too many are the idle ones closed, long before their time.
    assertServing();
    first.receiveAll();
    second.receiveAll();
  }

  @Test
  void anAnswerToHttp10EndsWithTheConnection() throws Exception {
    start(HttpLimits.DEFAULT);
    assertThat(new Client().send("GET " + API + "/status HTTP/1.0\r\n\r\n").receiveAll())
        .doesNotContainIgnoringCase("transfer-encoding")
        .endsWith("}\n");
    assertThat(
            new Client()
                .send(
                    "POST "
                        + API
                        + "/bulk HTTP/1.0\r\nContent-Type: application/x-ndjson\r\n"
                        + "Content-Length: 2\r\n\r\nx\n")
                .receiveAll())
        .doesNotContainIgnoringCase("transfer-encoding")
        .contains("\r\n\r\n{\"line\":1,\"status\":400,");
  }

  @Test
  void aClientThatGoesAwayIsALineInTheLogAtMost() throws Exception {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    log.start();
    root.addAppender(log);
    try {
      start(HttpLimits.DEFAULT);
      String lines = "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"a\"}\n".repeat(10_000);
      for (int i = 0; i < 3; i++) {
        Client client =
            new Client()
                .send(
                    "POST "
                        + API
                        + "/bulk HTTP/1.1\r\n"
                        + HOST
                        + "Content-Type: application/x-ndjson\r\nContent-Length: 100000000\r\n\r\n"
                        + lines);
        client.receive("\"line\":1,");
        // What has not been read yet is answered with a reset.
        client.socket.setSoLinger(true, 0);
        client.socket.close();
      }
      new Client().send(put(100) + "{").socket.close();
      assertServing();
      server.close();
    } finally {
      root.detachAppender(log);
    }
    assertThat(log.list).noneMatch(event -> event.getThrowableProxy() != null);
    assertThat(log.list).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.INFO));
  }

  /** The connection goes on: the body was read. */
  @Test
  void aBodyThatMeansNothingIsRefused() throws Exception {
    start(HttpLimits.DEFAULT);
    Client client = new Client();
    for (int i = 0; i < 2; i++) {
      client.send(
          "GET " + API + "/policies HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 2\r\n\r\n{}");
      assertThat(client.receive("}]}\n"))
          .contains("HTTP/1.1 400 ")
          .contains("body is present; allowed: none with GET.");
    }
  }

  private static String coded(String coding) {
    return put(0)
            .replace("Content-Length: 0", "Transfer-Encoding: " + coding)
            .replace(JSON, JSON + "Connection: close\r\n")
        + "2\r\n{}\r\n0\r\n\r\n";
  }

  /** Of each request the status and the answer's body; every one closes the connection. */
  @Test
  void whatTheServerItselfRefusesIsAProblemToo() throws Exception {
    start(HttpLimits.DEFAULT);
    String get = "GET " + API;
    String end = " HTTP/1.1\r\n" + HOST + "Connection: close\r\n";
    StringBuilder transcript = new StringBuilder();
    for (String[] request :
        new String[][] {
          {"no Host", get + "/status HTTP/1.1\r\n\r\n"},
          {"two Hosts", get + "/status HTTP/1.1\r\n" + HOST + HOST + "\r\n"},
          {"no HTTP", "status\r\n\r\n"},
          {"an unknown version", get + "/status HTTP/3.0\r\n" + HOST + "\r\n"},
          {"a bad Content-Length", get + "/status" + end + "Content-Length: ten\r\n\r\n"},
          {
            "two Content-Lengths",
            get + "/status" + end + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}"
          },
          {
            "Content-Length and chunked",
            "PUT "
                + API
                + "/policies/gold"
                + end
                + JSON
                + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
          },
          {"bad percent-encoding", get + "/policies/a%zz" + end + "\r\n"},
          {"half of a percent-encoding", get + "/policies/a%" + end + "\r\n"},
          {"not UTF-8", get + "/policies/%ff" + end + "\r\n"},
          {"bad percent-encoding of a parameter", get + "/policies?limit=%zz" + end + "\r\n"},
          {"a way up", get + "/policies/.." + end + "\r\n"},
          {"a hidden way up", get + "/policies/%2e%2e/status" + end + "\r\n"},
          {"an escaped slash", get + "/policies%2fgold" + end + "\r\n"},
          {"an empty segment", get + "//status" + end + "\r\n"},
          {"outside of the API", "GET /metrics" + end + "\r\n"},
          {"a long URI", get + "/policies?limit=" + "1".repeat(20_000) + end + "\r\n"},
          {"a long header", get + "/status" + end + "X-Long: " + "1".repeat(20_000) + "\r\n\r\n"},
          {
            "a long body",
            "PUT "
                + API
                + "/policies/gold"
                + end
                + JSON
                + "Content-Length: 1048577\r\n\r\n"
                + " ".repeat(1_048_577)
          },
          {
            "an empty Content-Type",
            put(2).replace(JSON, "Content-Type:\r\nConnection: close\r\n") + "{}"
          },
          {
            "a Content-Type without a subtype",
            put(2).replace(JSON, "Content-Type: json\r\nConnection: close\r\n") + "{}"
          },
          {"no Content-Type", put(2).replace(JSON, "Connection: close\r\n") + "{}"},
          {
            "a chunked body on GET",
            get + "/policies" + end + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
          },
          {
            "a body on DELETE",
            "DELETE " + API + "/policies/gold" + end + JSON + "Content-Length: 2\r\n\r\n{}"
          },
          {"a coding before chunked", coded("gzip, chunked")},
          {"a coding that is none", coded("identity")},
          {"a coding that nobody knows", coded("xchunked")},
          {"a coding after chunked", coded("chunked, gzip")},
          {
            "chunked in HTTP/1.0",
            "PUT "
                + API
                + "/policies/gold HTTP/1.0\r\n"
                + HOST
                + JSON
                + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
          },
          {"a long body that has not come", put(2_000_000)},
          {
            "a long body that waits to be asked for",
            put(2_000_000).replace(JSON, JSON + "Expect: 100-continue\r\n")
          },
          {
            "a path parameter",
            "PUT " + API + "/policies/gold;x=1" + end + JSON + "Content-Length: 2\r\n\r\n{}"
          },
          {
            "another Host",
            get + "/status HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n"
          },
          {"a web page", get + "/status" + end + "Origin: https://other.example\r\n\r\n"},
          {"an odd Accept", get + "/status" + end + "Accept: x\r\n\r\n"},
          {"an Accept of something else", get + "/status" + end + "Accept: text/html\r\n\r\n"},
          {"a method of other resources", "DELETE " + API + "/status" + end + "\r\n"},
          {"a method of no resource", "TRACE " + API + "/policies/gold" + end + "\r\n"},
          {"a method of nothing", "BREW " + API + "/policies" + end + "\r\n"},
        }) {
      String answer = new Client().send(request[1]).receiveAll();
      int body = answer.indexOf("\r\n\r\n");
      assertThat(answer.substring(0, Math.max(0, body)))
          .as(request[0])
          .containsIgnoringCase("Content-Type: application/problem+json");
      String content = answer.substring(body + 4).replaceAll("1{100,}", "1...");
      transcript.append("# ").append(request[0]).append('\n');
      transcript.append(answer, 0, answer.indexOf('\r')).append('\n').append(content);
      transcript.append(content.endsWith("\n") ? "" : "\n");
    }
    Golden.check("http-refusals.txt", transcript.toString());
    assertThat(controller.list(Kind.POLICY, Selection.ALL, "", 10).total()).hasValue(0);
  }
}
