package net.sluice.standalone.demo;

import java.io.IOException;
import java.net.URI;
import net.sluice.core.Controller;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.problem.Incidents;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

/** The REST interface of a controller on a free local port. */
final class ApiServer implements AutoCloseable {
  private final HttpServer server;

  ApiServer(Controller controller) throws IOException {
    server =
        GrizzlyHttpServerFactory.createHttpServer(
            URI.create("http://127.0.0.1:0" + SluiceApplication.BASE_PATH + "/"),
            ResourceConfig.forApplication(new SluiceApplication(controller, new Incidents("demo"))),
            false);
    server.start();
  }

  /** Where the interface is. */
  URI base() {
    int port = server.getListeners().iterator().next().getPort();
    return URI.create("http://127.0.0.1:" + port + SluiceApplication.BASE_PATH);
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
