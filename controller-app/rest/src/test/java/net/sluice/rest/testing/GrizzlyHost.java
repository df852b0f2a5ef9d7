package net.sluice.rest.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import net.sluice.core.Controller;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.problem.Incidents;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Serves the API as the standalone controller does. */
final class GrizzlyHost implements TestHost {
  private HttpServer server;
  private URI base;

  @Override
  public void start(Controller controller) {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    SluiceApplication application = new SluiceApplication(controller, new Incidents("test"));
    ResourceConfig config = ResourceConfig.forApplication(application);
    server =
        GrizzlyHttpServerFactory.createHttpServer(
            URI.create("http://127.0.0.1:0" + SluiceApplication.BASE_PATH + "/"), config, false);
    try {
      server.start();
      server.getHttpHandler().setAllowEncodedSlash(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int port = server.getListeners().iterator().next().getPort();
    base = URI.create("http://127.0.0.1:" + port + SluiceApplication.BASE_PATH);
  }

  @Override
  public URI base() {
    return base;
  }

  @Override
  public void close() throws Exception {
    server.shutdown(5, TimeUnit.SECONDS).get();
  }
}
