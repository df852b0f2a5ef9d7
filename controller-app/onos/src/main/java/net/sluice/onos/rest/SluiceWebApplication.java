package net.sluice.onos.rest;

import java.lang.reflect.Type;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.ws.rs.Path;
import javax.ws.rs.core.Application;
import net.sluice.onos.Leading;
import net.sluice.onos.Services;
import net.sluice.onos.SluiceService;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.host.Capability.Absent;
import net.sluice.rest.host.Capability.Present;
import net.sluice.rest.host.Edge;
import net.sluice.rest.host.HostServices;
import net.sluice.rest.problem.Incidents;
import org.glassfish.jersey.internal.inject.AbstractBinder;

/**
 * The same resources that the standalone controller serves, made by ONOS's web container. ONOS's
 * Jersey warns of each resource that is given to it as an object, as if it were a provider that is
 * none. So it is given their classes, and a binding from each class to its object.
 */
public final class SluiceWebApplication extends Application {
  /** The same for the servlet and for requests that come from other instances. */
  private static HostServices shared;

  private final SluiceApplication application = new SluiceApplication(shared());

  private static synchronized HostServices shared() {
    if (shared == null) {
      shared =
          new HostServices(
              LeaderController.over(() -> leading().controller()),
              () -> leading().northbound(),
              () -> leading().operations(),
              () -> Services.get(SluiceService.class).notes(),
              Edge.OPEN,
              new Absent<>("the devices of ONOS's network configuration are its switches"),
              new Absent<>("ONOS has levels of its own, set by log:set in its shell"),
              new Absent<>("ONOS's own applications measure its process"),
              new Present<>(
                  (backup, replace, who) -> leading().restoring().restore(backup, replace, who)),
              new Incidents(Long.toString(Clock.systemUTC().millis(), Character.MAX_RADIX)));
    }
    return shared;
  }

  /** The container is done with the application. */
  static synchronized void forget() {
    shared = null;
  }

  private static Leading leading() {
    return Services.get(SluiceService.class).leading();
  }

  private static boolean isResource(Object singleton) {
    return singleton.getClass().isAnnotationPresent(Path.class);
  }

  @Override
  public Set<Class<?>> getClasses() {
    return application.getSingletons().stream()
        .filter(SluiceWebApplication::isResource)
        .map(Object::getClass)
        .collect(Collectors.toSet());
  }

  @Override
  public Set<Object> getSingletons() {
    Set<Object> singletons =
        application.getSingletons().stream()
            .filter(each -> !isResource(each))
            .collect(Collectors.toSet());
    singletons.add(new Resources());
    return singletons;
  }

  @Override
  public Map<String, Object> getProperties() {
    return application.getProperties();
  }

  /** The objects that the classes stand for. */
  private final class Resources extends AbstractBinder {
    @Override
    protected void configure() {
      for (Object each : application.getSingletons()) {
        if (isResource(each)) {
          // Before the binding that Jersey makes of the class itself.
          bind(each).to((Type) each.getClass()).ranked(1);
        }
      }
    }
  }
}
