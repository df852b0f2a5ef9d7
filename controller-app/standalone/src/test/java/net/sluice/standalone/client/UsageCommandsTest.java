package net.sluice.standalone.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.sluice.standalone.client.ServedStore.Ended;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UsageCommandsTest {
  private static final String RATES =
      "{\"offeredBps\":25123456,\"gotBps\":24500000,\"policedBps\":600000,\"overflowedBps\":0,"
          + "\"suspendedBps\":0,\"droppedBps\":3456,\"delayMillis\":{\"p50\":1.0,\"p95\":12.5,"
          + "\"p99\":20.0}}";
  private static final String QUIET =
      "{\"offeredBps\":0,\"gotBps\":0,\"policedBps\":0,\"overflowedBps\":0,\"suspendedBps\":0,"
          + "\"droppedBps\":0,\"delayMillis\":null}";

  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private HttpServer server;
  private int status = 200;
  private String answer;

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestURI().toString());
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Ended run(String... command) {
    return ServedStore.run(server.getAddress().getPort(), command);
  }

  @Test
  void aSubscribersUsageIsATableWithGapsAsGaps() {
    answer =
        "{\"id\":\"alice\",\"from\":\"2026-01-02T03:04:00Z\",\"to\":\"2026-01-02T03:06:00Z\","
            + "\"stepSeconds\":60,\"points\":[{\"at\":\"2026-01-02T03:05:00Z\",\"down\":"
            + RATES
            + ",\"up\":"
            + QUIET
            + "},{\"at\":\"2026-01-02T03:06:00Z\",\"down\":null,\"up\":null}]}";
    assertThat(run("usage", "alice", "--from", "2026-01-02T03:04:00+01:00", "--step", "60").out())
        .isEqualTo(
            """
            alice: means of 60 s each; rates in bit/s of frames, delay of 95 % of packets in ms
            end                   down offered  down got  down dropped  down delay  up offered  up got  up dropped  up delay
            2026-01-02T03:05:00Z         25.1M     24.5M          603k        12.5           0       0           0         -
            2026-01-02T03:06:00Z             -         -             -           -           -       -           -         -
            """);
    assertThat(run("usage", "a/b c", "--to", "x&y", "--json").out()).isEqualTo(answer + "\n");
    assertThat(requests)
        .containsExactly(
            "/sluice/v1/subscribers/alice/usage?from=2026-01-02T03%3A04%3A00%2B01%3A00&step=60",
            "/sluice/v1/subscribers/a%2Fb%20c/usage?to=x%26y");
  }

  @Test
  void thoseWithMostAreATable() {
    answer =
        "{\"by\":\"drops\",\"direction\":\"down\",\"at\":\"2026-01-02T03:05:00Z\",\"top\":["
            + RATES.replaceFirst("[{]", "{\"id\":\"alice\",")
            + "]}";
    assertThat(run("top", "--by", "drops", "--limit", "1").out())
        .isEqualTo(
            """
            down by drops, as of 2026-01-02T03:05:00Z; rates in bit/s of frames, delay of 95 % of packets in ms
            subscriber  offered    got  dropped  delay
            alice         25.1M  24.5M     603k   12.5
            """);
    answer = "{\"by\":\"rate\",\"direction\":\"up\",\"at\":null,\"top\":[]}";
    assertThat(run("top", "--direction", "up").out()).startsWith("up by rate, before the first");
    assertThat(requests)
        .containsExactly("/sluice/v1/top?by=drops&limit=1", "/sluice/v1/top?direction=up");
  }

  @Test
  void aRefusalOfTheApiIsTold() {
    status = 422;
    answer = "{\"detail\":\"by is \\\"size\\\"; allowed: rate, drops or delay.\"}";
    Ended ended = run("top", "--by", "size");
    assertThat(ended.exitCode()).isNotZero();
    assertThat(ended.err()).contains("422: by is \"size\"; allowed: rate, drops or delay.");
  }
}
