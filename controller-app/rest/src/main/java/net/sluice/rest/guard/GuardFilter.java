package net.sluice.rest.guard;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.ws.rs.HttpMethod;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.ContainerResponseContext;
import javax.ws.rs.container.ContainerResponseFilter;
import javax.ws.rs.container.ResourceInfo;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.PathSegment;
import javax.ws.rs.core.Response;
import net.sluice.core.ControllerException;
import net.sluice.northbound.audit.AuditLog;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.caller.Standing;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;

/**
 * Refuses a request to whoever does not have the role for it, and has each change that is asked for
 * in the audit log before it is begun, and durable there before it is acknowledged. It is asked
 * when the method of the resource is known, so that no way of writing a path leads past it.
 */
public final class GuardFilter implements ContainerRequestFilter, ContainerResponseFilter {
  private static final Set<String> READING =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
  private static final String ENTRY = "net.sluice.audit-entry";

  /** Segments of the path of an element: its collection and its id. */
  private static final int ELEMENT_SEGMENTS = 2;

  private final Supplier<AuditLog> audit;
  private final int maxBodyBytes;
  @Context private ResourceInfo resource;

  /**
   * A filter for all resources.
   *
   * @param audit where changes are noted
   * @param maxBodyBytes longest body that resources read
   */
  public GuardFilter(Supplier<AuditLog> audit, int maxBodyBytes) {
    this.audit = audit;
    this.maxBodyBytes = maxBodyBytes;
  }

  @Override
  public void filter(ContainerRequestContext request) throws IOException {
    Caller caller = (Caller) request.getProperty(Caller.ATTRIBUTE);
    Method method = resource.getResourceMethod();
    boolean isOpen =
        method != null && method.isAnnotationPresent(Open.class)
            // Jersey answers it by itself: with the methods that the path has.
            || request.getMethod().equals(HttpMethod.OPTIONS);
    if (caller == null && isOpen) {
      return;
    }
    if (caller == null) {
      throw new IllegalStateException("the host let a request in without saying whose it is");
    }
    Needs stated = method == null ? null : method.getAnnotation(Needs.class);
    boolean reads =
        READING.contains(request.getMethod()) || stated != null && stated.value() == Role.READ;
    Optional<Response> refusal = refusal(caller, stated, reads);
    if (!reads && !isDryRun(request)) {
      note(request, caller, audit.get(), refusal.isPresent());
    }
    refusal.ifPresent(request::abortWith);
  }

  private static Optional<Response> refusal(Caller caller, Needs stated, boolean reads) {
    Role needed = stated != null ? stated.value() : reads ? Role.READ : Role.ADMIN;
    if (caller.role().includes(needed)) {
      return Optional.empty();
    }
    String has = caller.name() + " has role " + caller.role().text();
    return Optional.of(
        ProblemDetail.of(
                ProblemType.FORBIDDEN,
                has + "; this needs " + needed.text() + ".",
                new FieldError("role", caller.role().text(), needed.text()))
            .response());
  }

  private static boolean isDryRun(ContainerRequestContext request) {
    return List.of("true").equals(request.getUriInfo().getQueryParameters().get("dryRun"));
  }

  private void note(ContainerRequestContext request, Caller caller, AuditLog log, boolean isRefused)
      throws IOException {
    // Its own text, not the one that was decoded; no query, where something secret might be.
    String path = request.getUriInfo().getRequestUri().getRawPath();
    String id = String.valueOf(request.getProperty(Caller.REQUEST_ID));
    JsonContent who =
        json -> {
          json.writeStringField("who", caller.name());
          json.writeStringField("role", caller.role().text());
          json.writeStringField("from", caller.from());
          json.writeStringField("request", id);
          json.writeStringField("method", request.getMethod());
          json.writeStringField("path", path);
        };
    Object matched = request.getUriInfo().getMatchedResources().get(0);
    Method method = resource.getResourceMethod();
    if (method != null && method.isAnnotationPresent(Streamed.class) && !isRefused) {
      // Its changes are noted as they come.
      request.setProperty(ENTRY, new Auditing(log, who));
      return;
    }
    // Of what is refused anyway not: it could be as long as the caller likes.
    byte[] body = isRefused ? new byte[0] : body(request);
    String element = request.getUriInfo().getPathParameters().getFirst("id");
    List<PathSegment> segments = request.getUriInfo().getPathSegments();
    request.setProperty(
        ENTRY,
        log.asked(
            json -> {
              who.write(json);
              if (matched instanceof Audited audited && element != null) {
                json.writeFieldName("before");
                if (segments.size() > ELEMENT_SEGMENTS) {
                  audited.writeInForce(json, element, segments.get(ELEMENT_SEGMENTS).getPath());
                } else {
                  audited.writeInForce(json, element);
                }
              }
              if (body.length > 0) {
                writeAfter(json, copy -> write(copy, matched, body), body.length);
              }
            }));
  }

