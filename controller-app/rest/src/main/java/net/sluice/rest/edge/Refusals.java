package net.sluice.rest.edge;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.problem.ProblemDetail;

/** Answers to requests that come to no resource. */
public final class Refusals {
  private Refusals() {}

  /** Answers with a problem, and ends the connection after it if a body may follow the request. */
  public static void refuse(HttpServletRequest from, HttpServletResponse to, ProblemDetail problem)
      throws IOException {
    if (announcesBody(from)) {
      // What is left of it must not be taken for the next request.
      to.setHeader("Connection", "close");
    }
    to.setStatus(problem.status());
    to.setContentType(ProblemDetail.MEDIA_TYPE.toString());
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    new JsonAnswer(problem::write).write(body);
    // A client that is still sending has the answer by then; it need not see the end of the
    // connection.
    to.setContentLength(body.size());
    body.writeTo(to.getOutputStream());
  }

  /** True if the header says that a body follows (RFC 9112 section 6.3). */
  static boolean announcesBody(HttpServletRequest from) {
    return from.getHeader("Transfer-Encoding") != null || from.getContentLengthLong() > 0;
  }
}
