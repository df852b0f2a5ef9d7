package net.sluice.core.store;

import java.io.UncheckedIOException;
import java.util.Optional;
import net.sluice.core.declaration.RecordSink;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;

/** A declaration as a store keeps it, decoded as far as it is asked for. */
public final class StoredRecord {
  private final Kind kind;
  private final String id;
  private final byte[] value;

  /**
   * A record of a store.
   *
   * @param value as {@link StoreCodec} encodes it
   */
  public StoredRecord(Kind kind, String id, byte[] value) {
    this.kind = kind;
    this.id = id;
    this.value = value;
  }

  /** Its kind. */
  public Kind kind() {
    return kind;
  }

  /** Its id. */
  public String id() {
    return id;
  }

  byte[] value() {
    return value;
  }

  /**
   * The declaration in force.
   *
   * @throws StoreException if the record is corrupt or of another format
   */
  public Declaration declaration() {
    return switch (kind) {
      case POLICY -> policy().policy();
      case SUBSCRIBER -> subscriber().subscriber();
      case RATE_LIMIT -> rateLimit();
      case TARIFF -> tariff();
    };
  }

  SubscriberState subscriber() {
    return StoreCodec.subscriber(id, value);
  }

  PolicyState policy() {
    return StoreCodec.policy(id, value);
  }

  RateLimit rateLimit() {
    return StoreCodec.rateLimit(id, value);
  }

  Tariff tariff() {
    return StoreCodec.tariff(id, value);
  }

  /**
   * Whether it is a subscriber that moves to another switch, or does not always hold as it is
   * declared; one read of the record tells both.
   *
   * @throws StoreException if the record is corrupt or of another format
   */
  public Standing standing() {
    return StoreCodec.standing(this);
  }

  /** The standing of a record, as {@link #standing} tells it. */
  public record Standing(boolean isLeaving, boolean isTimed) {}

  /**
   * Passes on the fields that are declared, as the API has them.
   *
   * @param switchName the switch it is for; empty if that is not said
   * @throws StoreException if the record is corrupt or of another format
   * @throws UncheckedIOException if {@code to} fails
   */
  public void writeDeclared(Optional<String> switchName, RecordSink to) {
    StoreCodec.writeDeclared(this, switchName, to);
  }
}
