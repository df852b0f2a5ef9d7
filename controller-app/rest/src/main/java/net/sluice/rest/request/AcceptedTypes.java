package net.sluice.rest.request;

import java.util.List;
import java.util.Map;
import javax.ws.rs.NotAcceptableException;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.ResourceInfo;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;

/**
 * Refuses requests that exclude the answer's media type with a quality of 0 (RFC 9110 section
 * 12.4.2), which JAX-RS takes for a weak preference.
 */
public final class AcceptedTypes implements ContainerRequestFilter {
  private static final String QUALITY = "q";

  /** The specificity of a range that is one type. */
  private static final int NAMED = 2;

  @Context private ResourceInfo resource;

  @Override
  public void filter(ContainerRequestContext request) {
    List<MediaType> accepted = request.getAcceptableMediaTypes();
    if (accepted.stream().allMatch(range -> quality(range) > 0)) {
      return;
    }
    String[] produced = produced();
    MediaType first = MediaType.valueOf(produced[0]);
    for (String each : produced) {
      MediaType type = MediaType.valueOf(each);
      // JSON stands in for answers that are not JSON, if it is asked for by its name.
      boolean standsIn = !isJson(first) && isJson(type);
      if (isAccepted(accepted, type, standsIn ? NAMED : 0)) {
        return;
      }
    }
    throw new NotAcceptableException();
  }

  private static boolean isJson(MediaType type) {
    return type.getSubtype().equals("json") || type.getSubtype().endsWith("+json");
  }

  private String[] produced() {
    Produces own = resource.getResourceMethod().getAnnotation(Produces.class);
    for (Class<?> type = resource.getResourceClass();
        own == null && type != null;
        type = type.getSuperclass()) {
      own = type.getAnnotation(Produces.class);
    }
    return own == null ? new String[] {MediaType.WILDCARD} : own.value();
  }

  /**
   * By the most specific of the ranges that the type is in (section 12.5.1).
   *
   * @param least specificity that this range has to have
   */
  private static boolean isAccepted(List<MediaType> ranges, MediaType type, int least) {
    int best = -1;
    double quality = 0;
    for (MediaType range : ranges) {
      int specific = specificity(range);
      if (range.isCompatible(type) && has(type, range) && specific > best) {
        best = specific;
        quality = quality(range);
      }
    }
    return quality > 0 && best >= least;
  }

  private static boolean has(MediaType type, MediaType range) {
    return range.getParameters().entrySet().stream()
        .allMatch(
            parameter ->
                parameter.getKey().equals(QUALITY)
                    || parameter.getValue().equals(type.getParameters().get(parameter.getKey())));
  }

  private static int specificity(MediaType range) {
    Map<String, String> parameters = range.getParameters();
    int named = parameters.containsKey(QUALITY) ? parameters.size() - 1 : parameters.size();
    return range.isWildcardType() ? 0 : range.isWildcardSubtype() ? 1 : NAMED + named;
  }

  private static double quality(MediaType range) {
    String quality = range.getParameters().get(QUALITY);
    return quality == null ? 1 : Double.parseDouble(quality);
  }
}
