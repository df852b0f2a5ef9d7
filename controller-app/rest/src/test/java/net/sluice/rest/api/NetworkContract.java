package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import net.sluice.core.testing.NetworkRig;
import net.sluice.rest.testing.TestServer;
import net.sluice.testing.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Attachments and scopes that name a switch, in a network of two. */
final class NetworkContract {
  private static final String TREE = "{'scope':{'port':0,'tree':3%s},'downBps':50000000}";

  private final NetworkRig rig = NetworkRig.settled("leaf1", "leaf2");
  private final TestServer server = new TestServer(rig.controller);

  @BeforeEach
  void start() throws Exception {
    assertThat(
            put("policies/gold?waitMillis=0", "{'throughputValue':{'builtIn':'gold'}}")
                .statusCode())
        .isEqualTo(201);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    rig.close();
  }

  private HttpResponse<String> put(String path, String json) throws Exception {
    return Http.send("PUT", server.base() + "/" + path, json.replace('\'', '"'));
  }

  private String get(String path) throws Exception {
    return Http.send("GET", server.base() + "/" + path, null).body();
  }

  private static String subscriber(String at) {
    return "{'policy':'gold','prefixes':['10.0.0.1/32'],'attachment':{'port':0,'tree':3"
        + at
        + "}}";
  }

  @Test
  void attachmentsAndScopesNameTheSwitch() throws Exception {
    HttpResponse<String> nowhere = put("subscribers/alice?waitMillis=0", subscriber(""));
    assertThat(nowhere.statusCode()).isBetween(400, 499);
    assertThat(nowhere.body()).contains("attachment.switch").contains("leaf1, leaf2");
    HttpResponse<String> unknown =
        put("subscribers/alice?waitMillis=0", subscriber(",'switch':'leaf9'"));
    assertThat(unknown.statusCode()).isBetween(400, 499);
    assertThat(unknown.body()).contains("leaf9");
    assertThat(put("subscribers/alice?waitMillis=0", subscriber(",'switch':'leaf2'")).statusCode())
        .isEqualTo(201);
    assertThat(get("subscribers/alice")).contains("\"switch\":\"leaf2\"");
    assertThat(put("rate-limits/tree?waitMillis=0", TREE.formatted("")).statusCode())
        .isBetween(400, 499);
    assertThat(
            put("rate-limits/tree?waitMillis=0", TREE.formatted(",'switch':'leaf2'")).statusCode())
        .isEqualTo(201);
    assertThat(get("rate-limits/tree")).contains("\"switch\":\"leaf2\"");
    assertThat(get("switches")).contains("\"leaf1\"").contains("\"leaf2\"");
  }
}
