package net.sluice.rest.problem;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.ws.rs.ClientErrorException;
import javax.ws.rs.HttpMethod;
import javax.ws.rs.NotAcceptableException;
import javax.ws.rs.NotAllowedException;
import javax.ws.rs.NotFoundException;
import javax.ws.rs.NotSupportedException;
import javax.ws.rs.WebApplicationException;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import javax.ws.rs.ext.ExceptionMapper;
import net.sluice.core.ControllerException;
import net.sluice.core.UnavailableException;
import net.sluice.core.store.BackupFile;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.BackupResource;
import net.sluice.rest.json.MergePatch;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.request.RequestBody;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns whatever a resource throws into a problem. */
public final class Mappers {
  private static final Logger LOG = LoggerFactory.getLogger(Mappers.class);

  /** The header that names what PATCH reads (RFC 5789 section 3.1). */
  private static final String ACCEPT_PATCH = "Accept-Patch";

  private Mappers() {}

  /** All mappers; register each as an instance. */
  public static Set<Object> all(Incidents incidents) {
    return Set.of(
        new OfRefusal(), new OfController(), new OfHttp(incidents), new OfFault(incidents));
  }

  /** A request or change that was refused. */
  static final class OfRefusal implements ExceptionMapper<Refusal> {
    @Override
    public Response toResponse(Refusal refusal) {
      return ProblemDetail.of(refusal.problems()).response();
    }
  }

  /** The controller's store or a target fails. */
  static final class OfController implements ExceptionMapper<ControllerException> {
    @Override
    public Response toResponse(ControllerException failure) {
      Response.ResponseBuilder response = of(failure).builder();
      if (failure instanceof UnavailableException unavailable) {
        long seconds = Math.max(1, (unavailable.retryAfter().toMillis() + 999) / 1000);
        response.header(HttpHeaders.RETRY_AFTER, seconds);
      }
      return response.build();
    }

    static ProblemDetail of(ControllerException failure) {
      if (!(failure instanceof UnavailableException)) {
        // What passes by itself is logged when it begins, not with each request meanwhile.
        LOG.warn("a request could not be served: {}", failure.getMessage());
      }
      LOG.debug("it failed here", failure);
      return ProblemDetail.of(ProblemType.UNAVAILABLE, sentence(failure.getMessage()));
    }
  }

  /** Refusals of the JAX-RS runtime: unknown paths, methods, media types. */
  static final class OfHttp implements ExceptionMapper<WebApplicationException> {
    private final Incidents incidents;
    @Context private UriInfo uri;
    @Context private Request request;
    @Context private HttpHeaders headers;

    OfHttp(Incidents incidents) {
      this.incidents = incidents;
    }

    @Override
    public Response toResponse(WebApplicationException refused) {
      if (refused instanceof NotFoundException) {
        // As it was sent: an escaped slash is none that divides.
        String path = uri.getRequestUri().getRawPath();
        return ProblemDetail.of(
                ProblemType.NOT_FOUND,
                "There is no resource " + path + ".",
                new FieldError("path", path, "a path of the API"))
            .response();
      }
      if (refused instanceof NotAllowedException) {
        Set<String> methods = new TreeSet<>(refused.getResponse().getAllowedMethods());
        if (methods.contains(HttpMethod.GET)) {
          methods.add(HttpMethod.HEAD);
        }
        String allowed = String.join(", ", methods);
        return ProblemDetail.of(
                ProblemType.METHOD_NOT_ALLOWED,
                request.getMethod() + " is not possible here; allowed: " + allowed + ".",
                new FieldError("method", request.getMethod(), allowed))
            .builder()
            .allow(methods)
            .build();
      }
      if (refused instanceof NotAcceptableException) {
        String accept = header(HttpHeaders.ACCEPT);
        return ProblemDetail.of(
                ProblemType.NOT_ACCEPTABLE,
                "The answer cannot be " + accept + "; it is " + produced() + ".",
                new FieldError(HttpHeaders.ACCEPT, accept, produced()))
            .response();
      }
      if (refused instanceof NotSupportedException) {
        String type = headers.getHeaderString(HttpHeaders.CONTENT_TYPE);
        Response.ResponseBuilder response = ProblemDetail.ofMediaType(type, consumed()).builder();
        return isPatch()
            ? response.header(ACCEPT_PATCH, MergePatch.MEDIA_TYPE).build()
            : response.build();
      }
      if (refused instanceof BodyTooLargeException tooLarge) {
        // What is left of the body is not read: the connection is of no more use.
        return ProblemDetail.tooLarge(tooLarge.maxBytes())
            .builder()
            .header("Connection", "close")
            .build();
      }
      if (refused instanceof ClientErrorException) {
        Response.StatusType status = refused.getResponse().getStatusInfo();
        return new ProblemDetail(
                ProblemType.HTTP,
                status.getStatusCode(),
                sentence(status.getReasonPhrase()),
                List.of(),
                Optional.empty())
            .response();
      }
      if (refused.getResponse().getStatus() < 400) {
        return refused.getResponse();
      }
      return incidents.report(describe(request, uri), refused).response();
    }

    private String header(String name) {
      String value = headers.getHeaderString(name);
      return value == null || value.isEmpty() ? "absent" : value;
    }

    private boolean isBulk() {
      return uri.getPath().equals(RequestBody.BULK);
    }

    private boolean isPatch() {
      return request.getMethod().equals(HttpMethod.PATCH);
    }

    private String consumed() {
      if (uri.getPath().equals("restore")) {
        return BackupFile.MEDIA_TYPE;
      }
      return isPatch() ? MergePatch.MEDIA_TYPE : answered();
    }

    private String answered() {
      return isBulk() ? "application/x-ndjson" : "application/json";
    }

    private String produced() {
      return switch (uri.getPath()) {
        case "metrics" -> "text/plain or application/openmetrics-text";
        case "export" -> "application/x-ndjson";
        case "backup" -> BackupResource.MEDIA_TYPE;
        default -> answered();
      };
    }
  }

  /** Everything else is a fault of the program. */
  static final class OfFault implements ExceptionMapper<Throwable> {
    private final Incidents incidents;
    @Context private UriInfo uri;
    @Context private Request request;

    OfFault(Incidents incidents) {
      this.incidents = incidents;
    }

    @Override
    public Response toResponse(Throwable fault) {
      if (fault instanceof IOException) {
        // Only connections fail with it here: the client is gone, or did not wait for the answer.
        LOG.debug("{} was cut off: {}", describe(request, uri), fault.toString());
        return ProblemDetail.of(ProblemType.HTTP, "The connection failed.").response();
      }
      return incidents.report(describe(request, uri), fault).response();
    }
  }

  private static String describe(Request request, UriInfo uri) {
    return request.getMethod() + " " + uri.getRequestUri();
  }

  /** {@code text} with a full stop. */
  static String sentence(String text) {
    String said = text == null || text.isEmpty() ? "It does not say why" : text;
    return said.endsWith(".") ? said : said + ".";
  }
}
