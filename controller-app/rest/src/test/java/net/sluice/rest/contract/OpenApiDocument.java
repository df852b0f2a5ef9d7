package net.sluice.rest.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.jaxrs2.Reader;
import io.swagger.v3.oas.integration.SwaggerConfiguration;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.ws.rs.Path;
import net.sluice.intents.field.Form;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.Kind;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.problem.ProblemType;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServices;

/**
 * Makes the published document of the API (OpenAPI 3.1) from its resources and from the records of
 * this package. Swagger's reader reads annotations; added here is what holds for every operation.
 */
final class OpenApiDocument {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<Class<?>> FORMS =
      List.of(
          BulkForms.class,
          Answers.class,
          Statuses.class,
          Switches.class,
          WebhookForms.class,
          LogLevelForms.class);
  private static final String PROBLEMS = "#/components/responses/";

  /** Filters that lists of a kind do not have, which the resources read by one method. */
  private static final Map<Kind, Set<String>> OTHER_FILTERS =
      Map.of(
          Kind.POLICY, Set.of("policy", "switch", "port", "tree", "address", "label"),
          Kind.SUBSCRIBER, Set.of(),
          Kind.RATE_LIMIT, Set.of("policy", "address", "label"));

  private static final List<String> METHODS = List.of("get", "put", "patch", "post", "delete");

  /** Methods of requests that a key makes once. */
  private static final Set<String> KEYED = Set.of("post", "patch");

  /** What any request may be refused with. */
  private static final List<ProblemType> ANY =
      List.of(
          ProblemType.MALFORMED,
          ProblemType.UNAUTHORIZED,
          ProblemType.FORBIDDEN,
          ProblemType.NOT_ACCEPTABLE,
          ProblemType.MISDIRECTED,
          ProblemType.INVALID,
          ProblemType.TOO_MANY,
          ProblemType.INTERNAL,
          ProblemType.UNAVAILABLE);

  private OpenApiDocument() {}

  /** The document of all resources. */
  static String text() {
    Set<Class<?>> resources =
        new SluiceApplication(
                new TestServices(new MemoryController(1)).host(),
                () -> new MetricSnapshots(),
                Set.of())
            .resources().stream()
                .map(Object::getClass)
                .filter(each -> each.isAnnotationPresent(Path.class))
                .collect(Collectors.toCollection(() -> new TreeSet<>(OpenApiDocument::byName)));
    ModelConverters converters = ModelConverters.getInstance(true);
    converters.addConverter(new Texts());
    OpenAPI read =
        new Reader(new SwaggerConfiguration().openAPI(new OpenAPI()).openAPI31(true))
            .read(resources);
    ObjectNode document = Json31.mapper().convertValue(read, ObjectNode.class);
    ObjectNode schemas = schemas(converters);
    ObjectNode whole = MAPPER.createObjectNode();
    whole.put("openapi", "3.1.0");
    ObjectNode info = whole.putObject("info");
    info.put("title", "Sluice");
    info.put("version", "1.0.0");
    info.put(
        "description",
        "The interface between an operator's OSS and the controller. Refused are unknown query"
            + " parameters and unknown fields of bodies; of answers, clients ignore fields that"
            + " they do not know. Each answer has the header X-Request-Id.");
    info.putObject("license").put("name", "Apache-2.0").put("identifier", "Apache-2.0");
    whole.putArray("servers").addObject().put("url", SluiceApplication.BASE_PATH);
    ArrayNode either = whole.putArray("security");
    either.addObject().putArray("bearer");
    either.addObject().putArray("basic");
    ObjectNode paths = whole.putObject("paths");
    for (String path : new TreeSet<>(names(document.get("paths")))) {
      paths.set(path, path(path, document.get("paths").get(path)));
    }
    ObjectNode components = whole.putObject("components");
    ObjectNode schemes = components.putObject("securitySchemes");
    schemes
        .putObject("bearer")
        .put("type", "http")
        .put("scheme", "bearer")
        .put("description", "A token of the controller; needed under serve --tokens.");
    schemes
        .putObject("basic")
        .put("type", "http")
        .put("scheme", "basic")
        .put("description", "A user of ONOS with its password; needed in ONOS.");
    ObjectNode problems = components.putObject("responses");
    for (ProblemType type : ProblemType.values()) {
      problem(type, problems.putObject(name(type)));
    }
    components.set("schemas", schemas);
    return pretty(wholeNumbers(whole));
  }

