package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import net.sluice.core.Outcome;
import net.sluice.core.SetOutcome;
import net.sluice.core.UnavailableException;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.intents.plan.Change;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.TestServices;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that are sent twice under a key. */
final class KeysContract {
  private static final String GOLD = line("gold", "gold");
  private static final String SILVER = line("gold", "silver");

  private static final int MAX_BYTES = 4 << 20;

  /** Counts bulk changes, and has something done while one is made. */
  private static final class Counting extends MemoryController {
    private final List<Change> made = new ArrayList<>();
    private Runnable meanwhile = () -> {};

    Counting() {
      super(10);
    }

    @Override
    public void applyAll(List<Change> changes, Consumer<? super Outcome> out) {
      meanwhile.run();
      made.addAll(changes);
      super.applyAll(changes, out);
    }

    @Override
    public synchronized SetOutcome applyTogether(List<Change> changes, boolean dryRun) {
      made.addAll(changes);
      return super.applyTogether(changes, dryRun);
    }
  }

  private final Counting controller = new Counting();
  private TestServer server;

  private static String line(String id, String builtIn) {
    return "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"%s\",\"value\":{\"throughputValue\":{\"builtIn\":\"%s\"}}}\n"
        .formatted(id, builtIn);
  }

  private InMemoryNetworkStore store = new InMemoryNetworkStore();

  @BeforeEach
  void start() {
    server = new TestServer(new TestServices(controller, store));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private void restart() throws Exception {
    server.close();
    start();
  }

  private HttpResponse<String> bulk(String key, String body) throws Exception {
    return Http.send("POST", server.base() + "/bulk", body, headers(key));
  }

  private static String[] headers(String key) {
    return new String[] {"Content-Type", "application/x-ndjson", "Idempotency-Key", key};
  }

  private static boolean isReplayed(HttpResponse<String> answer) {
    return answer.headers().firstValue("Idempotency-Replayed").equals(Optional.of("true"));
  }

  @Test
  void aRequestIsMadeOnceAndAnsweredAgain() throws Exception {
    HttpResponse<String> first = bulk("a", GOLD);
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(isReplayed(first)).isFalse();
    assertThat(bulk("b", SILVER).statusCode()).isEqualTo(200);
    for (String key : List.of("a", "\"a\"")) {
      HttpResponse<String> again = bulk(key, GOLD);
      assertThat(isReplayed(again)).isTrue();
      assertThat(again.statusCode()).isEqualTo(200);
      assertThat(again.body()).isEqualTo(first.body());
      assertThat(again.headers().firstValue("Content-Type"))
          .isEqualTo(first.headers().firstValue("Content-Type"));
    }
    restart();
    assertThat(isReplayed(bulk("a", GOLD))).isTrue();
    assertThat(controller.made).hasSize(2);
  }

  @Test
  void aSetIsMadeOnceAndAnsweredAgain() throws Exception {
    String path = server.base() + "/bulk?atomic=true";
    String refused = SILVER + "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"none\"}\n";
    for (String set : List.of(GOLD + line("silver", "silver"), refused)) {
      String key = "set-" + set.length();
      HttpResponse<String> first = Http.send("POST", path, set, headers(key));
      assertThat(first.statusCode()).isEqualTo(set.equals(refused) ? 404 : 200);
      HttpResponse<String> again = Http.send("POST", path, set, headers(key));
      assertThat(isReplayed(again)).isTrue();
      assertThat(again.statusCode()).isEqualTo(first.statusCode());
      assertThat(again.body()).isEqualTo(first.body());
      // The same lines, each on its own, are another request.
      assertThat(bulk(key, set).statusCode()).isEqualTo(422);
    }
    assertThat(controller.made).hasSize(4);
  }

  @Test
  void aSetThatIsMadeLaterIsMadeOnceAndAnsweredAgain() throws Exception {
    String path = server.base() + "/bulk?atomic=true";
    String[] later = {
      "Content-Type", "application/x-ndjson", "Idempotency-Key", "a", "Prefer", "respond-async"
    };
    HttpResponse<String> first = Http.send("POST", path, GOLD, later);
    assertThat(first.statusCode()).isEqualTo(202);
    HttpResponse<String> again = Http.send("POST", path, GOLD, later);
    assertThat(isReplayed(again)).isTrue();
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.headers().firstValue("Location"))
        .isEqualTo(first.headers().firstValue("Location"));
    Patience.await("it is made", () -> controller.made.size() == 1);
  }

