package net.sluice.lab.demo.live;

import java.net.URI;

/** The words of {@code demo --live} on the terminal: what there is to see, and where. */
public final class LiveDemoText {
  private static final String TEXT =
      """

      %1$s

      20 subscribers share a port of 100 Mbit/s, in real time:
        household   limit 20 Mbit/s: a call, a game and a download      %1$s#/subscribers/household
        neighbour   limit 10 Mbit/s: a flood of 25 Mbit/s               %1$s#/subscribers/neighbour
        gold-1      one of 18 who want more than the port carries       %1$s#/subscribers/gold-1
        the port    who shares it, and who is held back                 %1$s#/ports/switch/1

      Each page says what the subscriber got and why. Rates of all subscribers come once a
      minute: the first after two. Ctrl-C ends the demo.
      """;

  private LiveDemoText() {}

  /** The words, for a page at that address. */
  public static String of(URI page) {
    return TEXT.formatted(page);
  }
}
