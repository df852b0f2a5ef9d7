package net.sluice.rest;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.UriInfo;
import javax.ws.rs.ext.WriterInterceptor;
import javax.ws.rs.ext.WriterInterceptorContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client that goes away while it is answered is a line in the log at most, and no fault. */
final class GoneClients implements WriterInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(GoneClients.class);

  @Context private UriInfo uri;

  @Override
  public void aroundWriteTo(WriterInterceptorContext answer) throws IOException {
    Begun out = new Begun(answer.getOutputStream());
    answer.setOutputStream(out);
    try {
      answer.proceed();
    } catch (IOException e) {
      if (!out.begun) {
        // It can still be answered with a problem.
        throw e;
      }
      LOG.debug("the client of {} went away while it was answered: {}", uri.getPath(), reason(e));
    }
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  /** Knows whether anything was sent. */
  private static final class Begun extends FilterOutputStream {
    private boolean begun;

    Begun(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      begun = true;
      out.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      begun = true;
      out.write(bytes, offset, length);
    }
  }
}