  @Test
  void anotherRequestWithTheKeyIsRefused() throws Exception {
    assertThat(bulk("a", GOLD).statusCode()).isEqualTo(200);
    HttpResponse<String> other = bulk("a", SILVER);
    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(other.body())
        .contains("Idempotency-Key is that of another request, a; allowed: a key of its own.");
    assertThat(
            Http.send("POST", server.base() + "/bulk?dryRun=true", GOLD, headers("a")).statusCode())
        .isEqualTo(422);
    assertThat(controller.made).hasSize(1);
  }

  @Test
  void aRefusedChangeIsAnsweredAgainAndAnUnreadableRequestMadeAnew() throws Exception {
    String gate = server.base() + "/subscribers/nobody/gate";
    String[] key = {"Idempotency-Key", "a"};
    assertThat(Http.send("POST", gate, "{\"gate\":\"open\"}", key).statusCode()).isEqualTo(404);
    HttpResponse<String> again = Http.send("POST", gate, "{\"gate\":\"open\"}", key);
    assertThat(again.statusCode()).isEqualTo(404);
    assertThat(isReplayed(again)).isTrue();
    key[1] = "b";
    assertThat(Http.send("POST", gate, "{", key).statusCode()).isEqualTo(400);
    assertThat(Http.send("POST", gate, "{\"gate\":\"open\"}", key).statusCode()).isEqualTo(404);
  }

  @Test
  void whatIsUnavailableIsMadeWhenItComesAgain() throws Exception {
    String backup = server.base() + "/subscribers/nobody/gate";
    String[] key = {"Idempotency-Key", "a"};
    controller.failWith(new UnavailableException("the disk is full", Duration.ofSeconds(1)));
    assertThat(Http.send("POST", backup, "{\"gate\":\"open\"}", key).statusCode()).isEqualTo(503);
    controller.failWith(null);
    assertThat(Http.send("POST", backup, "{\"gate\":\"open\"}", key).statusCode()).isEqualTo(404);
  }

  @Test
  void aRequestThatIsUnderWayIsNotMadeTwice() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    controller.meanwhile =
        () -> {
          begun.countDown();
          Patience.await(goOn);
        };
    CompletableFuture<HttpResponse<String>> first =
        Http.begin("POST", server.base() + "/bulk", GOLD, headers("a"));
    Patience.await(begun);
    HttpResponse<String> second = bulk("a", GOLD);
    goOn.countDown();
    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.headers().firstValue("Retry-After")).contains("1");
    assertThat(first.join().statusCode()).isEqualTo(200);
    assertThat(isReplayed(bulk("a", GOLD))).isTrue();
    assertThat(controller.made).hasSize(1);
  }

  /** A kill leaves what is on disk while the change is made. */
  @Test
  void whatAKillInterruptedIsNeverMadeAgain() throws Exception {
    InMemoryNetworkStore[] killed = new InMemoryNetworkStore[1];
    controller.meanwhile = () -> killed[0] = store.copy();
    assertThat(bulk("a", GOLD).statusCode()).isEqualTo(200);
    controller.meanwhile = () -> {};
    server.close();
    store = killed[0];
    start();
    HttpResponse<String> again = bulk("a", GOLD);
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body())
        .contains(
            "The request of this key was interrupted, and may have been made or not; allowed:"
                + " another key, after a look at what is in force.");
    assertThat(controller.made).hasSize(1);
    assertThat(bulk("b", GOLD).statusCode()).isEqualTo(200);
  }

  @Test
  void keysOfAnotherFormAreRefused() throws Exception {
    for (String key : List.of("a b", "\"a", "a,b", "x".repeat(129), "\"\"")) {
      HttpResponse<String> answer = bulk(key, GOLD);
      assertThat(answer.statusCode()).as(key).isEqualTo(400);
      assertThat(answer.body()).contains("\"field\":\"Idempotency-Key\"", "1 to 128 characters");
    }
    assertThat(bulk("x".repeat(128), GOLD).statusCode()).isEqualTo(200);
  }

  @Test
  void aBulkRequestWithAKeyIsNotLongerThanOthers() throws Exception {
    HttpResponse<String> refused = bulk("a", GOLD + " ".repeat(1 << 20));
    assertThat(refused.statusCode()).isEqualTo(413);
    assertThat(refused.headers().firstValueAsLong("Content-Length")).isPresent();
    assertThat(controller.made).isEmpty();
  }

  @Test
  void aLongAnswerIsToldOnce() throws Exception {
    HttpResponse<String> first = bulk("a", "\n".repeat(100_000));
    assertThat(first.body().length()).isGreaterThan(MAX_BYTES);
    assertThat(first.body().lines()).hasSize(100_000);
    for (int start = 0; start < 2; start++) {
      HttpResponse<String> again = bulk("a", "\n".repeat(100_000));
      assertThat(again.statusCode()).isEqualTo(409);
      assertThat(again.body()).contains("its answer is longer than is kept (262144 bytes)");
      restart();
    }
  }
}
