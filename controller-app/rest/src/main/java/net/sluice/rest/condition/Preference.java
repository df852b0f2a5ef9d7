package net.sluice.rest.condition;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.ws.rs.core.HttpHeaders;

/** A wish of a client about its answer (RFC 7240). */
public final class Preference {
  /** The header that says so. */
  public static final String PREFER = "Prefer";

  private Preference() {}

  /** Whether a client has changes without a condition refused. */
  public static boolean isStrict(HttpHeaders headers) {
    return isGiven(headers, "handling", "strict");
  }

  /** Whether a request has a preference of that value; the first of a name counts. */
  public static boolean isGiven(HttpHeaders headers, String name, String value) {
    return Optional.ofNullable(headers.getRequestHeader(PREFER)).orElse(List.of()).stream()
        .flatMap(line -> Stream.of(line.split(",")))
        .map(each -> each.split(";", 2)[0].split("=", 2))
        .filter(each -> each[0].strip().equalsIgnoreCase(name))
        .map(each -> each.length < 2 ? "" : each[1].strip().replaceAll("^\"(.*)\"$", "$1"))
        .findFirst()
        .filter(value::equalsIgnoreCase)
        .isPresent();
  }
}
