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
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.intents.field.Form;
import net.sluice.intents.model.Kind;
import net.sluice.intents.value.Ids;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.problem.ProblemType;

/**
 * Makes the published document of the API (OpenAPI 3.1) from {@code operations.yaml} and from the
 * records of bodies. Added here is what holds for every operation.
 */
final class OpenApiDocument {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<Class<?>> FORMS =
      List.of(
          BulkForms.class,
          Answers.class,
          Statuses.class,
          Switches.class,
          UsageForms.class,
          WhyForms.class,
          WebhookForms.class,
          LogLevelForms.class);

  /** Of JSON, integers among numbers. */
  private static final int ALL_TYPES = 6;

  private static final String PROBLEMS = "#/components/responses/";

  private static final Path OPERATIONS = Path.of("src/main/openapi/operations.yaml");
  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");

  private static final List<String> METHODS = List.of("get", "put", "patch", "post", "delete");

  /** Of an operation, in the order of the document. */
  private static final List<String> FIELDS =
      List.of("summary", "description", "operationId", "parameters", "requestBody", "responses");

  /** Forms that are changed by merge patches. */
  private static final List<String> PATCHED =
      List.of("Policy", "RateLimit", "Subscriber", "SwitchDeclaration", "Tariff");

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
    JsonNode source;
    try {
      source = new ObjectMapper(new YAMLFactory()).readTree(Files.readString(OPERATIONS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ModelConverters converters = ModelConverters.getInstance(true);
    converters.addConverter(new Texts());
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
    paths(source).forEach((path, item) -> paths.set(path, path(path, item)));
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

  /** The operations of each path, with those of declarations once for each kind. */
  private static TreeMap<String, JsonNode> paths(JsonNode source) {
    TreeMap<String, JsonNode> paths = new TreeMap<>();
    for (String path : names(source.get("paths"))) {
      paths.put(path, resolved(source, source.get("paths").get(path)));
    }
    for (Kind kind : Kind.values()) {
      String one = words(kind.field());
      String many = kind == Kind.POLICY ? "Policies" : one + "s";
      for (String path : names(source.get("declarations"))) {
        JsonNode item = resolved(source, source.get("declarations").get(path));
        for (JsonNode operation : item) {
          onlyOf(kind, operation.path("parameters"));
        }
        paths.put(
            path.replace("{kinds}", kind.path()),
            parsed(item.toString().replace("{kind}", one).replace("{kinds}", many)));
      }
    }
    return paths;
  }

  private static void onlyOf(Kind kind, JsonNode parameters) {
    for (Iterator<JsonNode> each = parameters.elements(); each.hasNext(); ) {
      ObjectNode parameter = (ObjectNode) each.next();
      JsonNode kinds = parameter.remove("x-kinds");
      if (kinds != null && !kinds.toString().contains('"' + kind.field() + '"')) {
        each.remove();
      }
    }
  }

  /** With what the source keeps at one place for several operations. */
  private static JsonNode resolved(JsonNode source, JsonNode node) {
    String shared = node.path("$ref").asText();
    if (shared.startsWith("#/components/") && !source.at(shared.substring(1)).isMissingNode()) {
      return resolved(source, source.at(shared.substring(1)));
    }
    if (node instanceof ObjectNode object) {
      ObjectNode copy = MAPPER.createObjectNode();
      names(object).forEach(name -> copy.set(name, resolved(source, object.get(name))));
      return copy;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode copy = MAPPER.createArrayNode();
      array.forEach(each -> copy.add(resolved(source, each)));
      return copy;
    }
    return node;
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
      all.put(name(form), withNulls(Json31.mapper().valueToTree(schema)));
    }
    ShapeSchemas.all().forEach(all::put);
    for (String patched : PATCHED) {
      all.put(patched + "Patch", patch(patched, all.get(patched)));
    }
    ObjectNode schemas = MAPPER.createObjectNode();
    schemas.setAll(all);
    return schemas;
  }

  /** A merge patch of a form: each field may be absent, or null. */
  private static ObjectNode patch(String name, JsonNode form) {
    ObjectNode patch =
        MAPPER
            .createObjectNode()
            .put("type", "object")
            .put("additionalProperties", false)
            .put(
                "description", "The fields of " + name + " that are changed; null takes one away.");
    ObjectNode fields = patch.putObject("properties");
    for (String field : names(form.get("properties"))) {
      fields.set(field, orNull(form.get("properties").get(field)));
    }
    return patch;
  }

  private static ObjectNode orNull(JsonNode form) {
    ObjectNode choice = MAPPER.createObjectNode();
    ArrayNode either = choice.putArray("oneOf");
    either.add(form);
    either.addObject().put("type", "null");
    return choice;
  }

  /** Has a field be null or of a form; types beside a reference would hold together with it. */
  private static JsonNode withNulls(ObjectNode form) {
    for (String name : names(form.path("properties"))) {
      ObjectNode field = (ObjectNode) form.get("properties").get(name);
      if (field.has("$ref") && field.remove("type") != null) {
        ObjectNode choice = orNull(MAPPER.createObjectNode().set("$ref", field.get("$ref")));
        ((ObjectNode) form.get("properties"))
            .set(name, choice.set("description", field.get("description")));
      }
    }
    return form;
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
    ObjectNode operations = MAPPER.createObjectNode();
    for (String method : METHODS) {
      if (item.has(method)) {
        ObjectNode operation = (ObjectNode) item.get(method);
        operations.set(method, operation(path.split("/")[1], path, method, operation));
      }
    }
    return operations;
  }

  private static String words(String field) {
    return field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1);
  }

  private static ObjectNode operation(
      String tag, String path, String method, ObjectNode operation) {
    Matcher names = PARAMETER.matcher(path);
    while (names.find()) {
      ObjectNode parameter =
          operation
              .withArray("parameters")
              .addObject()
              .put("name", names.group(1))
              .put("in", "path")
              .put("required", true);
      parameter.putObject("schema").put("type", "string").put("pattern", Ids.PATTERN);
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
    for (JsonNode status : operation.path("x-refusals")) {
      responses.putObject(status.asText());
    }
    operation.remove("x-refusals");
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
    ObjectNode inOrder = MAPPER.createObjectNode();
    for (String field : FIELDS) {
      if (operation.has(field)) {
        inOrder.set(field, operation.remove(field));
      }
    }
    inOrder.setAll(operation);
    inOrder.putArray("tags").add(tag);
    return inOrder;
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

  /** With bounds that swagger has as decimals, and without the types of what may be any value. */
  private static JsonNode wholeNumbers(JsonNode node) {
    if (node.isNumber() && !node.isIntegralNumber() && node.doubleValue() % 1 == 0) {
      return LongNode.valueOf(node.longValue());
    }
    if (node instanceof ObjectNode object) {
      names(object).forEach(name -> object.set(name, wholeNumbers(object.get(name))));
      if (object.path("type").size() == ALL_TYPES) {
        object.remove("type");
      }
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
