package net.sluice.testing;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Checks each answer that tests get: the first one that {@link ServiceLoader} finds in a module.
 */
public interface AnswerCheck {
  /**
   * Fails if the answer is not what was promised.
   *
   * @param mediaType empty if there is none
   */
  void check(String method, URI uri, int status, String mediaType, String body);

  /** The same answer, checked. */
  static HttpResponse<String> checked(HttpResponse<String> answer) {
    List.copyOf(Loaded.CHECKS)
        .forEach(
            each ->
                each.check(
                    answer.request().method(),
                    answer.request().uri(),
                    answer.statusCode(),
                    answer.headers().firstValue("Content-Type").orElse(""),
                    answer.body()));
    return answer;
  }

  /** Those of this module. */
  final class Loaded {
    private static final List<AnswerCheck> CHECKS =
        ServiceLoader.load(AnswerCheck.class).stream().map(ServiceLoader.Provider::get).toList();

    private Loaded() {}
  }
}
