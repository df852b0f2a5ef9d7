package net.sluice.standalone.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.sluice.cli.StartFailure;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.intents.profile.Trunks;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.switches.TopologyForm;

/**
 * How a remote switch is cabled, as a JSON file says it (docs/operators-guide.md describes the
 * fields). Read as strictly as the API's bodies: all problems are found together, and each names
 * its field.
 */
public final class TopologyFile {
  private static final long MAX_BYTES = 1 << 20;

  private TopologyFile() {}

  /**
   * Reads the file.
   *
   * @return its document, which is a topology
   * @throws StartFailure if it cannot be read, or says what cannot be; one line for each problem
   */
  static JsonValue read(String name) throws StartFailure {
    return read(
        "--topology",
        name,
        json -> {
          JsonValue document = JsonTree.read(json, 0, json.length);
          List<Problem> problems = new ArrayList<>();
          TopologyForm.read(new ObjectReader(document, "", problems))
              .map(alone -> Trunks.of(Map.of(NetworkSwitch.ONLY, alone)).misfits())
              .ifPresent(misfits -> misfits.forEach(each -> problems.add(each.problem(""))));
          if (!problems.isEmpty()) {
            throw new Refusal(problems);
          }
          return document;
        });
  }

  /** Makes something of a document. */
  public interface Parser<T> {
    T parse(byte[] json) throws Refusal;
  }

  /**
   * Reads the file that an option names.
   *
   * @throws StartFailure as above
   */
  public static <T> T read(String option, String name, Parser<T> parser) throws StartFailure {
    byte[] bytes;
    try {
      Path path = Path.of(name);
      if (Files.size(path) > MAX_BYTES) {
        throw new StartFailure(option + " " + name + ": has more than " + MAX_BYTES + " bytes");
      }
      bytes = Files.readAllBytes(path);
    } catch (IOException | InvalidPathException e) {
      throw new StartFailure(option + " " + name + ": cannot be read: " + reason(e), e);
    }
    try {
      return parser.parse(bytes);
    } catch (Refusal e) {
      throw new StartFailure(
          e.problems().stream()
              .map(problem -> option + " " + name + ": " + detail(problem))
              .collect(Collectors.joining(System.lineSeparator() + "sluice: ")),
          e);
    }
  }

  /** The detail, of a file: the reader's other documents are bodies of requests. */
  static String detail(Problem problem) {
    return problem
        .detail()
        .replaceFirst("^The body\\b", "The file")
        .replaceFirst("^" + ObjectReader.DOCUMENT + "\\b", "the file");
  }

  private static String reason(Exception failure) {
    String message = failure.getMessage();
    return failure.getClass().getSimpleName() + (message == null ? "" : ", " + message);
  }
}
