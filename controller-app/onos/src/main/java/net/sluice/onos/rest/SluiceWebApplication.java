package net.sluice.onos.rest;

import java.time.Clock;
import java.util.Map;
import java.util.Set;
import javax.ws.rs.core.Application;
import net.sluice.onos.Services;
import net.sluice.onos.SluiceService;
import net.sluice.rest.SluiceApplication;
import net.sluice.rest.problem.Incidents;

/** The same resources that the standalone controller serves, made by ONOS's web container. */
public final class SluiceWebApplication extends Application {
  private final SluiceApplication application =
      new SluiceApplication(
          LeaderController.over(() -> Services.get(SluiceService.class).controller()),
          new Incidents(Long.toString(Clock.systemUTC().millis(), Character.MAX_RADIX)));

  @Override
  public Set<Object> getSingletons() {
    return application.getSingletons();
  }

  @Override
  public Map<String, Object> getProperties() {
    return application.getProperties();
  }
}