  private static int byName(Class<?> one, Class<?> other) {
    return one.getName().compareTo(other.getName());
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** The forms of bodies; what is not an {@code Optional} has to be there. */
  private static ObjectNode schemas(ModelConverters converters) {
    TreeMap<String, JsonNode> all = new TreeMap<>();
    for (Class<?> form :
        FORMS.stream().flatMap(each -> Stream.of(each.getDeclaredClasses())).toList()) {
      Map<String, Schema> read = converters.readAll(form);
      Schema<?> schema = read.get(name(form));
      for (RecordComponent component : form.getRecordComponents()) {
        if (component.getType() != Optional.class) {
          schema.addRequiredItem(fieldName(component));
        }
      }
      all.put(name(form), Json31.mapper().valueToTree(schema));
    }
    ShapeSchemas.all().forEach(all::put);
    ObjectNode schemas = MAPPER.createObjectNode();
    schemas.setAll(all);
    return schemas;
  }

  private static String name(Class<?> form) {
    var schema = form.getAnnotation(io.swagger.v3.oas.annotations.media.Schema.class);
    return schema.name().isEmpty() ? form.getSimpleName() : schema.name();
  }

  private static String fieldName(RecordComponent component) {
    var schema =
        component.getAccessor().getAnnotation(io.swagger.v3.oas.annotations.media.Schema.class);
    return schema == null || schema.name().isEmpty() ? component.getName() : schema.name();
  }

  private static JsonNode path(String path, JsonNode item) {
    String first = path.split("/")[1];
    Optional<Kind> kind =
        Arrays.stream(Kind.values()).filter(each -> each.path().equals(first)).findFirst();
    ObjectNode operations = MAPPER.createObjectNode();
    for (String method : METHODS) {
      if (item.has(method)) {
        operations.set(method, operation(first, path, method, (ObjectNode) item.get(method)));
      }
    }
    if (kind.isEmpty()) {
      return operations;
    }
    if (path.equals("/" + first)) {
      ArrayNode parameters = (ArrayNode) operations.at("/get/parameters");
      for (int i = parameters.size() - 1; i >= 0; i--) {
        if (OTHER_FILTERS.get(kind.get()).contains(parameters.get(i).get("name").asText())) {
          parameters.remove(i);
        }
      }
    }
    String one = words(kind.get().field());
    String many = kind.get() == Kind.POLICY ? "Policies" : one + "s";
    return parsed(operations.toString().replace("{kind}", one).replace("{kinds}", many));
  }

  private static String words(String field) {
    return field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1);
  }

