package net.sluice.rest.guard;

import javax.ws.rs.GET;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.ResourceInfo;
import javax.ws.rs.core.Context;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;

/**
 * Refuses a request to whoever does not have the role for it. It is asked when the method of the
 * resource is known, so that no way of writing a path leads past it.
 */
public final class RoleFilter implements ContainerRequestFilter {
  @Context private ResourceInfo resource;

  @Override
  public void filter(ContainerRequestContext request) {
    if (resource.getResourceMethod() == null) {
      return; // Jersey's own answer to OPTIONS.
    }
    Needs stated = resource.getResourceMethod().getAnnotation(Needs.class);
    boolean reads = resource.getResourceMethod().isAnnotationPresent(GET.class);
    Role needed = stated != null ? stated.value() : reads ? Role.READ : Role.ADMIN;
    Caller caller = (Caller) request.getProperty(Caller.ATTRIBUTE);
    if (caller == null) {
      throw new IllegalStateException("the host let a request in without saying whose it is");
    }
    if (!caller.role().includes(needed)) {
      String has = caller.name() + " has role " + caller.role().text();
      request.abortWith(
          ProblemDetail.of(
                  ProblemType.FORBIDDEN,
                  has + "; this needs " + needed.text() + ".",
                  new FieldError("role", caller.role().text(), needed.text()))
              .response());
    }
  }
}
