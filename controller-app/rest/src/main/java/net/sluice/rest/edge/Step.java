package net.sluice.rest.edge;

import java.io.IOException;
import java.util.List;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** A step of a request on its way to the resources. */
@FunctionalInterface
interface Step {
  /** Answers the request, or hands it on, wrapped or not, now or later. */
  void take(HttpServletRequest from, HttpServletResponse to, FilterChain next)
      throws IOException, ServletException;

  /** The way through steps in their order. */
  static FilterChain way(List<Step> steps, FilterChain end) {
    FilterChain way = end;
    for (int i = steps.size() - 1; i >= 0; i--) {
      Step step = steps.get(i);
      FilterChain next = way;
      way = (from, to) -> step.take((HttpServletRequest) from, (HttpServletResponse) to, next);
    }
    return way;
  }
}
