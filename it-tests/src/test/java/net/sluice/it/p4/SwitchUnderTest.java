package net.sluice.it.p4;

import java.util.List;

/** A switch with the program loaded, reached over P4Runtime on one side and frames on the other. */
interface SwitchUnderTest extends AutoCloseable {
  /** For messages. */
  String name();

  /** The control side. */
  ControlClient control();

  /**
   * Gives frames to the switch one after the other and waits until it has done with all of them.
   *
   * @return for each frame given, what left the switch because of it
   */
  List<List<PortFrame>> pass(List<PortFrame> frames);

  /** Ends the switch and frees everything it had. */
  @Override
  void close();
}
