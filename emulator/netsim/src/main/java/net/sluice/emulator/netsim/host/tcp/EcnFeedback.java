package net.sluice.emulator.netsim.host.tcp;

/**
 * How the two ends of a connection report congestion marks to each other, agreed in the handshake:
 * table 2 of RFC 9768, which goes on from RFC 3168. Ordered from least to most.
 */
enum EcnFeedback {
  /** Not at all: no packet is ECN-capable. */
  NONE,
  /** RFC 3168: that there was a mark, until the sender says that it has reduced its window. */
  CLASSIC,
  /** RFC 9768 (AccECN): how many packets were marked, in the {@link AceField}. */
  ACCURATE;

  private static final int FLAGS = TcpSegment.AE | TcpSegment.CWR | TcpSegment.ECE;

  /** The flags of a SYN that asks for this. */
  int synFlags() {
    return switch (this) {
      case NONE -> 0;
      case CLASSIC -> TcpSegment.CWR | TcpSegment.ECE;
      case ACCURATE -> FLAGS;
    };
  }

  /** The feedback that a SYN asks for; by section 3.1.3 unknown flags ask for accurate one. */
  static EcnFeedback asked(int flags) {
    if ((flags & FLAGS) == 0) {
      return NONE;
    }
    return (flags & FLAGS) == CLASSIC.synFlags() ? CLASSIC : ACCURATE;
  }

  /** The flags of the SYN/ACK that agrees to this. */
  int synAckFlags(int synEcnBits) {
    return switch (this) {
      case NONE -> 0;
      case CLASSIC -> TcpSegment.ECE;
      case ACCURATE -> AceField.handshakeFlags(synEcnBits);
    };
  }

  /** The feedback that a SYN/ACK's flags agree to, for the side whose SYN asked for this. */
  EcnFeedback agreed(int flags) {
    int answer = flags & FLAGS;
    return switch (this) {
      case NONE -> NONE;
      case CLASSIC -> (answer & ~TcpSegment.AE) == TcpSegment.ECE ? CLASSIC : NONE;
      case ACCURATE -> {
        // All three are those of the SYN, reflected by a host that knows none of this.
        if (answer == 0 || answer == FLAGS) {
          yield NONE;
        }
        yield answer == TcpSegment.ECE ? CLASSIC : ACCURATE;
      }
    };
  }

  /** The lesser of two. */
  EcnFeedback atMost(EcnFeedback other) {
    return compareTo(other) <= 0 ? this : other;
  }
}
