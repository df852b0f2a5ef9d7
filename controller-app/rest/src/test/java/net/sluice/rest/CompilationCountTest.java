package net.sluice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import net.sluice.core.testing.ControllerRig;
import net.sluice.rest.testing.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a request has compiled: a put and a bulk line once, a get and a list nothing. */
final class CompilationCountTest {
  private final ControllerRig rig = ControllerRig.settled();
  private final TestServer server = new TestServer(rig.controller);

  @AfterEach
  void close() throws Exception {
    server.close();
    rig.close();
  }

  /** Sends a request and tells how many compilations it took. */
  private int compilations(int status, String method, String path, String body)
      throws IOException, InterruptedException {
    int unused = rig.compiler.takeCount();
    HttpResponse<String> response = server.send(method, path, body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return rig.compiler.takeCount();
  }

  private int put(int status, String path, String body) throws IOException, InterruptedException {
    return compilations(status, "PUT", path + "?waitMillis=0", body);
  }

  private int get(String path) throws IOException, InterruptedException {
    return compilations(200, "GET", path, null);
  }

  @Test
  void aPutIsCompiledOnceAndNothingForAGetOrAList() throws IOException, InterruptedException {
    String alice =
        "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.1/32\"],"
            + "\"attachment\":{\"port\":0,\"tree\":3}}";
    assertThat(put(201, "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}")).isOne();
    assertThat(put(201, "/subscribers/alice", alice)).isOne();
    for (String scope :
        new String[] {"{\"subscriber\":\"alice\"}", "{\"port\":0,\"tree\":3}", "{\"port\":0}"}) {
      String limit = "{\"scope\":" + scope + ",\"downBps\":50000000}";
      assertThat(put(201, "/rate-limits/l" + scope.length(), limit)).isOne();
    }
    assertThat(put(200, "/subscribers/alice", alice)).isOne();
    assertThat(
            compilations(200, "PUT", "/subscribers/bob?dryRun=true", alice.replace(".1/", ".2/")))
        .isOne();
    assertThat(get("/policies/gold")).isZero();
    assertThat(get("/subscribers/alice")).isZero();
    assertThat(get("/rate-limits/l10")).isZero();
    assertThat(get("/policies")).isZero();
    assertThat(get("/subscribers")).isZero();
    assertThat(get("/rate-limits")).isZero();
    assertThat(get("/status")).isZero();
  }

  @Test
  void aBulkLineIsCompiledOnce() throws IOException, InterruptedException {
    String lines =
        "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"p\","
            + "\"value\":{\"throughputValue\":{\"builtIn\":\"gold\"}}}\n"
            + "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"p\"}\n"
            + "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"none\"}\n";
    HttpResponse<String> response = server.send("POST", "/bulk", "application/x-ndjson", lines);
    assertThat(response.body().lines()).hasSize(3);
    assertThat(rig.compiler.takeCount()).isEqualTo(3);
  }
}
