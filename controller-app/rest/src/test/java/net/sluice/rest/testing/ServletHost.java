package net.sluice.rest.testing;

import java.net.URI;
import java.util.Set;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.edge.ApiServlet;
import org.eclipse.jetty.ee8.servlet.ServletContextHandler;
import org.eclipse.jetty.ee8.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Serves the API in a servlet container as it comes. */
final class ServletHost implements TestHost {
  private final Server server = new Server();
  private URI base;

  @Override
  public void start(TestServices services) {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    HttpConfiguration http = new HttpConfiguration();
    http.setUriCompliance(UriCompliance.RFC3986.with("ids", Violation.AMBIGUOUS_PATH_SEPARATOR));
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context =
        new ServletContextHandler(null, SluiceApplication.BASE_PATH, false, false);
    ServletHolder servlet = new ServletHolder(new ApiServlet(services.host(), Set.of(), Set.of()));
    servlet.setAsyncSupported(true);
    context.addServlet(servlet, "/*");
    server.setHandler(context);
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("the API is not served", e);
    }
    base = URI.create("http://127.0.0.1:" + connector.getLocalPort() + SluiceApplication.BASE_PATH);
  }

  @Override
  public void startNetwork(String document) {
    throw new UnsupportedOperationException("the modules of the hosts have networks");
  }

  @Override
  public URI base() {
    return base;
  }

  @Override
  public void close() throws Exception {
    server.stop();
  }
}
