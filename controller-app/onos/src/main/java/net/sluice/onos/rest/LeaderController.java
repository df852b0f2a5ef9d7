package net.sluice.onos.rest;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import net.sluice.core.Controller;

/**
 * Stands for whatever controller there is at the time of each call. Web applications live as long
 * as their bundle; controllers come and go with leadership and configuration.
 */
final class LeaderController {
  private LeaderController() {}

  /** A controller whose calls go to what {@code current} says, or fail with what it throws. */
  static Controller over(Supplier<Controller> current) {
    return (Controller)
        Proxy.newProxyInstance(
            LeaderController.class.getClassLoader(),
            new Class<?>[] {Controller.class},
            (proxy, method, arguments) -> call(method, current.get(), arguments));
  }

  private static Object call(Method method, Controller controller, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(controller, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
