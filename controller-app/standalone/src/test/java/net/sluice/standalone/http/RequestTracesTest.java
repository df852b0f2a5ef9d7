package net.sluice.standalone.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import net.sluice.core.Controller;
import net.sluice.core.engine.SlaController;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.Targets;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.rest.host.AllowedCallers;
import net.sluice.rest.host.Callers;
import net.sluice.rest.traces.TraceSettings;
import net.sluice.standalone.network.WebhookOptions;
import net.sluice.testing.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The traces that a collector of OTLP over HTTP gets. */
class RequestTracesTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final String CALLER = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";

  /** Fields of opentelemetry/proto/trace/v1/trace.proto and common.proto. */
  private static final int SCOPE_SPANS = 2;

  private static final int SPANS = 2;

  @TempDir Path directory;
  private final List<byte[]> posted = new CopyOnWriteArrayList<>();
  private HttpServer collector;
  private Controller controller;
  private ServedApi server;

  private record Span(
      String trace, String id, String parent, String name, Map<String, Object> attributes) {}

  @BeforeEach
  void start() throws IOException {
    collector = HttpServer.create(ANY, 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          posted.add(exchange.getRequestBody().readAllBytes());
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    ThreadScheduler targets = new ThreadScheduler("targets");
    controller =
        SlaController.open(
            TestNetwork.config(directory).build(),
            new InMemoryIntentStore(),
            new Targets(
                MemoryTarget.ofSwitch(targets),
                CounterSource.none("no counters"),
                Optional.of(MemoryTarget.ofFpga("fpga-down", targets)),
                Optional.of(MemoryTarget.ofFpga("fpga-up", targets))),
            Clock.systemUTC());
  }

  private void serve(int percent) throws Exception {
    URI endpoint =
        URI.create("http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/traces");
    server =
        new ServedApi(
            controller,
            new HttpSettings(
                ANY,
                Optional.empty(),
                HttpLimits.DEFAULT,
                AllowedCallers.of(ANY),
                Optional.empty(),
                Callers.ANYBODY,
                HttpSettings.AUDIT_BYTES,
                Set.of(),
                false,
                WebhookOptions.byDefault(),
                Optional.of(new TraceSettings(endpoint, percent))));
    assertThat(controller.awaitAllInstalled(java.time.Duration.ofMinutes(1))).isTrue();
  }

  @AfterEach
  void stop() {
    server.close();
    controller.close();
    collector.stop(0);
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws Exception {
    return Http.send(method, URI.create(server.base() + path), body, headers);
  }

  /** Those that have been sent when the server has ended. */
  private List<Span> spans() throws IOException {
    server.close();
    List<Span> spans = new ArrayList<>();
    for (byte[] request : posted) {
      for (UnknownFieldSet resource : messages(UnknownFieldSet.parseFrom(request), 1)) {
        for (UnknownFieldSet scope : messages(resource, SCOPE_SPANS)) {
          for (UnknownFieldSet span : messages(scope, SPANS)) {
            spans.add(span(span));
          }
        }
      }
    }
    return spans;
  }

  private static List<UnknownFieldSet> messages(UnknownFieldSet of, int field) throws IOException {
    List<UnknownFieldSet> messages = new ArrayList<>();
    for (ByteString each : of.getField(field).getLengthDelimitedList()) {
      messages.add(UnknownFieldSet.parseFrom(each));
    }
    return messages;
  }

  private static Span span(UnknownFieldSet of) throws IOException {
    Map<String, Object> attributes = new LinkedHashMap<>();
    for (UnknownFieldSet attribute : messages(of, 9)) {
      UnknownFieldSet value = messages(attribute, 2).get(0);
      attributes.put(
          text(attribute, 1),
          value.hasField(1) ? text(value, 1) : value.getField(3).getVarintList().get(0));
    }
    long began = of.getField(7).getFixed64List().get(0);
    long ended = of.getField(8).getFixed64List().get(0);
    assertThat(ended).isGreaterThanOrEqualTo(began);
    // In nanoseconds since 1970.
    assertThat(Instant.EPOCH.plusNanos(ended))
        .isBetween(Instant.parse("2020-01-01T00:00:00Z"), Instant.parse("2120-01-01T00:00:00Z"));
    return new Span(hex(of, 1), hex(of, 2), hex(of, 4), text(of, 5), attributes);
  }

  private static String text(UnknownFieldSet of, int field) {
    return of.getField(field).getLengthDelimitedList().get(0).toString(StandardCharsets.UTF_8);
  }

  private static String hex(UnknownFieldSet of, int field) {
    return of.hasField(field)
        ? HexFormat.of().formatHex(of.getField(field).getLengthDelimitedList().get(0).toByteArray())
        : "";
  }

  @Test
  void aRequestIsFollowedFromItsCallerToTheTarget() throws Exception {
    serve(100);
    send("PUT", "/policies/gold", GOLD);
    posted.clear();
    HttpResponse<String> put =
        send(
            "PUT",
            "/subscribers/secret-name?waitMillis=60000",
            "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.1/32\"],\"attachment\":{\"port\":0,\"tree\":1}}",
            "traceparent",
            "00-" + CALLER + "-" + PARENT + "-01");
    assertThat(put.statusCode()).isEqualTo(201);
    List<Span> all = spans();
    List<Span> spans = all.stream().filter(each -> each.trace().equals(CALLER)).toList();
    Span request = spans.stream().filter(each -> each.parent().equals(PARENT)).findFirst().get();
    assertThat(request.name()).isEqualTo("PUT /subscribers/{id}");
    assertThat(request.attributes())
        .containsEntry("http.request.method", "PUT")
        .containsEntry("http.route", "/subscribers/{id}")
        .containsEntry("http.response.status_code", 201L);
    assertThat(spans)
        .filteredOn(each -> each.parent().equals(request.id()))
        .extracting(Span::name)
        .containsExactlyInAnyOrder("compile", "commit", "target write");
    assertThat(spans)
        .filteredOn(each -> each.name().equals("target write"))
        .extracting(Span::attributes)
        .containsExactly(Map.of("sluice.target", "switch", "sluice.entries", 1L));
    for (byte[] each : posted) {
      assertThat(ByteBuffer.wrap(each).array())
          .asString(StandardCharsets.ISO_8859_1)
          .contains("sluice")
          .doesNotContain("secret-name")
          .doesNotContain("10.0.0.1");
    }
  }

  @Test
  void aCallerThatWantsNoTraceHasNone() throws Exception {
    serve(100);
    send("PUT", "/policies/gold", GOLD, "traceparent", "00-" + CALLER + "-" + PARENT + "-00");
    assertThat(spans()).isEmpty();
  }

  @Test
  void callersSayWhatIsTracedBesideThePart() throws Exception {
    serve(0);
    send("PUT", "/policies/gold", GOLD);
    send("GET", "/policies/gold", null, "traceparent", "00-" + CALLER + "-" + PARENT + "-01");
    assertThat(spans()).extracting(Span::name).containsExactly("GET /policies/{id}");
  }

  @Test
  void aBadTraceparentBeginsATrace() throws Exception {
    serve(100);
    send("GET", "/policies/none", null, "traceparent", "00-" + CALLER + "-x-01");
    assertThat(spans())
        .singleElement()
        .satisfies(
            span -> {
              assertThat(span.trace()).isNotEqualTo(CALLER);
              assertThat(span.parent()).isEmpty();
              assertThat(span.attributes()).containsEntry("http.response.status_code", 404L);
            });
  }

  @Test
  void aCollectorThatIsAwayCostsNoRequest() throws Exception {
    serve(100);
    collector.stop(0);
    assertThat(send("PUT", "/policies/gold", GOLD).statusCode()).isEqualTo(201);
  }
}
