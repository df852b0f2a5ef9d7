import com.google.gson.JsonParser;
import java.io.File;
import java.nio.file.Files;
import java.util.List;
import net.sluice.client.ApiClient;
import net.sluice.client.ApiResponse;
import net.sluice.client.api.AuditApi;
import net.sluice.client.api.BulkApi;
import net.sluice.client.api.EventsApi;
import net.sluice.client.api.PoliciesApi;
import net.sluice.client.model.AuditLines;
import net.sluice.client.model.Policy;
import net.sluice.client.model.PolicyAnswer;
import net.sluice.client.model.PolicyPage;
import net.sluice.client.model.PolicyPatch;
import net.sluice.client.model.PutPolicy200Response;

/** Walks through the API by the client that OpenAPI Generator makes; the argument is its base. */
public final class Walk {
  private static void check(boolean holds, Object what) {
    if (!holds) {
      throw new IllegalStateException(String.valueOf(what));
    }
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(args[0]);
    PoliciesApi policies = new PoliciesApi(client);
    Policy gold = Policy.fromJson("{\"throughputValue\":{\"builtIn\":\"gold\"}}");
    ApiResponse<PutPolicy200Response> made =
        policies.putPolicyWithHttpInfo("gold", gold, null, null, null, null, null);
    check(made.getStatusCode() == 201, made.getStatusCode());
    PolicyPatch patch = new PolicyPatch().displayName("Gold 100");
    PolicyAnswer patched =
        policies.patchPolicy("gold", patch, null, null, null, null, null).getPolicyAnswer();
    check(patched.getDeclared().getDisplayName().equals("Gold 100"), patched);

    File lines = File.createTempFile("lines", ".ndjson");
    for (String id : List.of("a", "b")) {
      Files.writeString(
          lines.toPath(),
          ("{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"%s\",\"value\":"
                  + "{\"throughputValue\":{\"builtIn\":\"silver\"}}}%n")
              .formatted(id),
          java.nio.file.StandardOpenOption.APPEND);
    }
    File answer = new BulkApi(client).bulk(lines, null, null, null, null);
    List<String> results = Files.readAllLines(answer.toPath());
    check(results.size() == 2, results);
    for (String result : results) {
      check(JsonParser.parseString(result).getAsJsonObject().get("status").getAsInt() == 200, result);
    }

    PolicyPage page = policies.listPolicies(2, null, null, null);
    check(page.getItems().stream().map(PolicyAnswer::getId).toList().equals(List.of("a", "b")), page);
    check(page.getNext() != null, page);

    try (okhttp3.Response events =
        new EventsApi(client).followEventsCall(null, null, "0", null).execute()) {
      String line = "";
      while (!line.startsWith("data:")) {
        line = events.body().source().readUtf8LineStrict();
      }
      check(line.contains("\"specversion\":\"1.0\""), line);
    }

    AuditLines log = new AuditApi(client).getAudit(null, null);
    check(!log.getItems().isEmpty(), log);
    System.out.println("ok");
    System.exit(0);
  }
}
