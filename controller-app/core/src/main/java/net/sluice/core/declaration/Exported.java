package net.sluice.core.declaration;

import java.util.Optional;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;

/**
 * A declaration in force, as it is stored. Each method fails with a {@code ControllerException} if
 * it is corrupt or of another format.
 */
public interface Exported {
  /** Its kind. */
  Kind kind();

  /** Its id. */
  String id();

  /** The switch it is for; empty for the only one, and of a policy. */
  Optional<String> switchName();

  /** Whether it does not always hold as it is declared. */
  boolean isTimed();

  /** The change that puts it again. */
  Change.Put put();

  /**
   * Passes on the fields that are declared, as the API has them.
   *
   * @throws java.io.UncheckedIOException if {@code to} fails
   */
  void writeDeclared(RecordSink to);
}
