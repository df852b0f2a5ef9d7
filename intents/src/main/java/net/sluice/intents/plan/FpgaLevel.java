package net.sluice.intents.plan;

import java.util.Locale;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.form.FieldSink;

/** A level of the FPGA's token-bucket hierarchy (paper 001), with its number on the wire. */
public enum FpgaLevel {
  /** One customer, index port&lt;&lt;12 | tree&lt;&lt;6 | customer. */
  CUSTOMER(1),
  /** One OLT tree, index port&lt;&lt;6 | tree. */
  TREE(2),
  /** One BNG port, index port. */
  PORT(3);

  private final int code;
  private final String text = name().toLowerCase(Locale.ROOT);

  FpgaLevel(int code) {
    this.code = code;
  }

  /** The level at which a scope is limited. */
  public static FpgaLevel of(Scope scope) {
    if (scope instanceof Scope.OfSubscriber) {
      return CUSTOMER;
    }
    return scope instanceof Scope.OfTree ? TREE : PORT;
  }

  /** Number used on the wire. */
  public int code() {
    return code;
  }

  /** Tells which bucket of the level an index is, as port, tree and customer. */
  void tellPlace(int index, FieldSink sink) {
    // A queue id is a customer's index with three bits of class behind it.
    int queue =
        switch (this) {
          case CUSTOMER -> index << 3;
          case TREE -> index << 9;
          case PORT -> index << 15;
        };
    sink.number("port", QueueId.port(queue));
    if (this != PORT) {
      sink.number("tree", QueueId.tree(queue));
    }
    if (this == CUSTOMER) {
      sink.number("customer", QueueId.customer(queue));
    }
  }

  /** Lower-case name, for messages. */
  public String text() {
    return text;
  }
}
