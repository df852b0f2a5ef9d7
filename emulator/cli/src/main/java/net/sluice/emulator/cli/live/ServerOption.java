package net.sluice.emulator.cli.live;

import java.util.Arrays;
import java.util.stream.Collectors;
import net.sluice.cli.OptionException;
import net.sluice.emulator.server.p4runtime.variant.ServerVariant;

/** Whose P4Runtime server a switch has. */
enum ServerOption {
  /** One that does what the specification says, for programs for v1model. */
  V1MODEL,
  /** That of Stratum on Tofino: it keeps entries and forwards nothing. */
  STRATUM_TOFINO;

  /** Part of its size that an exact table takes there before its hashes collide. */
  private static final double EXACT_LOAD = 0.9;

  /**
   * The one of a name.
   *
   * @throws OptionException if there is none
   */
  static ServerOption parse(String text) {
    return Arrays.stream(values())
        .filter(each -> each.text().equals(text))
        .findAny()
        .orElseThrow(
            () ->
                new OptionException(
                    "--server",
                    text,
                    "one of "
                        + Arrays.stream(values())
                            .map(ServerOption::text)
                            .collect(Collectors.joining(", "))));
  }

  /** The name. */
  String text() {
    return this == V1MODEL ? "v1model" : "stratum-tofino";
  }

  /** How it answers. */
  ServerVariant kind() {
    return this == V1MODEL ? ServerVariant.specified() : ServerVariant.stratumOnTofino(EXACT_LOAD);
  }
}
