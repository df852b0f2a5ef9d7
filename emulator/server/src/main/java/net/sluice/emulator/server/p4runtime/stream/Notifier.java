package net.sluice.emulator.server.p4runtime.stream;

import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;

/**
 * Brings what happens in the switch to its controllers: packets, digests, idle entries. Any thread
 * may call it, one that holds the switch's lock too: nothing here waits.
 */
public record Notifier(Arbitration arbitration) {

  /** Whether anybody would hear. */
  boolean hasPrimary() {
    return !arbitration.primaries().isEmpty();
  }

  /** The primaries: another object whenever they are others. */
  Object audience() {
    return arbitration.primaries();
  }

  /**
   * Sends a message, as far as it is for its role, to the primary controller of every role. One
   * that does not keep up misses it, as the specification allows for everything but arbitration.
   *
   * @return how many it was sent to
   */
  int toPrimaries(StreamMessageResponse message) {
    int sent = 0;
    for (Arbitration.Client primary : arbitration.primaries()) {
      Arbitration.Channel channel = primary.channel();
      StreamMessageResponse part = primary.part(message);
      if (part != null && channel.isReady()) {
        channel.send(part);
        sent++;
      }
    }
    return sent;
  }
}
