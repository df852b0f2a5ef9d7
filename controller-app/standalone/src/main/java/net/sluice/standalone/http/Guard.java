package net.sluice.standalone.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.caller.Role;
import net.sluice.northbound.caller.Standing;
import net.sluice.rest.ContractResource;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import net.sluice.standalone.guard.Authentication;
import net.sluice.standalone.guard.Authentication.Result;
import net.sluice.standalone.guard.FailureBrake;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets requests in whose sender has proved who it is, with the caller and an id as attributes. The
 * body of one that is refused is not waited for. Whatever tells nothing of the installation is told
 * to everybody.
 */
final class Guard extends Handler.Wrapper {
  private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
  private static final String REQUEST_ID = "X-Request-Id";
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final String CHALLENGE = "Bearer realm=\"sluice\"";

  /** As they are written, so that no other path is taken for one of them. */
  private static final Set<String> OPEN =
      Stream.concat(Stream.of(ContractResource.PATH), DocsResource.PATHS.stream())
          .map(path -> SluiceApplication.BASE_PATH + "/" + path)
          .collect(Collectors.toUnmodifiableSet());

  private final Authentication authentication;
  private final FailureBrake brake = new FailureBrake();

  Guard(Handler handler, Authentication authentication) {
    super(handler);
    this.authentication = authentication;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String id = id(request.getHeaders().get(REQUEST_ID));
    response.getHeaders().put(REQUEST_ID, id);
    if (OPEN.contains(request.getHttpURI().getPath())) {
      request.setAttribute(Caller.REQUEST_ID, id);
      return super.handle(request, response, callback);
    }
    InetAddress from = address(request);
    List<String> authorization = request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION);
    Optional<X509Certificate> certificate = certificate(request);
    Result result = result(authorization, certificate, from);
    if (result instanceof Result.Known known) {
      request.setAttribute(
          Standing.ATTRIBUTE,
          (Standing) needed -> ended(authorization, certificate, from, known.caller(), needed));
      request.setAttribute(Caller.ATTRIBUTE, known.caller());
      request.setAttribute(Caller.REQUEST_ID, id);
      return super.handle(request, response, callback);
    }
    Result.Refused refused = (Result.Refused) result;
    // Whoever has to prove itself first gets nothing more over this connection.
    response.getHeaders().put(HttpHeader.CONNECTION, "close");
    if (!refused.isGuess()) {
      HttpRefusals.refuse(request, response, callback, refused.problem());
      return true;
    }
    refuse(request, response, callback, refused.problem(), from);
    return true;
  }

  private Result result(
      List<String> authorization, Optional<X509Certificate> certificate, InetAddress from) {
    return authentication.of(
        authorization,
        certificate.map(X509Certificate::getSubjectX500Principal),
        from.getHostAddress());
  }

  /** Why what proved who the caller is proves it no more, or that role is not its; else empty. */
  private Optional<String> ended(
      List<String> authorization,
      Optional<X509Certificate> certificate,
      InetAddress from,
      Caller caller,
      Role needed) {
    if (certificate.isPresent() && certificate.get().getNotAfter().before(new Date())) {
      return Optional.of("the certificate of this connection has expired");
    }
    return result(authorization, certificate, from) instanceof Result.Known
        ? authentication.whyNot(caller.name(), needed)
        : Optional.of("the proof of who asks, " + caller.name() + ", holds no more");
  }

  private void refuse(
      Request request, Response response, Callback callback, ProblemDetail why, InetAddress from)
      throws Exception {
    Optional<Duration> wait = brake.failed(from, System.nanoTime());
    int failures = brake.failures(from);
    // The first of a client, and then the fewer the more there are.
    if (Integer.bitCount(failures) == 1) {
      LOG.warn(
          "{} has not proved who it is, {} times by now: {}",
          from.getHostAddress(),
          failures,
          why.detail());
    }
    if (wait.isEmpty()) {
      response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
      HttpRefusals.refuse(
          request,
          response,
          callback,
          ProblemDetail.of(
              ProblemType.TOO_MANY,
              "Too many requests from this address have not proved who sends them."));
      return;
    }
    response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, CHALLENGE);
    if (wait.get().isZero()) {
      HttpRefusals.refuse(request, response, callback, why);
      return;
    }
    request
        .getComponents()
        .getScheduler()
        .schedule(
            () -> {
              brake.answered(from);
              try {
                HttpRefusals.refuse(request, response, callback, why);
              } catch (Exception e) {
                callback.failed(e);
              }
            },
            wait.get().toMillis(),
            TimeUnit.MILLISECONDS);
  }

  /** The client's, if it is one that can be told again in logs and headers. */
  private static String id(String given) {
    return given != null && ID.matcher(given).matches() ? given : UUID.randomUUID().toString();
  }

  private static InetAddress address(Request request) {
    return ((InetSocketAddress) request.getConnectionMetaData().getRemoteSocketAddress())
        .getAddress();
  }

  private static Optional<X509Certificate> certificate(Request request) {
    EndPoint.SslSessionData session =
        request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData();
    X509Certificate[] chain = session == null ? null : session.peerCertificates();
    return chain == null || chain.length == 0 ? Optional.empty() : Optional.of(chain[0]);
  }
}
