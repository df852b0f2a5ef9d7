package net.sluice.standalone.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import javax.servlet.RequestDispatcher;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.problem.Incidents;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;
import net.sluice.rest.request.RequestBody;
import org.eclipse.jetty.ee8.nested.ErrorHandler;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers requests that do not reach the application in the application's form (RFC 9457). */
final class HttpRefusals extends ErrorHandler implements Request.Handler {
  /** The server's words on a body whose end it cannot know (RFC 9112 section 6.3). */
  private static final String BAD_CODING = "Bad Transfer-Encoding";

  private final Incidents incidents;
  private final String base;

  /** Refusals of what is served under the path {@code base}. */
  HttpRefusals(Incidents incidents, String base) {
    this.incidents = incidents;
    this.base = base;
  }

  /** Answers what the server refuses: bad request lines, headers, bodies and unknown paths. */
  @Override
  public boolean handle(Request request, Response response, Callback callback) throws IOException {
    Throwable cause =
        (Throwable)
            request.getAttribute(org.eclipse.jetty.server.handler.ErrorHandler.ERROR_EXCEPTION);
    String reason =
        (String) request.getAttribute(org.eclipse.jetty.server.handler.ErrorHandler.ERROR_MESSAGE);
    int status = response.getStatus();
    if (cause instanceof HttpException refused) {
      status = refused.getCode();
      reason = refused.getReason();
      cause = null;
    }
    String path = request.getHttpURI().getPath();
    if (status == HttpStatus.SERVICE_UNAVAILABLE_503) {
      // The server ends, and its connections with it.
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
    }
    write(
        response,
        callback,
        problem(request.getMethod() + " " + request.getHttpURI(), path, status, reason, cause));
    return true;
  }

  private static void write(Response response, Callback callback, ProblemDetail problem)
      throws IOException {
    write(
        response,
        callback,
        problem.status(),
        ProblemDetail.MEDIA_TYPE.toString(),
        new JsonAnswer(problem::write));
  }

  /** Answers with a short JSON document. */
  static void write(
      Response response, Callback callback, int status, String mediaType, JsonAnswer answer)
      throws IOException {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, mediaType);
    response.write(true, ByteBuffer.wrap(bytes(answer)), callback);
  }

  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }

  /** Answers what the servlet refuses without saying why. */
  @Override
  public void handle(
      String target,
      org.eclipse.jetty.ee8.nested.Request base,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    base.setHandled(true);
    ProblemDetail problem =
        problem(
            request.getMethod() + " " + request.getRequestURI(),
            request.getRequestURI(),
            response.getStatus(),
            (String) request.getAttribute(RequestDispatcher.ERROR_MESSAGE),
            (Throwable) request.getAttribute(RequestDispatcher.ERROR_EXCEPTION));
    response.setStatus(problem.status());
    response.setContentType(ProblemDetail.MEDIA_TYPE.toString());
    response.getOutputStream().write(bytes(new JsonAnswer(problem::write)));
  }

  private ProblemDetail problem(
      String request, String path, int status, String reason, Throwable cause) {
    if (status == HttpStatus.INTERNAL_SERVER_ERROR_500) {
      return incidents.report(request, cause);
    }
    if (status == HttpStatus.NOT_FOUND_404) {
      return ProblemDetail.of(
          ProblemType.NOT_FOUND,
          "There is no resource " + path + "; allowed: a path under " + base + ".",
          new FieldError("path", path, "a path under " + base));
    }
    if (status == HttpStatus.SERVICE_UNAVAILABLE_503) {
      return ProblemDetail.of(
          ProblemType.UNAVAILABLE,
          (reason == null || reason.isBlank() || reason.equals(HttpStatus.getMessage(status))
                  ? "The controller is stopping"
                  : reason)
              + ".");
    }
    if (status == HttpStatus.PAYLOAD_TOO_LARGE_413) {
      return ProblemDetail.tooLarge(RequestBody.MAX_BYTES);
    }
    if (reason != null && reason.startsWith(BAD_CODING)) {
      return new ProblemDetail(
          ProblemType.HTTP,
          status,
          "Transfer-Encoding does not end with chunked, or has it twice; allowed: chunked.",
          List.of(new FieldError("Transfer-Encoding", "another one", "chunked")),
          Optional.empty());
    }
    String name = HttpStatus.getMessage(status);
    String why = reason == null || reason.isBlank() ? name : reason;
    if (status == HttpStatus.BAD_REQUEST_400 && why.equals(name)) {
      why = "The request line, its URI or a header cannot be read";
    }
    return new ProblemDetail(ProblemType.HTTP, status, why + ".", List.of(), Optional.empty());
  }

  private static byte[] bytes(JsonAnswer answer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    answer.write(bytes);
    return bytes.toByteArray();
  }
}
