package net.sluice.onos.rest;

import java.lang.reflect.Type;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.ws.rs.Path;
import javax.ws.rs.core.Application;
import net.sluice.onos.Services;
import net.sluice.onos.SluiceService;
import net.sluice.rest.FixedSwitches;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.problem.Incidents;
import org.glassfish.jersey.internal.inject.AbstractBinder;

/**
 * The same resources that the standalone controller serves, made by ONOS's web container. ONOS's
 * Jersey warns of each resource that is given to it as an object, as if it were a provider that is
 * none. So it is given their classes, and a binding from each class to its object.
 */
public final class SluiceWebApplication extends Application {
  private final SluiceApplication application =
      new SluiceApplication(
          LeaderController.over(() -> Services.get(SluiceService.class).controller()),
          new Incidents(Long.toString(Clock.systemUTC().millis(), Character.MAX_RADIX)),
          () -> Services.get(SluiceService.class).notes(),
          new FixedSwitches("the devices of ONOS's network configuration"));

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
