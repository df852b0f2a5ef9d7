package net.sluice.intents.plan;

import java.util.Locale;
import net.sluice.intents.model.Scope;

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

  /** Lower-case name, for messages. */
  public String text() {
    return text;
  }
}
