package net.sluice.emulator.netsim;

/**
 * One direction of a link: optional serialisation at a rate of its own, a propagation delay, and
 * optional random loss. Frames keep their order. What a switch port sends is already serialised by
 * the port, so such a link has no rate; a host's link has one, with an unlimited queue in front of
 * it.
 */
public final class Link implements FrameReceiver, EventHandler {

  private static final int BITS_PER_BYTE = 8;

  private final Simulation simulation;
  private final FrameReceiver to;
  private final long propagationNanos;
  private final double lossProbability;
  private final Prng random;
  private final LineClock line;
  private final FrameStore frames = new FrameStore();
  private long carriedFrames;
  private long lostFrames;

  private Link(Builder builder, FrameReceiver to) {
    this.simulation = builder.simulation;
    this.to = to;
    this.propagationNanos = builder.propagationNanos;
    this.lossProbability = builder.lossProbability;
    this.random = builder.simulation.random(builder.randomStream);
    this.line = builder.rateBps == 0 ? null : new LineClock(builder.rateBps);
  }

  /** A link that carries everything at once, to be refined. */
  public static Builder in(Simulation simulation) {
    return new Builder(simulation);
  }

  /** Properties of a link. */
  public static final class Builder {
    private final Simulation simulation;
    private long propagationNanos;
    private double lossProbability;
    private long randomStream;
    private long rateBps;

    private Builder(Simulation simulation) {
      this.simulation = simulation;
    }

    /** Time from the last bit sent to the last bit received, nanoseconds, at least 0. */
    public Builder propagationNanos(long nanos) {
      if (nanos < 0) {
        throw new IllegalArgumentException("propagationNanos " + nanos + ": must be at least 0");
      }
      this.propagationNanos = nanos;
      return this;
    }

    /**
     * Loses each frame independently.
     *
     * @param probability 0..1
     * @param streamId names the link's random numbers, see {@link Simulation#random}
     */
    public Builder loss(double probability, long streamId) {
      if (!(probability >= 0 && probability <= 1)) {
        throw new IllegalArgumentException("lossProbability " + probability + ": must be 0..1");
      }
      this.lossProbability = probability;
      this.randomStream = streamId;
      return this;
    }

    /** Sends one frame after the other at a rate, bit/s, 1..{@link LineClock#MAX_RATE_BPS}. */
    public Builder rateBps(long bitsPerSecond) {
      this.rateBps = LineClock.checkRate(bitsPerSecond);
      return this;
    }

    /** The link, leading to a receiver. */
    public Link to(FrameReceiver receiver) {
      return new Link(this, receiver);
    }
  }

  /** Frames that reached the other end. */
  public long carriedFrames() {
    return carriedFrames;
  }

  /** Frames lost on the way. */
  public long lostFrames() {
    return lostFrames;
  }

  @Override
  public void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    long sentNanos = line == null ? nowNanos : line.send(nowNanos, (long) length * BITS_PER_BYTE);
    if (lossProbability > 0 && random.nextDouble() < lossProbability) {
      lostFrames++;
      return;
    }
    long arrivalNanos = sentNanos + propagationNanos;
    if (arrivalNanos == nowNanos) {
      carriedFrames++;
      to.receive(bytes, offset, length, tag, nowNanos);
    } else {
      simulation.schedule(arrivalNanos, this, frames.put(bytes, offset, length, tag));
    }
  }

  @Override
  public void onEvent(long nowNanos, long argument) {
    int slot = (int) argument;
    carriedFrames++;
    to.receive(frames.bytes(slot), 0, frames.length(slot), frames.tag(slot), nowNanos);
    frames.release(slot);
  }
}
