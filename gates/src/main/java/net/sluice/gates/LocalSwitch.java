package net.sluice.gates;

import java.util.List;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/** The switch that an agent stands beside; one thread at a time. */
public interface LocalSwitch {
  /**
   * Reads what the entities ask for.
   *
   * @throws SwitchException if the switch is not reached or refuses it
   */
  List<Entity> read(List<Entity> wanted);

  /**
   * Writes updates in order; those behind one that is refused may be applied or not.
   *
   * @throws SwitchException if the switch is not reached, refuses one, or has another agent
   */
  void write(List<Update> updates);

  /** A switch that does not do what it is asked for. */
  final class SwitchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** With the reason, for people. */
    public SwitchException(String reason, Throwable cause) {
      super(reason, cause);
    }
  }
}
