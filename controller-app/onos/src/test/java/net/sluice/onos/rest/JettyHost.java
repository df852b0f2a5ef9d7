package net.sluice.onos.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.core.traffic.PortStatus;
import net.sluice.northbound.json.JsonContent;
import net.sluice.onos.Leading;
import net.sluice.onos.Services;
import net.sluice.onos.SluiceListener;
import net.sluice.onos.SluiceService;
import net.sluice.onos.SluiceSettings;
import net.sluice.onos.TestLeader;
import net.sluice.onos.cluster.ClusterMember.Role;
import net.sluice.onos.cluster.ClusterMember.Standing;
import net.sluice.onos.testing.TestMessages;
import net.sluice.rest.host.Restoring;
import net.sluice.rest.settings.EdgeSettings;
import net.sluice.rest.testing.TestEdge;
import net.sluice.rest.testing.TestHost;
import net.sluice.rest.testing.TestServices;
import org.eclipse.jetty.security.HashLoginService;
import org.eclipse.jetty.security.UserStore;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.security.Credential;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.webapp.WebAppContext;
import org.onlab.osgi.ServiceDirectory;
import org.onlab.osgi.ServiceNotFoundException;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.DeviceId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;

/**
 * Serves the bundle's own {@code web.xml} in the web server and the JAX-RS runtime of ONOS 2.7.0,
 * below the bundle's context path.
 */
public final class JettyHost implements TestHost {
  /** Threads of the web server; ONOS's has more, which changes nothing but how many it takes. */
  static final int THREADS = 16;

  static final NodeId SELF = NodeId.nodeId("127.0.0.1");
  static final NodeId LEADER = NodeId.nodeId("leader");

  /** This instance leads. */
  public static final Standing LEADS =
      new Standing(
          Role.LEADER, Optional.of(SELF), Instant.EPOCH, Optional.empty(), Optional.empty());

  /** This instance follows one that, being the same, has the same controller. */
  public static final Standing FOLLOWS =
      new Standing(
          Role.FOLLOWER, Optional.of(LEADER), Instant.EPOCH, Optional.empty(), Optional.empty());

  /** How hosts stand that are started with a controller. */
  public static volatile Standing standing = LEADS;

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private boolean login;
  private final Scheduler scheduler = new ThreadScheduler("test-messages");
  private final TestMessages messages = new TestMessages(scheduler);
  private Server server;

  /** A host on which everybody is the administrator. */
  public JettyHost() {
    this(false);
  }

  /** A host that asks for a login, if {@code login}. */
  JettyHost(boolean login) {
    this.login = login;
  }

  @Override
  public void start(TestServices services) {
    login |= services.requests().asksForLogin();
    start(service(services, standing));
  }

  @Override
  public void startNetwork(String document) {
    TestLeader leader = new TestLeader(document);
    TestServices services = new TestServices(leader.controller()).with(leader.switches());
    opened.push(leader);
    opened.push(services);
    start(services);
  }

  /** Serves what a service says; null for none. */
  void start(SluiceService service) {
    serve(service);
    server = new Server(new QueuedThreadPool(THREADS, THREADS));
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    WebAppContext context = new WebAppContext();
    context.setThrowUnavailableOnStartupException(true);
    context.setContextPath("/onos/sluice");
    context.setResourceBase(Path.of("src", "main", "webapp").toAbsolutePath().toString());
    context.setParentLoaderPriority(true);
    HashLoginService users = new HashLoginService("karaf");
    UserStore store = new UserStore();
    String[] groups = {"viewer", "manager", "admin"};
    for (int i = 0; i < groups.length; i++) {
      String[] user = TestEdge.USERS.get(i).split(":");
      store.addUser(user[0], Credential.getCredential(user[1]), new String[] {groups[i]});
    }
    store.addUser("stranger", Credential.getCredential("danger"), new String[] {"other"});
    users.setUserStore(store);
    context.getSecurityHandler().setLoginService(users);
    if (!login) {
      // The same tests run on hosts without a login: here they are the administrator's.
      String credentials =
          "Basic "
              + Base64.getEncoder()
                  .encodeToString("onos:rocks".getBytes(StandardCharsets.US_ASCII));
      connector
          .getConnectionFactory(HttpConnectionFactory.class)
          .getHttpConfiguration()
          .addCustomizer(
              (from, config, request) -> request.getHttpFields().put("Authorization", credentials));
    }
    server.setHandler(context);
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("Jetty does not start", e);
    }
  }

  /** Has the web application find a service; null for none. */
  private void serve(SluiceService service) {
    ClusterCommunicationService cluster = messages.of(LEADER);
    Services.setDirectory(
        new ServiceDirectory() {
          @Override
          public <T> T get(Class<T> type) {
            Object found = type == ClusterCommunicationService.class ? cluster : service;
            if (found == null) {
              throw new ServiceNotFoundException(type.getName());
            }
            return type.cast(found);
          }
        });
  }

  /** A service over a controller; null for none. */
  static SluiceService service(Controller controller, Standing standing) {
    return service(controller == null ? null : new TestServices(controller), standing);
  }

  private static SluiceService service(TestServices services, Standing standing) {
    TestEdge requests = services == null ? TestEdge.OPEN : services.requests();
    EdgeSettings settings =
        new EdgeSettings(
            requests.hosts(),
            List.of(),
            SluiceSettings.EDGE_DEFAULT.webhooks(),
            requests.needsConditions(),
            Set.of(),
            requests.traces(),
            Duration.ZERO);
    return new SluiceService() {
      @Override
      public Controller controller() {
        if (services == null) {
          throw new ControllerException("this instance does not lead");
        }
        return services.controller();
      }

      @Override
      public Leading leading() {
        return new Leading(
            controller(),
            services.northbound(),
            services.operations(),
            JettyHost::restored,
            services.switches());
      }

      @Override
      public EdgeSettings edge() {
        return settings;
      }

      @Override
      public Standing standing() {
        return standing;
      }

      @Override
      public List<PortStatus> ports(DeviceId device) {
        return List.of();
      }

      @Override
      public List<String> notes() {
        return List.of();
      }

      @Override
      public Map<String, String> refusedConfiguration() {
        return Map.of();
      }

      @Override
      public void addListener(SluiceListener listener) {}

      @Override
      public void removeListener(SluiceListener listener) {}
    };
  }

  /** Restores nothing, and answers with the length of the backup and with what it was asked. */
  private static Restoring.Restored restored(InputStream backup, boolean replace, JsonContent who) {
    try {
      return new Restoring.Restored(
          1,
          Map.of("bng1", (long) backup.readAllBytes().length),
          List.of(
              "replace " + replace, new String(JsonContent.object(who), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
  }

  @Override
  public URI base() {
    return URI.create("http://127.0.0.1:" + port() + "/onos/sluice/v1");
  }

  @Override
  public void close() throws Exception {
    if (server != null) {
      server.stop();
    }
    scheduler.close();
    for (AutoCloseable each : opened) {
      each.close();
    }
  }
}
