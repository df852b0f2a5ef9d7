package net.sluice.standalone.http;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.sluice.cli.StartFailure;
import net.sluice.core.ChangeNeeds;
import net.sluice.core.Controller;
import net.sluice.core.time.WatchedThread;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.problem.Incidents;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Tells whoever watches the process how it is, on a listener of its own, which answers however much
 * the API has to do: {@code /health/live}, whether the process runs with all its threads, and
 * {@code /health/ready}, whether it takes changes, and why not.
 */
public final class HealthServer implements AutoCloseable {
  static final HttpListener.Purpose PURPOSE =
      new HttpListener.Purpose("sluice-health", "health", "--health", 8);

  private static final HttpLimits LIMITS =
      new HttpLimits(64, Duration.ofSeconds(5), Duration.ofSeconds(5));

  private final HttpListener listener;

  /** Null until the declarations are loaded and the API is served. */
  private volatile Controller controller;

  private volatile boolean isStopping;

  /**
   * Starts telling that the process lives and is not ready.
   *
   * @throws StartFailure if it cannot listen there
   */
  public HealthServer(InetSocketAddress address, String incidentPrefix) throws StartFailure {
    HttpRefusals refusals = new HttpRefusals(new Incidents(incidentPrefix), "/health");
    listener =
        new HttpListener(
            PURPOSE, address, Optional.empty(), LIMITS, new Answers(), refusals::handle);
  }

  /** Where it is, without a slash at the end. */
  public URI base() {
    return listener.uri("/health");
  }

  /** From now on it is ready whenever {@code serving} takes changes. */
  public void serves(Controller serving) {
    controller = serving;
  }

  /** From now on it is not ready: it takes no more requests. */
  public void stopping() {
    isStopping = true;
  }

  private List<String> reasonsAgainst() {
    if (isStopping) {
      return List.of("the controller is stopping");
    }
    Controller now = controller;
    if (now == null) {
      return List.of("the declarations are being loaded");
    }
    return now.needs().lacks().stream().map(ChangeNeeds.Lack::reason).toList();
  }

  private final class Answers extends Handler.Abstract.NonBlocking {
    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      JsonAnswer answer;
      int status = HttpStatus.OK_200;
      switch (Request.getPathInContext(request)) {
        case "/health/live" -> {
          List<String> ended = WatchedThread.ended();
          status = ended.isEmpty() ? HttpStatus.OK_200 : HttpStatus.SERVICE_UNAVAILABLE_503;
          answer =
              new JsonAnswer(
                  json -> {
                    json.writeStartObject();
                    json.writeBooleanField("live", ended.isEmpty());
                    if (!ended.isEmpty()) {
                      json.writeFieldName("reasons");
                      json.writeArray(ended.toArray(String[]::new), 0, ended.size());
                    }
                    json.writeEndObject();
                  });
        }
        case "/health/ready" -> {
          List<String> reasons = reasonsAgainst();
          status = reasons.isEmpty() ? HttpStatus.OK_200 : HttpStatus.SERVICE_UNAVAILABLE_503;
          answer =
              new JsonAnswer(
                  json -> {
                    json.writeStartObject();
                    json.writeBooleanField("ready", reasons.isEmpty());
                    json.writeFieldName("reasons");
                    json.writeArray(reasons.toArray(String[]::new), 0, reasons.size());
                    json.writeEndObject();
                  });
        }
        default -> {
          return false;
        }
      }
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      HttpRefusals.write(response, callback, status, "application/json", answer);
      return true;
    }
  }

  @Override
  public void close() {
    listener.close();
  }
}
