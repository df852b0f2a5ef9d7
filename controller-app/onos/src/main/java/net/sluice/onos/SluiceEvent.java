package net.sluice.onos;

import net.sluice.core.ControllerEvent;
import org.onosproject.event.AbstractEvent;

/**
 * Something that happened in Sluice, on the instance that leads. The subject says what; {@link
 * SluiceEvent.Type} says of which kind it is.
 */
public final class SluiceEvent extends AbstractEvent<SluiceEvent.Type, ControllerEvent> {
  /** Kinds of events, one for each form of {@link ControllerEvent}. */
  public enum Type {
    /** A change was stored. */
    CHANGE_ACCEPTED,
    /** A change was refused. */
    CHANGE_REFUSED,
    /** A target holds a declaration, or has refused it. */
    STATUS_CHANGED,
    /** A session with a target changed state. */
    SESSION_CHANGED,
    /** A target was read back and corrected. */
    RECONCILED,
    /** The store failed, or takes changes again. */
    STORE_CHANGED,
    /** A switch came or went. */
    SWITCH_CHANGED,
    /** A next hop answers, or does not answer any more. */
    NEXT_HOP_CHANGED,
    /** Listeners were too slow: events before this one were left out. */
    EVENTS_LEFT_OUT
  }

  /**
   * An event.
   *
   * @param timeMillis when it happened, in milliseconds since the epoch
   */
  public SluiceEvent(ControllerEvent subject, long timeMillis) {
    super(typeOf(subject), subject, timeMillis);
  }

  private static Type typeOf(ControllerEvent event) {
    if (event instanceof ControllerEvent.ChangeAccepted) {
      return Type.CHANGE_ACCEPTED;
    } else if (event instanceof ControllerEvent.StatusChanged) {
      return Type.STATUS_CHANGED;
    } else if (event instanceof ControllerEvent.SessionChanged) {
      return Type.SESSION_CHANGED;
    } else if (event instanceof ControllerEvent.Reconciled) {
      return Type.RECONCILED;
    } else if (event instanceof ControllerEvent.ChangeRefused) {
      return Type.CHANGE_REFUSED;
    } else if (event instanceof ControllerEvent.StoreChanged) {
      return Type.STORE_CHANGED;
    } else if (event instanceof ControllerEvent.SwitchChanged) {
      return Type.SWITCH_CHANGED;
    } else if (event instanceof ControllerEvent.NextHopChanged) {
      return Type.NEXT_HOP_CHANGED;
    }
    return Type.EVENTS_LEFT_OUT;
  }
}
