package net.sluice.rest;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.ws.rs.ClientErrorException;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.guard.Audited;
import net.sluice.rest.host.Capability;
import net.sluice.rest.host.LogLevels;
import net.sluice.rest.host.LogLevels.Level;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.request.Query;
import net.sluice.rest.request.RequestBody;

/**
 * {@code log-levels}: how much is logged while the controller runs. Only of Sluice's own classes:
 * libraries log requests in full, tokens included.
 */
@Path("log-levels")
@Produces(MediaType.APPLICATION_JSON)
public final class LogLevelResource implements Audited {
  private static final String LOGGERS =
      LogLevels.ALL + " and packages or classes below it, of at most 200 characters";
  private static final Pattern LOGGER =
      Pattern.compile("net\\.sluice(\\.[A-Za-z_][A-Za-z0-9_$]{0,99}){0,12}");
  private static final int MAX_NAME = 200;
  private static final String LEVELS = "off, error, warn, info, debug or trace";

  private final Capability<LogLevels> levels;

  /** A resource of a host's levels, if it has any. */
  public LogLevelResource(Capability<LogLevels> levels) {
    this.levels = levels;
  }

  private LogLevels levels() {
    return levels.orElse(
        reason -> {
          throw new ClientErrorException(ProblemDetail.absent("log-levels", reason).response());
        });
  }

  @Override
  public void writeInForce(JsonGenerator json, String id) throws IOException {
    if (isLogger(id)) {
      json.writeStartObject();
      json.writeStringField("level", levels().inForce(id).text());
      json.writeEndObject();
    } else {
      json.writeNull();
    }
  }

  private static boolean isLogger(String name) {
    return name.length() <= MAX_NAME && LOGGER.matcher(name).matches();
  }

  private static List<Problem> problems(String name) {
    List<Problem> problems = new ArrayList<>();
    if (!isLogger(name)) {
      problems.add(Problem.of(Code.INVALID, "logger", JsonText.quoted(name), LOGGERS));
    }
    return problems;
  }

  private static void check(String name, UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    List<Problem> problems = problems(name);
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
  }

  private void write(JsonGenerator json, String logger) throws IOException {
    json.writeStartObject();
    json.writeStringField("logger", logger);
    json.writeStringField("level", levels().inForce(logger).text());
    json.writeBooleanField("inherited", !levels().own().containsKey(logger));
    json.writeEndObject();
  }

  private Response answer(String logger) {
    return new JsonAnswer(json -> write(json, logger)).ok();
  }

  /** The loggers that have levels of their own. */
  @GET
  public Response list(@Context UriInfo uri) throws Refusal {
    new Query(uri).refuseIfUnsound();
    return new JsonAnswer(
            json -> {
              json.writeStartObject();
              json.writeArrayFieldStart("items");
              for (String logger : levels().own().keySet()) {
                write(json, logger);
              }
              json.writeEndArray();
              json.writeEndObject();
            })
        .ok();
  }

  /** The level of a logger. */
  @GET
  @Path("{id}")
  public Response get(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    check(id, uri);
    return answer(id);
  }

  /** Sets the level of a logger. */
  @PUT
  @Path("{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response put(@PathParam("id") String id, @Context UriInfo uri, InputStream body)
      throws Refusal {
    new Query(uri).refuseIfUnsound();
    List<Problem> problems = problems(id);
    ObjectReader fields = new ObjectReader(RequestBody.json(body), "", problems);
    String text = fields.string("level", LEVELS);
    Optional<Level> level = Level.parse(text);
    if (text != null && level.isEmpty()) {
      fields.problem(Code.INVALID, "level", JsonText.quoted(text), LEVELS);
    }
    fields.finish();
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
    levels().set(id, level.get());
    return answer(id);
  }

  /** Takes the level of a logger away. */
  @DELETE
  @Path("{id}")
  public Response delete(@PathParam("id") String id, @Context UriInfo uri) throws Refusal {
    check(id, uri);
    levels().reset(id);
    return Response.noContent().build();
  }
}
