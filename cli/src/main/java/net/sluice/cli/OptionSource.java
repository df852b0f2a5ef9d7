package net.sluice.cli;

import java.util.Optional;

/** A command's knowledge of where options come from that are not on its command line. */
public interface OptionSource {
  /**
   * The place of an option's value, such as {@code sluice.yaml:3:7}; empty if it is on the command
   * line.
   *
   * @param option its name, e.g. {@code --http}
   */
  Optional<String> sourceOf(String option);
}
