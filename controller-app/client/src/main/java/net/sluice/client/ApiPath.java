package net.sluice.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The path of a resource, of which any text may be a part or a parameter. */
final class ApiPath {
  private final StringBuilder text = new StringBuilder();
  private char before = '?';

  ApiPath(String... parts) {
    text.append(Stream.of(parts).map(ApiPath::encoded).collect(Collectors.joining("/", "/", "")));
  }

  /** The same with a parameter, if that is given. */
  ApiPath with(String name, String value) {
    if (value != null) {
      text.append(before).append(name).append('=').append(encoded(value));
      before = '&';
    }
    return this;
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
