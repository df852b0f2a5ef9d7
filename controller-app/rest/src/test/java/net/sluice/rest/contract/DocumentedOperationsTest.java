package net.sluice.rest.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.ws.rs.Path;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.TestServices;
import org.glassfish.jersey.server.model.Resource;
import org.glassfish.jersey.server.model.ResourceMethod;
import org.junit.jupiter.api.Test;

/** The document has the operations that the resources have, with the parameters that they take. */
final class DocumentedOperationsTest {
  private final JsonNode paths;

  DocumentedOperationsTest() throws Exception {
    paths = new ObjectMapper().readTree(OpenApiDocument.text()).get("paths");
  }

  private Set<String> documented() {
    Set<String> all = new TreeSet<>();
    paths
        .fields()
        .forEachRemaining(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method -> all.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    return all;
  }

  private static Stream<String> operations(String parent, Resource of) {
    String path = parent + (of.getPath().startsWith("/") ? "" : "/") + of.getPath();
    return Stream.concat(
        of.getResourceMethods().stream()
            .map(ResourceMethod::getHttpMethod)
            .map(method -> method + " " + path.replaceAll("/$", "").replaceAll(":[^}]*}", "}")),
        of.getChildResources().stream().flatMap(child -> operations(path, child)));
  }

  @Test
  void theOperationsAreThoseOfTheResources() {
    Set<String> served =
        new SluiceApplication(
                new TestServices(new MemoryController(1)).host(),
                () -> new MetricSnapshots(),
                Set.of())
            .resources().stream()
                .map(Object::getClass)
                .filter(each -> each.isAnnotationPresent(Path.class))
                .flatMap(each -> operations("", Resource.from(each)))
                .collect(Collectors.toCollection(TreeSet::new));
    assertThat(documented()).isEqualTo(served);
  }

  private List<JsonNode> queryParameters(String operation) {
    String[] parts = operation.split(" ");
    List<JsonNode> all = new ArrayList<>();
    for (JsonNode each :
        paths.get(parts[1]).get(parts[0].toLowerCase(Locale.ROOT)).path("parameters")) {
      if (each.get("in").asText().equals("query")) {
        all.add(each);
      }
    }
    return all;
  }

  private HttpResponse<String> sent(TestServer server, String operation, String query)
      throws Exception {
    String[] parts = operation.split(" ");
    String path = parts[1].replace("{kind}", "subscriber").replaceAll("\\{\\w+}", "x");
    JsonNode body =
        paths.get(parts[1]).get(parts[0].toLowerCase(Locale.ROOT)).at("/requestBody/content");
    return body.isMissingNode()
        ? server.send(parts[0], path + "?" + query, null)
        : server.send(parts[0], path + "?" + query, body.fieldNames().next(), "{}");
  }

  @Test
  void theQueryParametersAreThoseThatAreTaken() throws Exception {
    try (TestServer server = new TestServer(new MemoryController(1))) {
      for (String operation : documented()) {
        HttpResponse<String> answer = sent(server, operation, "nonsense=1");
        Set<String> names =
            queryParameters(operation).stream()
                .map(each -> each.get("name").asText())
                .collect(Collectors.toCollection(TreeSet::new));
        JsonNode error =
            new ObjectMapper().readTree(answer.body()).path("errors").path(0).path("allowed");
        Set<String> taken =
            Stream.of(
                    error
                        .asText()
                        .replace("only the query parameters ", "")
                        .replace("no query parameters", "")
                        .split(", "))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(error.asText()).as(operation + answer.body()).contains("query parameters");
        assertThat(names).as(operation).isEqualTo(taken);
      }
    }
  }

  @Test
  void theBoundsAreThoseThatAreKept() throws Exception {
    int bounds = 0;
    try (TestServer server = new TestServer(new MemoryController(1))) {
      for (String operation : documented()) {
        for (JsonNode parameter : queryParameters(operation)) {
          JsonNode most = parameter.get("schema").get("maximum");
          JsonNode least = parameter.get("schema").get("minimum");
          if (most == null || least == null) {
            continue;
          }
          bounds++;
          String name = parameter.get("name").asText();
          String allowed = least.asText() + " to " + most.asText();
          assertThat(sent(server, operation, name + "=" + (most.asLong() + 1)).body())
              .as(operation)
              .contains("\"field\":\"" + name + "\"", allowed + "\"}");
        }
      }
    }
    assertThat(bounds).isGreaterThan(10);
  }
}
