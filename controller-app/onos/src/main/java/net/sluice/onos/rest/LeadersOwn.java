package net.sluice.onos.rest;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

/**
 * Stands for what the instance that leads has at the time of each call. Web applications live as
 * long as their bundle; controllers come and go with leadership and configuration.
 */
final class LeadersOwn {
  private LeadersOwn() {}

  /** One of a type whose calls go to what {@code current} says, or fail with what it throws. */
  static <T> T over(Class<T> type, Supplier<T> current) {
    return type.cast(
        Proxy.newProxyInstance(
            LeadersOwn.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(method, current.get(), arguments)));
  }

  private static Object call(Method method, Object current, Object[] arguments) throws Throwable {
    try {
      return method.invoke(current, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
