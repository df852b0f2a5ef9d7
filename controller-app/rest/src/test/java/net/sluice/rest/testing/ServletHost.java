package net.sluice.rest.testing;

import java.net.URI;
import java.util.EnumSet;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import net.sluice.core.Controller;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.caller.Role;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.http.WholeAnswers;
import org.eclipse.jetty.ee8.servlet.FilterHolder;
import org.eclipse.jetty.ee8.servlet.ServletContextHandler;
import org.eclipse.jetty.ee8.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Serves the API in a servlet container as it comes. */
final class ServletHost implements TestHost {
  private final Server server = new Server();
  private URI base;
  private TestServices services;

  @Override
  public void start(Controller controller) {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    HttpConfiguration http = new HttpConfiguration();
    http.setUriCompliance(UriCompliance.RFC3986.with("ids", Violation.AMBIGUOUS_PATH_SEPARATOR));
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context =
        new ServletContextHandler(null, SluiceApplication.BASE_PATH, false, false);
    services = new TestServices(controller);
    SluiceApplication application = new SluiceApplication(services.host());
    ServletHolder servlet =
        new ServletHolder(new ServletContainer(ResourceConfig.forApplication(application)));
    servlet.setAsyncSupported(true);
    context.addServlet(servlet, "/*");
    FilterHolder wholeAnswers = new FilterHolder(new WholeAnswers());
    wholeAnswers.setAsyncSupported(true);
    context.addFilter(wholeAnswers, "/*", EnumSet.of(DispatcherType.REQUEST));
    context.addFilter(
        new FilterHolder(
            (Filter)
                (request, response, chain) -> {
                  request.setAttribute(
                      Caller.ATTRIBUTE, new Caller(Caller.LOCAL, Role.ADMIN, "127.0.0.1"));
                  chain.doFilter(request, response);
                }),
        "/*",
        EnumSet.of(DispatcherType.REQUEST));
    server.setHandler(context);
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("the API is not served", e);
    }
    base = URI.create("http://127.0.0.1:" + connector.getLocalPort() + SluiceApplication.BASE_PATH);
  }

  @Override
  public URI base() {
    return base;
  }

  @Override
  public void close() throws Exception {
    server.stop();
    services.close();
  }
}
