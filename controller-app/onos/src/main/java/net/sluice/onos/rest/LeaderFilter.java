package net.sluice.onos.rest;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import net.sluice.core.ControllerException;
import net.sluice.onos.Services;
import net.sluice.onos.SluiceService;
import net.sluice.onos.cluster.ClusterMember.Role;
import net.sluice.onos.cluster.ClusterMember.Standing;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.NodeId;

/**
 * Hands requests that reach an instance that does not lead to the one that does, with the client's
 * own credentials, and its answer back. A bulk request, whose answer streams while it is still
 * being sent, is redirected instead.
 */
public final class LeaderFilter implements Filter {
  /** Names the instance that forwarded a request: it is not forwarded again. */
  static final String FORWARDED = "X-Sluice-Forwarded-By";

  private static final int MAX_BYTES = (1 << 20) + 1;
  private static final List<String> REQUEST_HEADERS =
      List.of("Authorization", "Accept", "Content-Type");
  private static final List<String> RESPONSE_HEADERS = List.of("Content-Type", "Allow", "Location");
  // A request may wait a minute for its install.
  private static final Duration DEADLINE = Duration.ofSeconds(90);
  private static final int TEMPORARY_REDIRECT = 307;

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  @Override
  public void init(FilterConfig config) {}

  @Override
  public void destroy() {}

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest from = (HttpServletRequest) request;
    HttpServletResponse to = (HttpServletResponse) response;
    try {
      SluiceService service = Services.get(SluiceService.class);
      Standing standing = service.standing();
      if (standing.role() != Role.FOLLOWER || from.getHeader(FORWARDED) != null) {
        chain.doFilter(request, response);
        return;
      }
      NodeId leader = standing.leader().orElseThrow();
      ClusterService cluster = Services.get(ClusterService.class);
      ControllerNode node = cluster.getNode(leader);
      if (node == null) {
        problem(to, "Instance " + leader + " of the cluster leads, and is not known here.");
        return;
      }
      URI target = target(from, node, service.restPort());
      if (from.getRequestURI().endsWith("/bulk")) {
        to.setStatus(TEMPORARY_REDIRECT);
        to.setHeader("Location", target.toString());
        return;
      }
      forward(from, to, target, leader, cluster.getLocalNode().id());
    } catch (ControllerException e) {
      problem(to, e.getMessage() + ".");
    }
  }

  private static URI target(HttpServletRequest from, ControllerNode node, int port) {
    // Not as ONOS writes addresses: that is with the digits of the locale.
    String address = node.ip().toInetAddress().getHostAddress();
    String host = node.ip().isIp6() ? "[" + address + "]" : address;
    String query = from.getQueryString() == null ? "" : "?" + from.getQueryString();
    return URI.create("http://" + host + ":" + port + from.getRequestURI() + query);
  }

  private void forward(
      HttpServletRequest from, HttpServletResponse to, URI target, NodeId leader, NodeId self)
      throws IOException {
    // A body that is too long is cut one byte beyond: the leader refuses it in the usual words.
    byte[] body = from.getInputStream().readNBytes(MAX_BYTES);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .method(
                from.getMethod(),
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
            .header(FORWARDED, self.toString())
            .timeout(DEADLINE);
    for (String header : REQUEST_HEADERS) {
      if (from.getHeader(header) != null) {
        request.header(header, from.getHeader(header));
      }
    }
    try {
      HttpResponse<InputStream> answer = client.send(request.build(), BodyHandlers.ofInputStream());
      to.setStatus(answer.statusCode());
      for (String header : RESPONSE_HEADERS) {
        answer.headers().firstValue(header).ifPresent(value -> to.setHeader(header, value));
      }
      try (InputStream in = answer.body()) {
        in.transferTo(to.getOutputStream());
      }
    } catch (IOException e) {
      problem(
          to,
          "Instance "
              + leader
              + " of the cluster leads, and cannot be reached at "
              + target.getAuthority()
              + ": "
              + e
              + ". If it is gone, another takes over within seconds; try again.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      problem(to, "This instance is stopping; try again.");
    }
  }

  private static void problem(HttpServletResponse to, String detail) throws IOException {
    if (to.isCommitted()) {
      throw new IOException(detail);
    }
    ProblemDetail problem = ProblemDetail.of(ProblemType.UNAVAILABLE, detail);
    to.setStatus(problem.status());
    to.setContentType(ProblemDetail.MEDIA_TYPE.toString());
    new JsonAnswer(problem::write).write(to.getOutputStream());
  }
}