  private static ObjectNode operation(
      String tag, String path, String method, ObjectNode operation) {
    operation.putArray("tags").add(tag);
    // Swagger's reader numbers those that several resources inherit.
    operation.put(
        "operationId", operation.get("operationId").asText().replaceFirst("_[0-9]+$", ""));
    for (JsonNode parameter : operation.path("parameters")) {
      if (parameter.get("in").asText().equals("path")) {
        ((ObjectNode) parameter.get("schema")).put("pattern", Ids.PATTERN);
      }
    }
    Set<ProblemType> refusals = new TreeSet<>(ANY);
    if (path.contains("{")) {
      refusals.add(ProblemType.NOT_FOUND);
    }
    if (KEYED.contains(method)) {
      operation.withArray("parameters").add(key());
      refusals.add(ProblemType.CONFLICT);
    }
    if (operation.has("requestBody")) {
      refusals.add(ProblemType.TOO_LARGE);
      refusals.add(ProblemType.UNSUPPORTED_MEDIA_TYPE);
    }
    ObjectNode responses = (ObjectNode) operation.get("responses");
    responses.remove("default");
    refusals.forEach(each -> responses.putIfAbsent("" + each.status(), MAPPER.createObjectNode()));
    responses.putObject("4XX");
    TreeMap<String, JsonNode> ordered = new TreeMap<>();
    for (Iterator<Map.Entry<String, JsonNode>> each = responses.fields(); each.hasNext(); ) {
      Map.Entry<String, JsonNode> response = each.next();
      boolean isProblem = response.getKey().compareTo("4") > 0;
      ordered.put(
          response.getKey(),
          isProblem
              ? MAPPER.createObjectNode().put("$ref", PROBLEMS + name(type(response.getKey())))
              : response.getValue());
    }
    responses.removeAll();
    responses.setAll(ordered);
    return operation;
  }

  private static ObjectNode key() {
    ObjectNode parameter =
        MAPPER
            .createObjectNode()
            .put("name", "Idempotency-Key")
            .put("in", "header")
            .put("required", false)
            .put(
                "description",
                "A key of the request: sent again with it, the request is not made again and gets"
                    + " the same answer.");
    parameter
        .putObject("schema")
        .put("type", "string")
        .put("pattern", "^(\"[A-Za-z0-9._~:+/=-]{1,128}\"|[A-Za-z0-9._~:+/=-]{1,128})$");
    return parameter;
  }

  private static ProblemType type(String status) {
    return Arrays.stream(ProblemType.values())
        .filter(each -> each != ProblemType.HTTP && status.equals("" + each.status()))
        .findFirst()
        .orElse(ProblemType.HTTP);
  }

  private static String name(ProblemType type) {
    return Arrays.stream(type.title().split(" "))
        .map(OpenApiDocument::words)
        .collect(Collectors.joining());
  }

  private static void problem(ProblemType type, ObjectNode response) {
    response.put("description", type.title() + ": " + type.uri());
    response
        .putObject("content")
        .putObject("application/problem+json")
        .putObject("schema")
        .put("$ref", "#/components/schemas/Problem");
  }

  /** Bounds that swagger has as decimals. */
  private static JsonNode wholeNumbers(JsonNode node) {
    if (node.isNumber() && !node.isIntegralNumber() && node.doubleValue() % 1 == 0) {
      return LongNode.valueOf(node.longValue());
    }
    if (node instanceof ObjectNode object) {
      names(object).forEach(name -> object.set(name, wholeNumbers(object.get(name))));
    }
    if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, wholeNumbers(array.get(i)));
      }
    }
    return node;
  }

  private static JsonNode parsed(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pretty(JsonNode document) {
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));
    try {
      return MAPPER
              .copy()
              .setSerializationInclusion(JsonInclude.Include.NON_NULL)
              .writer(printer)
              .writeValueAsString(document)
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads enums that have another text in the API than their name. */
  private static final class Texts implements ModelConverter {
    @Override
    public Schema<?> resolve(
        AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
      JavaType java = Json31.mapper().constructType(type.getType());
      if (java.getRawClass().isAnnotationPresent(Form.class)) {
        return new JsonSchema().$ref(ShapeSchemas.reference(java.getRawClass()));
      }
      if (java.isEnumType()) {
        Schema<Object> schema = new JsonSchema();
        schema.addType("string");
        for (Object value : java.getRawClass().getEnumConstants()) {
          schema.addEnumItemObject(text((Enum<?>) value));
        }
        return schema;
      }
      return chain.hasNext() ? chain.next().resolve(type, context, chain) : null;
    }

    private static String text(Enum<?> value) {
      try {
        return (String) value.getClass().getMethod("text").invoke(value);
      } catch (NoSuchMethodException e) {
        return value.name();
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