  /** The standing of the caller of a request. */
  public static Standing standing(ContainerRequestContext request) {
    return request.getProperty(Standing.ATTRIBUTE) instanceof Standing standing
        ? standing
        : Standing.LASTING;
  }

  /**
   * The log for the changes of a request that brings many; empty if it has none, or wants none of
   * this request.
   */
  public static Optional<Auditing> auditing(ContainerRequestContext request) {
    return request.getProperty(ENTRY) instanceof Auditing auditing
        ? Optional.of(auditing)
        : Optional.empty();
  }

  private byte[] body(ContainerRequestContext request) throws IOException {
    byte[] body = request.getEntityStream().readNBytes(maxBodyBytes + 1);
    request.setEntityStream(new ByteArrayInputStream(body));
    return body;
  }

  private static void write(JsonGenerator json, Object matched, byte[] body) throws IOException {
    if (matched instanceof Audited audited) {
      audited.writeAsked(json, body);
    } else {
      JsonAnswer.copy(json, body);
    }
  }

  /** Of a body that cannot be written, which is refused, only its length. */
  private static void writeAfter(JsonGenerator json, JsonContent body, int bytes)
      throws IOException {
    try {
      ByteArrayOutputStream after = new ByteArrayOutputStream();
      try (JsonGenerator copy = JsonContent.generator(after)) {
        body.write(copy);
      }
      json.writeFieldName("after");
      json.writeRawValue(after.toString(StandardCharsets.UTF_8));
    } catch (IOException | RuntimeException e) {
      json.writeNumberField("malformedBytes", bytes);
    }
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    Object noted = request.getProperty(ENTRY);
    Object entity = response.getEntity();
    Auditing.Later later = entity instanceof Auditing.Later goesOn ? goesOn : null;
    int status = response.getStatus();
    try {
      if (noted instanceof Auditing auditing) {
        if (entity instanceof Auditing.Changing exchange) {
          exchange.audited(auditing);
        }
        if (later != null) {
          accept(later, acceptance(auditing, later));
        }
      } else if (noted instanceof AuditLog.Entry entry) {
        if (later != null) {
          accept(later, entry);
          return;
        }
        entry.ended(json -> Auditing.writeOutcome(json, status));
        if (status < 400) {
          entry.awaitDurable();
        }
      }
    } catch (ControllerException e) {
      ProblemDetail problem =
          ProblemDetail.of(
              ProblemType.UNAVAILABLE,
              "The answer would have been status " + status + ", but " + e.getMessage() + ".");
      if (later != null) {
        later.refused(problem);
      }
      response.setStatus(problem.status());
      response.getHeaders().putSingle(HttpHeaders.RETRY_AFTER, 1);
      response.setEntity(
          new JsonAnswer(problem::write), new Annotation[0], ProblemDetail.MEDIA_TYPE);
    }
  }

  /** The line for a request of many changes, written before the request is accepted. */
  private static AuditLog.Entry acceptance(Auditing auditing, Auditing.Later later) {
    return auditing
        .log()
        .asked(
            json -> {
              auditing.who().write(json);
              json.writeStringField("operation", later.operation());
            });
  }

  /** Answers that a request goes on only once that outlives the machine's death. */
  private static void accept(Auditing.Later later, AuditLog.Entry entry) {
    entry.awaitDurable();
    later.audited(entry);
  }
}
