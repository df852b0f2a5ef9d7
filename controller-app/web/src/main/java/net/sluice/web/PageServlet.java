package net.sluice.web;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import net.sluice.web.PageFiles.PageFile;

/**
 * The page in a servlet container, at the root of a context and below {@code /page}. Its files hold
 * nothing of the installation, so no proof is needed to get them. The page asks the API for what it
 * shows, with the proof of the user who has signed in.
 *
 * <p>Its parameters are {@code api}, where the API is relative to the page, with a slash at its
 * end, and {@code login}, the scheme of {@code Authorization} that the API takes, {@code Bearer} or
 * {@code Basic}, or {@code none} where it asks for no proof.
 */
public final class PageServlet extends HttpServlet {
  /** The parameter with the place of the API. */
  public static final String API = "api";

  /** The parameter with the way to sign in. */
  public static final String LOGIN = "login";

  /** The paths that the servlet is to have: the root itself and the folder. */
  public static final List<String> PATHS = List.of("", "/page/*");

  private static final long serialVersionUID = 1L;
  private static final Pattern GZIP =
      Pattern.compile("(^|[,\\s])gzip\\s*(,|$|;\\s*q=(1|0\\.\\d*[1-9]))");

  private transient PageFiles files;

  @Override
  public void init() {
    files = new PageFiles(getInitParameter(API), getInitParameter(LOGIN));
  }

  @Override
  protected void service(HttpServletRequest from, HttpServletResponse to) throws IOException {
    boolean isHead = from.getMethod().equals("HEAD");
    if (!isHead && !from.getMethod().equals("GET")) {
      to.setHeader("Allow", "GET, HEAD");
      to.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
      return;
    }
    // The path as it is written, so that each file has one.
    String path = from.getRequestURI().substring(from.getContextPath().length());
    if (path.isEmpty()) {
      // The document names its files by where it is.
      to.sendRedirect(from.getContextPath() + "/");
      return;
    }
    Optional<PageFile> found = files.at(path.substring(1));
    if (found.isEmpty()) {
      to.sendError(HttpServletResponse.SC_NOT_FOUND);
      return;
    }
    PageFile file = found.get();
    boolean isCompressed = takesGzip(from) && file.isCompressible();
    String tag = '"' + file.tag() + (isCompressed ? "-gzip" : "") + '"';
    to.setHeader("ETag", tag);
    to.setHeader("Vary", "Accept-Encoding");
    // A file is asked for anew each time, so that a page is of one version of the controller.
    to.setHeader("Cache-Control", "no-cache");
    to.setHeader("Content-Security-Policy", files.policy());
    to.setHeader("X-Content-Type-Options", "nosniff");
    to.setHeader("Referrer-Policy", "no-referrer");
    to.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    to.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    if (isKnown(from, tag)) {
      to.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      return;
    }
    byte[] content = file.bytes(isCompressed);
    to.setContentType(file.type());
    to.setContentLength(content.length);
    if (isCompressed) {
      to.setHeader("Content-Encoding", "gzip");
    }
    if (!isHead) {
      to.getOutputStream().write(content);
    }
  }

  private static boolean takesGzip(HttpServletRequest from) {
    String codings = from.getHeader("Accept-Encoding");
    return codings != null && GZIP.matcher(codings.toLowerCase(Locale.ROOT)).find();
  }

  private static boolean isKnown(HttpServletRequest from, String tag) {
    String known = from.getHeader("If-None-Match");
    return known != null && known.contains(tag);
  }
}
