package net.sluice.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.caller.Caller;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.request.Query;

/**
 * {@code version}: the version of the controller, the commit that it was built from, what its host
 * has and lacks, and who asks.
 */
@Path("version")
@Produces(MediaType.APPLICATION_JSON)
public final class VersionResource {
  private final Properties build = build();
  private final Map<String, Optional<String>> capabilities;

  /**
   * A resource of this build.
   *
   * @param capabilities by name, with why each is absent
   */
  public VersionResource(Map<String, Optional<String>> capabilities) {
    this.capabilities = Map.copyOf(capabilities);
  }

  /** The version that the build noted. */
  public static String version() {
    return build().getProperty("version");
  }

  private static Properties build() {
    Properties build = new Properties();
    try (InputStream noted = VersionResource.class.getResourceAsStream("build.properties")) {
      build.load(noted);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build;
  }

  /** The version. */
  @GET
  public Response get(@Context UriInfo uri, @Context ContainerRequestContext request)
      throws Refusal {
    new Query(uri).refuseIfUnsound();
    Caller caller = (Caller) request.getProperty(Caller.ATTRIBUTE);
    return new JsonAnswer(
            json -> {
              json.writeStartObject();
              json.writeStringField("version", build.getProperty("version"));
              json.writeStringField(
                  "commit", System.getProperty("sluice.commit", build.getProperty("commit")));
              json.writeObjectFieldStart("capabilities");
              for (Map.Entry<String, Optional<String>> each :
                  new TreeMap<>(capabilities).entrySet()) {
                json.writeObjectFieldStart(each.getKey());
                json.writeBooleanField("present", each.getValue().isEmpty());
                if (each.getValue().isPresent()) {
                  json.writeStringField("reason", each.getValue().get());
                }
                json.writeEndObject();
              }
              json.writeEndObject();
              json.writeObjectFieldStart("caller");
              json.writeStringField("name", caller.name());
              json.writeStringField("role", caller.role().text());
              json.writeEndObject();
              json.writeEndObject();
            })
        .ok();
  }
}
