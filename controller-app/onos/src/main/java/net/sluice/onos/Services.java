package net.sluice.onos;

import net.sluice.core.ControllerException;
import org.onlab.osgi.DefaultServiceDirectory;
import org.onlab.osgi.ServiceDirectory;
import org.onlab.osgi.ServiceNotFoundException;

/** Finds services for what the web container makes, which nobody can hand them to. */
public final class Services {
  private static volatile ServiceDirectory directory = new DefaultServiceDirectory();

  private Services() {}

  /** Looks services up elsewhere, for tests. */
  public static void setDirectory(ServiceDirectory other) {
    directory = other;
  }

  /**
   * A service.
   *
   * @throws ControllerException if it is not there now
   */
  public static <T> T get(Class<T> service) {
    try {
      return directory.get(service);
    } catch (ServiceNotFoundException e) {
      throw new ControllerException(
          service == SluiceService.class
              ? "Sluice is not active: a service it needs is missing; ONOS's log and the command"
                  + " scr:info net.sluice.onos.SluiceManager say which"
              : "ONOS has no " + service.getSimpleName() + " now",
          e);
    }
  }
}
